import { foldSession } from '@/server/core/projection/session-state';
import type { LogState, SessionState } from '@/server/core/projection/state-shape';
import { findPoint } from './find-point';

/**
 * The state at an item, in force or abandoned: what a reader looks at before going there (`contract.md` 17). Nothing runs or
 * waits on it, since that is the branch's and not the path's. Null for what was never placed on this branch.
 */
export function selectPath(log: LogState, branchId: string, itemId: string): SessionState | null {
  const head = findPoint(log, branchId, itemId);
  if (head === null) return null;
  const nothing = { queue: [], openTurn: null, parked: null, openCompaction: null };
  return { ...foldSession(log, branchId, { head }), ...nothing };
}
