import { findTips } from '@/server/core/projection/find-tips';
import { isKnown, isOnPath } from '@/server/core/projection/log-state-path';
import { type Findable, findableAt } from '@/server/core/projection/search-texts';
import type { LogState } from '@/server/core/projection/state-shape';
import { ownAndInherited } from '@/server/core/projection/transcript-siblings';
import { findPoint } from './find-point';

/** Where an item or summary stands in a conversation. */
export interface Place {
  readonly event: Findable;
  readonly onPath: boolean;
  /** The line at which this branch left it, by its id (decision 037). */
  readonly tip: string;
}

/**
 * Where a thing that was found stands: on the path in force or on one that was left, and what to go back to so that the left
 * one is there again as it was, with this on it (X9, `contract.md` 2), a plan by hand and a summary of its end too. Null for
 * what was never placed on this branch.
 */
export function findPlace(log: LogState, branchId: string, id: string): Place | null {
  const branch = log.branches.get(branchId);
  const point = findPoint(log, branchId, id);
  const line = point === null ? undefined : log.bySeq.get(point);
  const event = line && isKnown(line) ? findableAt(log, line) : null;
  if (!branch || point === null || event === null) return null;
  const tip = findTips(log, ownAndInherited(log, branch))(point) ?? id;
  return { event, onPath: isOnPath(log, branch.head, point), tip };
}
