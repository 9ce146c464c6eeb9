import type { ItemEvent, LogEvent } from '@/server/contract/events/event';
import { isKnown, stateLinesBack } from './log-state-path';
import type { BranchState, LogState, PathTally } from './state-shape';

interface Move {
  /** The branch before the line. */
  readonly branch: BranchState;
  readonly event: LogEvent;
  readonly link: number | null;
  /** Where the line leaves the head. */
  readonly head: number;
}

/** The item that a line that counts places on a path, if it places one. */
export function itemPlacedBy(log: LogState, event: LogEvent): ItemEvent | null {
  if (!isKnown(event) || log.ignored.has(event.id)) return null;
  if (event.type === 'message.assistant' || event.type === 'tool.result') return event;
  if (event.type === 'message.user') return event.place === 'here' ? event : null;
  if (event.type !== 'turn.started' || event.messageId === null) return null;
  if (log.placedBy.get(event.messageId) !== event.seq) return null;
  const message = log.byId.get(event.messageId);
  return message && isKnown(message) && message.type === 'message.user' ? message : null;
}

/** The tally of the path that a line leaves a branch with: one step from the one before, counted anew where the head jumped. */
export function tallyAt(log: LogState, { branch, event, link, head }: Move): PathTally {
  const item = itemPlacedBy(log, event);
  if (head === event.seq && (link ?? 0) === branch.head) return stepTally(branch.tally, item);
  const opened = head === event.seq && link !== null ? tallyOfHead(log, link) : null;
  return opened ? stepTally(opened, item) : tallyOf(log, head);
}

function stepTally(tally: PathTally, item: ItemEvent | null): PathTally {
  if (item === null) return tally;
  const isPerson = item.type === 'message.user' && item.kind === 'person';
  return {
    items: tally.items + 1,
    firstItem: tally.firstItem ?? item.id,
    firstPerson: tally.firstPerson ?? (isPerson ? item.id : null),
  };
}

/** A fork begins most often where some branch stands. */
function tallyOfHead(log: LogState, head: number): PathTally | null {
  for (const branch of log.branches.values()) if (branch.head === head) return branch.tally;
  return null;
}

/** The tally of the path that ends at a line, counted by walking it. */
export function tallyOf(log: LogState, head: number | null): PathTally {
  let items = 0;
  let firstItem: string | null = null;
  let firstPerson: string | null = null;
  for (const line of stateLinesBack(log, head)) {
    const item = itemPlacedBy(log, line);
    if (item === null) continue;
    items += 1;
    firstItem = item.id;
    if (item.type === 'message.user' && item.kind === 'person') firstPerson = item.id;
  }
  return { items, firstItem, firstPerson };
}
