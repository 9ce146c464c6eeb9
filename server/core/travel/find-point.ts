import { belongsTo, isKnown } from '@/server/core/projection/log-state-path';
import type { BranchState, LogState } from '@/server/core/projection/state-shape';

/**
 * The point that an id names on a branch (`contract.md` 2): the line that placed the item, on the branch itself, abandoned or
 * not, or on the path it inherited. The id of a summary names its own line, with the summary in force (case-C07). Null for
 * what was never placed there: a message that waits, an item of another branch, no item at all. By id, never by place.
 */
export function findPoint(log: LogState, branchId: string, id: string): number | null {
  const seq = placeOf(log, id);
  return seq !== null && belongsTo(log, log.branches.get(branchId), seq) ? seq : null;
}

function placeOf(log: LogState, id: string): number | null {
  const event = log.byId.get(id);
  if (!event || !isKnown(event) || log.ignored.has(event.id)) return null;
  switch (event.type) {
    case 'message.user':
      return event.place === 'here' ? event.seq : (log.placedBy.get(id) ?? null);
    case 'message.assistant':
    case 'tool.result':
    case 'checkpoint.committed':
      return event.seq;
    default:
      return null;
  }
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
