import { isKnown, isOnPath, linkOf } from '@/server/core/projection/log-state-path';
import { type Findable, findableAt } from '@/server/core/projection/search-texts';
import type { LogState } from '@/server/core/projection/state-shape';
import { findPoint } from './find-point';

/** Where an item or summary stands in a conversation. */
export interface Place {
  readonly event: Findable;
  readonly onPath: boolean;
  /** The newest item or summary on some path that goes on from it; itself where nothing does. */
  readonly tip: string;
}

/**
 * Where a thing that was found stands: on the path in force or on one that was left, and what to go back to so that the left
 * one is there again as it was, with this on it (X9, `contract.md` 2). A summary taken back is no end of a path. Null for
 * what was never placed on this branch.
 */
export function findPlace(log: LogState, branchId: string, id: string): Place | null {
  const branch = log.branches.get(branchId);
  const point = findPoint(log, branchId, id);
  const line = point === null ? undefined : log.bySeq.get(point);
  const event = line && isKnown(line) ? findableAt(log, line) : null;
  if (!branch || point === null || event === null) return null;
  return { event, onPath: isOnPath(log, branch.head, point), tip: findTip(log, branch.lines, { id, point }) };
}

/** Lines come in file order, so whatever a line follows was met before it. */
function findTip(
  log: LogState,
  lines: readonly number[],
  from: { readonly id: string; readonly point: number },
): string {
  const after = new Set([from.point]);
  const ends = [from.id];
  for (const seq of lines) {
    const line = log.bySeq.get(seq);
    const link = line && seq > from.point ? linkOf(log, line) : null;
    if (!line || link === null || !after.has(link)) continue;
    after.add(seq);
    if (!isKnown(line) || log.ignored.has(line.id)) continue;
    if (line.type === 'checkpoint.reverted' && ends.at(-1) === line.checkpointId && ends.length > 1) ends.pop();
    const placed = findableAt(log, line);
    if (placed) ends.push(placed.id);
  }
  return ends.at(-1) ?? from.id;
}
