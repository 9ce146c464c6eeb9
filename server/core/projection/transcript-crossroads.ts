import type { StoredEvent } from '@/server/contract/events/event';
import { findLastHeads, nameHead } from './find-tips';
import { headAfter, isOnPath, isPathLine, linesBack, stateLinesOf } from './log-state-path';
import type { LogState, SessionState } from './state-shape';
import { ownAndInherited, placedItem } from './transcript-siblings';

/** How the head came away: a person went back, edited a message, tried a reply again, or went to another branch. */
export type LeftBy = 'back' | 'edit' | 'again' | 'switch';

interface LeftHere {
  readonly at: string;
  readonly itemId: string;
  readonly items: number;
  readonly tip: string;
  readonly by: LeftBy;
}

/** What leads away from an item: forks that begin at it, and what reverts left there. */
export interface Crossroads {
  readonly forks?: string[];
  readonly left?: LeftHere[];
}

/** Lines within which another try begins after its revert; what comes later is a thing of its own. */
const NEAR = 20;

/** Where something leads away before the first item. */
export const BEFORE_FIRST = '';

/**
 * Where forks and reverts of a branch happened, by the id of the item after which the ways part (L3, L4). Deleted forks are not
 * told; nor is a revert that was undone, or one whose items are all on the path again.
 */
export function findCrossroads(log: LogState, state: SessionState): ReadonlyMap<string, Crossroads> {
  const found = new Map<string, Crossroads>();
  const hasForks = [...log.branches.values()].some(({ opened }) => opened.parent?.branch === state.branch);
  // The path is walked only where something can lead away from it.
  if (!hasForks && !log.branches.get(state.branch)?.ledger.everReverted) return found;
  const itemAt = indexItems(log, state);
  for (const { id, opened, deleted } of log.branches.values()) {
    const { parent, kind } = opened;
    if (kind !== 'fork' || parent?.branch !== state.branch || deleted) continue;
    const at = itemAt.get(parent.seq);
    if (at === undefined) continue;
    const place = found.get(at) ?? {};
    found.set(at, { ...place, forks: [...(place.forks ?? []), id] });
  }
  for (const { parting, ...left } of findLeft(log, state, itemAt)) {
    const at = itemAt.get(parting) ?? BEFORE_FIRST;
    const place = found.get(at) ?? {};
    found.set(at, { ...place, left: [...(place.left ?? []), left] });
  }
  return found;
}

/** For each line of the path the newest item there, by the line's `seq`. */
function indexItems(log: LogState, state: SessionState): ReadonlyMap<number, string> {
  const at = new Map<number, string>();
  let newest = BEFORE_FIRST;
  for (const line of state.path) {
    newest = (log.ignored.has(line.id) ? null : placedItem(log, line))?.id ?? newest;
    at.set(line.seq, newest);
  }
  return at;
}

type Left = LeftHere & { readonly parting: number };

function findLeft(log: LogState, state: SessionState, onPath: ReadonlyMap<number, string>): readonly Left[] {
  const branch = log.branches.get(state.branch);
  const own = branch ? stateLinesOf(log, branch) : [];
  if (!own.some((line) => line.type === 'head.reverted')) return [];
  if (!branch) return [];
  const lastHead = findLastHeads(log, ownAndInherited(log, branch));
  const undone = new Set(own.flatMap((line) => (line.type === 'head.restored' ? [line.undoes] : [])));
  const found = own.flatMap((event, place): readonly Left[] => {
    if (event.type !== 'head.reverted' || undone.has(event.id)) return [];
    // Where it went is left itself by now: what it left is told there.
    if (!onPath.has(headAfter(log, event) ?? 0)) return [];
    const [then] = itemsOff(log, event.from, onPath).items;
    if (then === undefined) return [];
    // As it was left last: a person may have been there again since, and have set a plan by hand (decision 037).
    const head = lastHead(then.seq) ?? event.from;
    const { items, parting } = itemsOff(log, head, onPath);
    const tip = nameHead(log, head);
    if (items[0] === undefined || tip === null) return [];
    return [{ at: event.at, itemId: items[0].id, items: items.length, tip, by: leftBy(log, own, place), parting }];
  });
  // Left more than once it is one thing to return to.
  return [...new Map(found.map((left) => [left.tip, left])).values()];
}

interface Off {
  readonly items: readonly { readonly id: string; readonly seq: number }[];
  readonly parting: number;
}

/** The items between a line and the path, the newest first, each with its point, and the line at which the ways part. Only what was left is walked. */
function itemsOff(log: LogState, from: number, onPath: ReadonlyMap<number, string>): Off {
  const items: { readonly id: string; readonly seq: number }[] = [];
  for (const line of linesBack(log, from)) {
    if (onPath.has(line.seq)) return { items, parting: line.seq };
    const placed = log.ignored.has(line.id) ? null : placedItem(log, line);
    if (placed) items.push({ id: placed.id, seq: line.seq });
  }
  return { items, parting: 0 };
}

/**
 * Told from what stands beside it, since the log says only where the head went: an edit has its message in the same batch
 * (`contract.md` 17), another try begins a turn without a message as the next thing.
 */
function leftBy(log: LogState, own: readonly StoredEvent[], place: number): LeftBy {
  const event = own[place];
  if (event?.type !== 'head.reverted' || !isOnPath(log, event.from, event.to)) return 'switch';
  const next = own[place + 1];
  if (next?.type === 'message.user' && next.seq === event.seq + 1 && next.at === event.at) return 'edit';
  for (const line of own.slice(place + 1, place + 1 + NEAR)) {
    // What a turn is given before it begins.
    if (line.type === 'prompt.kept' || line.type === 'note') continue;
    if (isPathLine(line)) return line.type === 'turn.started' && line.why === 'continue' ? 'again' : 'back';
    if (line.type.startsWith('head.')) return 'back';
  }
  return 'back';
}
