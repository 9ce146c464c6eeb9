import { toErrorBody } from '@/server/contract/error';
import { isStopping, type JobHandler } from '@/server/jobs/runner';
import type { StartTimer } from '@/server/model/stall-guard';
import type { EventBus } from '@/server/ports/event-bus';
import type { SessionWriter } from './append-events';
import { isOfTheDisk } from './owed-work';
import { recoverHere } from './recover';
import type { RunningText } from './running-text';
import type { SessionJobs } from './session-jobs';

/** How soon it is looked whether the disk takes lines again. */
const RETRY_MS = 1_000;

export interface PatientDeps {
  readonly writer: SessionWriter;
  readonly running: RunningText;
  readonly jobs: SessionJobs;
  readonly bus: EventBus;
  readonly startTimer: StartTimer;
}

/**
 * Work of a session whose lines could not be written (L8, T3, rel-S9): what it left open in the log is ended, with the
 * reason, at once or as soon as lines can be written again, and what waits is taken up then; nobody has to ask or to start
 * the server anew. That it cannot be written now is said once, however often it is tried. The job fails all the same.
 */
export function createPatientHandler(deps: PatientDeps, handler: JobHandler): JobHandler {
  const troubled = new Set<string>();
  const failures = new Map<string, number>();
  return async (job, signal) => {
    const sessionId = job.serialKey;
    try {
      await handler(job, signal);
      troubled.delete(sessionId);
      failures.delete(sessionId);
    } catch (error) {
      const left = { sessionId, signal, error };
      if (isOfTheDisk(error) || !(await isEnded(deps, left))) {
        if (!troubled.has(sessionId)) say(deps, sessionId, error);
        troubled.add(sessionId);
        await settle(deps, left);
      } else await takeUp(deps, { sessionId, failures });
      throw error;
    }
  };
}

interface Failing {
  readonly sessionId: string;
  /** Jobs of a session that failed one after the other. */
  readonly failures: Map<string, number>;
}

/** A message whose job failed before its turn began still waits and has no job: it gets another one, a few times (rel-R13). */
async function takeUp({ jobs, writer }: PatientDeps, { sessionId, failures }: Failing): Promise<void> {
  const count = (failures.get(sessionId) ?? 0) + 1;
  failures.set(sessionId, count);
  if (count > OTHER_TRIES) return;
  // Where not even this can be read, the next message wakes what waits.
  await writer.load(sessionId).then(
    ({ session }) => jobs.wakeQueue(session),
    () => undefined,
  );
}

function say({ bus }: PatientDeps, sessionId: string, error: unknown): void {
  const { code, message: text } = toErrorBody(error).body.error;
  const notice = { sessionId, level: 'error' as const, code, text, data: {} };
  bus.publish({ event: { event: 'chat.notice', data: notice }, sessionId, seq: null });
}

interface Left {
  readonly sessionId: string;
  readonly signal: AbortSignal;
  readonly error: unknown;
}

/** Errors that are none of the disk's are not waited out for ever. */
const OTHER_TRIES = 5;

/** Tries until it is written; a server that stops leaves it to the recovery of its next start. */
async function settle(deps: PatientDeps, left: Left): Promise<void> {
  for (let others = 0; others < OTHER_TRIES; ) {
    await new Promise<void>((resolve) => {
      deps.startTimer(RETRY_MS, resolve);
    });
    if (isStopping(left.signal)) return;
    try {
      await end(deps, left);
      deps.jobs.wakeQueue((await deps.writer.load(left.sessionId)).session);
      return;
    } catch (thrown) {
      if (!isOfTheDisk(thrown)) others += 1;
    }
  }
}

const isEnded = (deps: PatientDeps, left: Left): Promise<boolean> =>
  end(deps, left).then(
    () => true,
    () => false,
  );

function end(deps: PatientDeps, { sessionId, error }: Left): Promise<void> {
  const { code, message: text } = toErrorBody(error).body.error;
  return recoverHere(deps, { sessionId, because: { code, text } });
}
