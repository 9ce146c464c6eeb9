import type { LogEvent } from '@/server/contract/events/event';
import { headAfter, isPathLine, linkOf, stateLinesBack } from './log-state-path';
import type { LogState } from './state-shape';

interface Stay {
  /** The place in file order of the line by which the head came to stand there. */
  readonly moment: number;
  readonly head: number;
}

/**
 * How a branch left what it went away from: for the `seq` of a line, the id of the line at which its head last stood with that
 * line on the path. By the moment, not by the newest line: a summary that was taken back by a rollback stays taken back.
 * `lines`: the path that it inherited and all its own, in file order. Null for a line that is none of them.
 */
export function findTips(log: LogState, lines: readonly LogEvent[]): (seq: number) => string | null {
  const headOf = findLastHeads(log, lines);
  return (seq) => {
    const head = headOf(seq);
    return head === null ? null : nameHead(log, head);
  };
}

/** As `findTips`, the head itself. */
export function findLastHeads(log: LogState, lines: readonly LogEvent[]): (seq: number) => number | null {
  const stays = new Map<number, Stay>();
  lines.forEach((event, moment) => {
    const head = headAfter(log, event);
    if (head !== null) stays.set(head, { moment, head });
  });
  // Backwards, so that whatever follows a line has said its newest stay before the line itself is met.
  const paths = lines.filter(isPathLine).sort((one, other) => other.seq - one.seq);
  for (const event of paths) {
    const own = stays.get(event.seq);
    const link = linkOf(log, event);
    if (own === undefined || link === null) continue;
    const known = stays.get(link);
    if (known === undefined || known.moment < own.moment) stays.set(link, own);
  }
  return (seq) => stays.get(seq)?.head ?? null;
}

/** The id by which a head can be gone to: of the line itself, or of the newest before it that counts. */
export function nameHead(log: LogState, head: number): string | null {
  for (const event of stateLinesBack(log, head)) return event.id;
  return null;
}
