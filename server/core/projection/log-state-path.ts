import { classOf, type LogEvent, type StoredEvent } from '@/server/contract/events/event';
import type { BranchState, LogState } from './state-shape';

/** Walking the `prev` chain of a log (`contract.md` 2). Nothing here decides what an event means. */

/** True for a line that this release can read; narrows away lines made by a newer version. */
export function isKnown(event: LogEvent): event is StoredEvent {
  return !('unknown' in event);
}

/** True for lines on a path: class P, a message placed where it stands, and unknown lines that carry `prev`. */
export function isPathLine(event: LogEvent): boolean {
  return isKnown(event) ? classOf(event) === 'P' : event.prev !== undefined;
}

/** The `seq` of the first line with the id that the line `seq` carries. */
export function firstOf(log: LogState, seq: number): number {
  return log.repeats.get(seq) ?? seq;
}

/** The P line that a P line follows, damage and repeats allowed for; null at the beginning of a path. */
export function linkOf(log: LogState, event: LogEvent): number | null {
  const mended = log.links.get(event.seq);
  return mended === undefined ? (event.prev ?? null) : mended;
}

/** Lines of a path from its end to its beginning. Links only point backwards, so this ends on any input. */
export function* linesBack(log: LogState, head: number | null): Generator<LogEvent> {
  let seq = head;
  while (seq !== null) {
    const event = log.bySeq.get(seq);
    if (!event) return;
    yield event;
    const next = linkOf(log, event);
    if (next !== null && next >= seq) return;
    seq = next;
  }
}

/** As `linesBack`, only the lines that count for state: known, and not in breach of section 5. */
export function* stateLinesBack(log: LogState, head: number | null): Generator<StoredEvent> {
  for (const event of linesBack(log, head)) {
    if (isKnown(event) && !log.ignored.has(event.id)) yield event;
  }
}

/** The lines of a branch that count for state, in file order. */
export function stateLinesOf(log: LogState, branch: BranchState): readonly StoredEvent[] {
  const lines: StoredEvent[] = [];
  for (const seq of branch.lines) {
    const event = log.bySeq.get(seq);
    if (event && isKnown(event) && !log.ignored.has(event.id)) lines.push(event);
  }
  return lines;
}

/** The path of a branch at its head, or at another line, read forwards. Unknown branches have none. */
export function pathOf(log: LogState, branchId: string, head?: number): readonly LogEvent[] {
  const branch = log.branches.get(branchId);
  if (!branch) return [];
  return [...linesBack(log, head ?? branch.head)].reverse();
}

/** True when `seq` is on the path that ends at `head`. */
export function isOnPath(log: LogState, head: number | null, seq: number): boolean {
  for (const event of linesBack(log, head)) {
    if (event.seq <= seq) return event.seq === seq;
  }
  return false;
}

/**
 * True when `seq` is a P line of the branch, abandoned or not, or on the path that it inherited (section 5, 3). What
 * a branch inherited that lost its opening line cannot be told, so no P line is held against it.
 */
export function belongsTo(log: LogState, branch: BranchState | undefined, seq: number): boolean {
  const event = log.bySeq.get(seq);
  if (!event || !isPathLine(event)) return false;
  if (!branch || branch.opened.seq === 0 || event.branch === branch.id) return true;
  return isOnPath(log, linkOf(log, branch.opened), seq);
}

/** The head that the branch had just before the line `seq`: null before its first line. */
function headBefore(log: LogState, branch: BranchState, seq: number): number | null {
  for (let place = branch.lines.length - 1; place >= 0; place -= 1) {
    const event = log.bySeq.get(branch.lines[place] ?? 0);
    if (!event || event.seq >= seq) continue;
    const head = headAfter(log, event);
    if (head !== null) return head;
  }
  return null;
}

/** Where a line leaves the head of its branch: a line of a path at itself, a `head.*` in force at its target; null: it stays. */
export function headAfter(log: LogState, event: LogEvent): number | null {
  return isPathLine(event) ? event.seq : headTarget(log, event);
}

/** Where a `head.*` line in force moves the head; null for any other line. */
function headTarget(log: LogState, event: LogEvent): number | null {
  if (!isKnown(event) || log.ignored.has(event.id)) return null;
  if (event.type !== 'head.reverted' && event.type !== 'head.restored') return null;
  return log.links.get(event.seq) ?? event.to;
}

/**
 * What stands in for a line that is named but lost: the head that its branch had just before it, never an
 * abandoned line. Its branch is the one named, or the ancestor that was writing when the line was written.
 */
export function standInFor(log: LogState, branchId: string, seq: number): number | null {
  let branch = log.branches.get(branchId);
  while (branch && seq < branch.opened.seq && branch.opened.parent)
    branch = log.branches.get(branch.opened.parent.branch);
  return branch ? headBefore(log, branch, seq) : null;
}
