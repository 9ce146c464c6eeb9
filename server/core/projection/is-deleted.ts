import { stateLinesOf } from './log-state-path';
import type { LogState } from './state-shape';

/** A branch is in the trash: its newest word on it is a deletion. */
export function isDeleted(log: LogState, branchId: string): boolean {
  const branch = log.branches.get(branchId);
  const lines = branch ? stateLinesOf(log, branch) : [];
  const newest = lines.findLast(({ type }) => type === 'session.deleted' || type === 'session.restored');
  return newest?.type === 'session.deleted';
}
