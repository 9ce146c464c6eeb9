import { belongsTo, isKnown, isPathLine } from '@/server/core/projection/log-state-path';
import type { BranchState, LogState } from '@/server/core/projection/state-shape';

/**
 * The point that an id names on a branch (`contract.md` 2): the line that placed the item, on the branch itself, abandoned or
 * not, or on the path it inherited. The id of any other line of a path names that line: a summary with the summary in force
 * (case-C07), the last line of what was left with all that came after its last item (decision 037). Null for what was never
 * placed there: a message that waits, a line of another branch, no line of a path at all. By id, never by place.
 */
export function findPoint(log: LogState, branchId: string, id: string): number | null {
  const seq = placeOf(log, id);
  return seq !== null && belongsTo(log, log.branches.get(branchId), seq) ? seq : null;
}

function placeOf(log: LogState, id: string): number | null {
  const event = log.byId.get(id);
  if (!event || !isKnown(event) || log.ignored.has(event.id)) return null;
  if (event.type === 'message.user' && event.place !== 'here') return log.placedBy.get(id) ?? null;
  return isPathLine(event) ? event.seq : null;
}

/** Before the first item: the line that opened the root of this branch. Null where damage took it. */
export function findBeginning(log: LogState, branchId: string): number | null {
  const seq = rootOf(log, branchId)?.opened.seq ?? 0;
  return seq === 0 ? null : seq;
}

function rootOf(log: LogState, branchId: string): BranchState | undefined {
  const branch = log.branches.get(branchId);
  const parent = branch?.opened.kind === 'fork' ? branch.opened.parent : null;
  return parent && parent.seq < (branch?.opened.seq ?? 0) ? rootOf(log, parent.branch) : branch;
}
