import { AppError } from '@/server/contract/error';
import type { Job } from '@/server/ports/job-store';
import { hasStarted } from './about-to-run';
import type { SessionWriter } from './append-events';
import { canContinue } from './messages';
import { type SessionJobs, TURN_JOB, turnPayloadSchema } from './session-jobs';

interface RequeueDeps {
  readonly writer: SessionWriter;
  readonly jobs: SessionJobs;
  readonly report: (line: string) => void;
}

/**
 * A `continue` that was answered for and whose job was killed before its turn began stands in no log: nothing of it has
 * happened, so it is asked for anew, under the same turn id. A turn that had begun is ended by recovery instead; whatever
 * else was abandoned is found again in its log (a waiting message, a decision).
 */
export async function requeueContinues(deps: RequeueDeps, abandoned: readonly Job[]): Promise<void> {
  for (const job of abandoned.filter(({ kind }) => kind === TURN_JOB)) {
    const { turnId, resume } = turnPayloadSchema.parse(job.payload);
    if (turnId === undefined || resume === true) continue;
    try {
      const { log, session } = await deps.writer.load(job.serialKey);
      if (canContinue(session) && !hasStarted(log, session.branch, turnId))
        deps.jobs.enqueueTurn(session.branch, { turnId });
    } catch (error) {
      // Deleted meanwhile, or a log that cannot be read: that must not keep the server from starting (rel-S13).
      deps.report(`a reply to go on with was lost: ${error instanceof AppError ? error.code : String(error)}`);
    }
  }
}
