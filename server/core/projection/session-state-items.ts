import type { ItemEvent, StoredEvent } from '@/server/contract/events/event';
import { withMember, withNewest } from './growing-list';
import { itemPlacedBy } from './log-state-tally';
import { isCutOff } from './model-view-item';
import type { Item, LogState, SessionState, TurnOnPath } from './state-shape';

/** Items and turns of a path, with the turn that the next item would belong to; null outside any. */
export interface ItemWalk {
  readonly items: readonly Item[];
  readonly turns: readonly TurnOnPath[];
  readonly turnId: string | null;
}

/** The items of a path with their numbers and points, and its turns (`contract.md` 2). */
export function foldItems(log: LogState, lines: readonly StoredEvent[]): ItemWalk {
  let walk: ItemWalk = { items: [], turns: [], turnId: null };
  for (const event of lines) walk = stepItems(log, walk, event);
  return walk;
}

/** The walk with one line more of its path. */
export function stepItems(log: LogState, walk: ItemWalk, event: StoredEvent): ItemWalk {
  const begun = stepTurns(walk, event);
  const item = itemPlacedBy(log, event);
  return item === null ? begun : addItem(begun, item, event.seq);
}

function stepTurns(walk: ItemWalk, event: StoredEvent): ItemWalk {
  switch (event.type) {
    case 'turn.started': {
      const resumes = event.why === 'approval' && walk.turns.at(-1)?.turnId === event.turnId;
      if (resumes) return { ...walk, turnId: event.turnId };
      const turn: TurnOnPath = { turnId: event.turnId, started: event, ended: null };
      return { ...walk, turnId: event.turnId, turns: withMember(walk.turns, turn) };
    }
    case 'turn.ended':
      return endTurn(walk, event);
    case 'branch.opened':
      return { ...walk, turnId: null };
    default:
      return walk;
  }
}

function addItem(walk: ItemWalk, event: ItemEvent, point: number): ItemWalk {
  const item: Item = { number: walk.items.length + 1, id: event.id, point, turnId: walk.turnId, event };
  return { ...walk, items: withMember(walk.items, item) };
}

function endTurn(walk: ItemWalk, event: StoredEvent<'turn.ended'>): ItemWalk {
  const turnId = walk.turnId === event.turnId ? null : walk.turnId;
  const newest = walk.turns.at(-1);
  if (newest?.turnId === event.turnId)
    return { ...walk, turnId, turns: withNewest(walk.turns, { ...newest, ended: event }) };
  const place = walk.turns.findLastIndex((turn) => turn.turnId === event.turnId);
  const turn = walk.turns[place];
  return { ...walk, turnId, turns: turn ? walk.turns.with(place, { ...turn, ended: event }) : walk.turns };
}

/** A message that a person wrote, not a command and nothing put in for them. */
export function isPersonItem({ event }: Item): boolean {
  return event.type === 'message.user' && event.kind === 'person';
}

/**
 * Cut-off replies that a *Continue* turn follows directly. The entry stays where it was once sent, else the next
 * view would not extend this one (prefix law).
 */
export function foldContinued(turns: SessionState['turns'], items: SessionState['items']): SessionState['continued'] {
  const found = new Set<string>();
  for (const { started } of turns) {
    if (started.why !== 'continue') continue;
    const before = items.findLast((item) => item.point < started.seq);
    if (before && isContinuable(before)) found.add(before.id);
  }
  return found;
}

/** A reply that broke off: what a *Continue* goes on from. */
export function isContinuable({ event }: Item): boolean {
  return event.type === 'message.assistant' && isCutOff(event);
}
