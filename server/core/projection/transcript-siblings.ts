import { isItem, type LogEvent } from '@/server/contract/events/event';
import { findTips } from './find-tips';
import { isKnown, linesBack, linkOf } from './log-state-path';
import type { BranchState, LogState, SessionState } from './state-shape';

export interface Alternatives {
  readonly index: number;
  readonly ids: string[];
  /** For each, the line at which this branch left it, by its id: a revert to that brings it back to the byte (decision 037). */
  readonly tips: string[];
}

/**
 * Items that stand at the same place of this conversation, by item id: after the same item, said by the same side.
 * Only items that have others there, in the order they were made. Nothing is looked for while the head never moved.
 */
export function findAlternatives(log: LogState, state: SessionState): ReadonlyMap<string, Alternatives> {
  const branch = log.branches.get(state.branch);
  if (!branch?.ledger.everReverted) return new Map();
  const lines = ownAndInherited(log, branch);
  const newestItem = new Map<number, string>();
  const places = new Map<string, string[]>();
  const points = new Map<string, number>();
  for (const event of lines) {
    const link = linkOf(log, event);
    const before = link === null ? '' : (newestItem.get(link) ?? '');
    const placed = log.ignored.has(event.id) ? null : placedItem(log, event);
    newestItem.set(event.seq, placed?.id ?? before);
    if (!placed) continue;
    points.set(placed.id, event.seq);
    const place = `${before} ${placed.type}`;
    places.set(place, [...(places.get(place) ?? []), placed.id]);
  }
  const tipOf = findTips(log, lines);
  const crowded = [...places.values()].filter((ids) => ids.length > 1);
  return new Map(
    crowded.flatMap((ids) => {
      const tips = ids.map((id) => tipOf(points.get(id) ?? 0) ?? id);
      return ids.map((id, index): [string, Alternatives] => [id, { index, ids, tips }]);
    }),
  );
}

/** The path a branch inherited and all its own lines, in file order: whatever a line follows was met before it. */
export function ownAndInherited(log: LogState, { opened, lines }: BranchState): readonly LogEvent[] {
  const inherited = [...linesBack(log, linkOf(log, opened))].reverse();
  return [...inherited, ...[...lines].flatMap((seq) => log.bySeq.get(seq) ?? [])];
}

/** The item that a P line places on the path, if it places one. */
export function placedItem(log: LogState, event: LogEvent): LogEvent | null {
  if (!isKnown(event)) return null;
  if (event.type === 'turn.started' && event.messageId !== null) {
    return log.placedBy.get(event.messageId) === event.seq ? (log.byId.get(event.messageId) ?? null) : null;
  }
  if (event.type === 'message.user' && event.place === 'turn') return null;
  return isItem(event) ? event : null;
}
