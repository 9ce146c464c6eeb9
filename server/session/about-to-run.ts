import { isKnown } from '@/server/core/projection/log-state-path';
import type { LoadedSession } from './append-events';
import { COMPACT_JOB, type SessionJobs, TURN_JOB, turnPayloadSchema } from './session-jobs';

/**
 * A job of this conversation is about to begin what the log does not show yet: moving the head under it would let it build on
 * a path that is gone. A job on its way out, whose turn the log shows as ended, is none.
 */
export function isAboutToRun(jobs: SessionJobs, { log, session }: LoadedSession): boolean {
  return jobs.pending(session.branch).some(({ kind, state, payload }) => {
    if (kind === COMPACT_JOB) return state === 'queued';
    if (kind !== TURN_JOB) return false;
    const { turnId, resume } = turnPayloadSchema.parse(payload);
    if (turnId === undefined) return session.queue.length > 0;
    return resume !== true && !hasStarted(log, session.branch, turnId);
  });
}

/** The log tells that this turn began; it may have ended since. Looked for from the end, back to where it got its id. */
export function hasStarted(log: LoadedSession['log'], branchId: string, turnId: string): boolean {
  const lines = log.branches.get(branchId)?.lines ?? [];
  for (let place = lines.length - 1; place >= 0; place -= 1) {
    const line = log.bySeq.get(lines.at(place) ?? 0);
    if (!line || line.id < turnId) return false;
    const counts = isKnown(line) && !log.ignored.has(line.id);
    if (counts && line.type === 'turn.started' && line.turnId === turnId) return true;
  }
  return false;
}
