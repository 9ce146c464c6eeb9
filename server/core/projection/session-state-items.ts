import type { ItemEvent, StoredEvent } from '@/server/contract/events/event';
import { isKnown } from './log-state-path';
import type { Item, LogState, TurnOnPath } from './state-shape';

interface Walk {
  readonly items: Item[];
  readonly turns: TurnOnPath[];
  /** The turn that items belong to; null outside any. */
  turnId: string | null;
}

/** The items of a path with their numbers and points, and its turns (`contract.md` 2). */
export function foldItems(
  log: LogState,
  lines: readonly StoredEvent[],
): { readonly items: readonly Item[]; readonly turns: readonly TurnOnPath[] } {
  const walk: Walk = { items: [], turns: [], turnId: null };
  for (const event of lines) stepItems(log, walk, event);
  return { items: walk.items, turns: walk.turns };
}

function stepItems(log: LogState, walk: Walk, event: StoredEvent): void {
  switch (event.type) {
    case 'message.user':
    case 'message.assistant':
    case 'tool.result':
      addItem(walk, event, event.seq);
      break;
    case 'turn.started':
      startTurn(log, walk, event);
      break;
    case 'turn.ended':
      endTurn(walk, event);
      break;
    case 'branch.opened':
      walk.turnId = null;
      break;
    default:
  }
}

function addItem(walk: Walk, event: ItemEvent, point: number): void {
  walk.items.push({ number: walk.items.length + 1, id: event.id, point, turnId: walk.turnId, event });
}

function startTurn(log: LogState, walk: Walk, event: StoredEvent<'turn.started'>): void {
  const resumes = event.why === 'approval' && walk.turns.at(-1)?.turnId === event.turnId;
  walk.turnId = event.turnId;
  if (resumes) return;
  walk.turns.push({ turnId: event.turnId, started: event, ended: null });
  if (event.messageId === null || log.placedBy.get(event.messageId) !== event.seq) return;
  const message = log.byId.get(event.messageId);
  if (message && isKnown(message) && message.type === 'message.user') addItem(walk, message, event.seq);
}

function endTurn(walk: Walk, event: StoredEvent<'turn.ended'>): void {
  const place = walk.turns.findLastIndex((turn) => turn.turnId === event.turnId);
  const turn = walk.turns[place];
  if (turn) walk.turns[place] = { ...turn, ended: event };
  if (walk.turnId === event.turnId) walk.turnId = null;
}
