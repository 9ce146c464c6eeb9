import type { StoredEvent } from '@/server/contract/events/event';
import { linesBack, stateLinesOf } from './log-state-path';
import type { LogState, SessionState } from './state-shape';
import { placedItem } from './transcript-siblings';

/** What leads away from an item: forks that begin at it, and what a revert to it left. */
export interface Crossroads {
  readonly forks?: string[];
  readonly left?: { readonly at: string; readonly itemId: string; readonly items: number }[];
}

/**
 * Where forks and reverts of a branch happened, by the `seq` of the point (L3, L4). Deleted forks are not told; nor is a revert
 * that was undone, or one that left no item.
 */
export function findCrossroads(log: LogState, state: SessionState): ReadonlyMap<number, Crossroads> {
  const found = new Map<number, Crossroads>();
  for (const { id, opened, deleted } of log.branches.values()) {
    const { parent, kind } = opened;
    if (kind !== 'fork' || parent?.branch !== state.branch || deleted) continue;
    const place = found.get(parent.seq) ?? {};
    found.set(parent.seq, { ...place, forks: [...(place.forks ?? []), id] });
  }
  for (const { event, ...left } of findLeft(log, state)) {
    const place = found.get(event.to) ?? {};
    found.set(event.to, { ...place, left: [...(place.left ?? []), { at: event.at, ...left }] });
  }
  return found;
}

interface Left {
  readonly event: StoredEvent<'head.reverted'>;
  readonly itemId: string;
  readonly items: number;
}

function findLeft(log: LogState, state: SessionState): readonly Left[] {
  const branch = log.branches.get(state.branch);
  const own = branch ? stateLinesOf(log, branch) : [];
  const reverted = own.filter((line) => line.type === 'head.reverted');
  if (reverted.length === 0) return [];
  const undone = new Set(own.flatMap((line) => (line.type === 'head.restored' ? [line.undoes] : [])));
  const onPath = new Set(state.path.map(({ seq }) => seq));
  return reverted.flatMap((event): readonly Left[] => {
    if (undone.has(event.id)) return [];
    const gone = itemsOff(log, event.from, onPath);
    const [newest] = gone;
    return newest === undefined ? [] : [{ event, itemId: newest, items: gone.length }];
  });
}

/** Ids of the items between a line and the path, the newest first. Only what was left is walked. */
function itemsOff(log: LogState, from: number, onPath: ReadonlySet<number>): readonly string[] {
  const ids: string[] = [];
  for (const line of linesBack(log, from)) {
    if (onPath.has(line.seq)) break;
    const placed = log.ignored.has(line.id) ? null : placedItem(log, line);
    if (placed) ids.push(placed.id);
  }
  return ids;
}
