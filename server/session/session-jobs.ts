import { z } from 'zod';
import { idSchema } from '@/server/contract/ids';
import type { SessionState } from '@/server/core/projection/state-shape';
import { isDecided } from '@/server/core/turn/approvals';
import type { JobRunner } from '@/server/jobs/runner';
import type { Clock, Ids } from '@/server/ports/clock';
import { type Job, type JobStore, type NewJob, PRIORITY } from '@/server/ports/job-store';

/** Jobs of sessions. All of one session share one serial key, its id, so no two ever overlap (P5). */
export const TURN_JOB = 'session.turn';
export const COMPACT_JOB = 'session.compact';

/**
 * Without `turnId` the next waiting message is answered; with it the path is gone on with, or, with `resume`, the parked
 * turn of that id.
 */
export const turnPayloadSchema = z.strictObject({ turnId: idSchema.optional(), resume: z.boolean().optional() });

export const compactPayloadSchema = z.strictObject({
  focus: z.string().optional(),
  upToItemId: idSchema.optional(),
  keepTail: z.boolean().optional(),
  clientRequestId: z.string().optional(),
  /** Fingerprint of a segment whose notes are to be written anew (X6). */
  rewrite: z.string().optional(),
  by: z.string(),
});

export type CompactPayload = z.infer<typeof compactPayloadSchema>;

export interface SessionJobs {
  enqueueTurn(sessionId: string, payload?: z.infer<typeof turnPayloadSchema>): Job;
  /** While one is queued or runs, that one is answered (`contract.md` 14), but for `except`, which has told its end. */
  enqueueCompaction(wanted: WantedCompaction): Job;
  /**
   * A turn job for every message that waits and has none; for a parked turn the one that resumes it, where a person has
   * decided. One too many does no harm: it finds nothing to do.
   */
  wakeQueue(session: SessionState): void;
  /** Jobs for all waiting messages but the first `taken`, which a job has in hand. */
  fillQueue(session: SessionState, taken: number): void;
  isBusy(sessionId: string): boolean;
  /** The job that takes up a parked turn runs now. */
  isResuming(sessionId: string): boolean;
  pending(sessionId: string): readonly Job[];
  /** Stops what runs; false where nothing did. */
  cancel(sessionId: string, kind?: string): boolean;
  /** Takes compactions back that have not begun; gives them. */
  withdrawCompactions(sessionId: string): readonly Job[];
}

export interface WantedCompaction {
  readonly sessionId: string;
  readonly payload: CompactPayload;
  readonly except: string | null;
}

export interface SessionJobsDeps {
  readonly store: JobStore;
  readonly runner: () => JobRunner;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Jobs of sessions over the store; each new one wakes the runner. */
export function createSessionJobs({ store, runner, clock, ids }: SessionJobsDeps): SessionJobs {
  const enqueue = (job: Omit<NewJob, 'id' | 'now'>) => {
    const { job: stored } = store.enqueue({ ...job, id: ids.next(), now: clock.now() });
    runner().wake();
    return stored;
  };
  const enqueueTurn: SessionJobs['enqueueTurn'] = (sessionId, payload = {}) =>
    enqueue({ kind: TURN_JOB, serialKey: sessionId, priority: PRIORITY.normal, payload });
  const fillQueue: SessionJobs['fillQueue'] = ({ branch, queue }, taken) => {
    const turns = store.pending(branch).filter((job) => job.kind === TURN_JOB && job.state === 'queued');
    for (let missing = queue.length - taken - turns.length; missing > 0; missing -= 1) enqueueTurn(branch);
  };
  return {
    enqueueTurn,
    wakeQueue: (session) => {
      const { branch, parked } = session;
      if (session.deleted) return;
      if (parked !== null) {
        const { turnId, waiting } = parked;
        if (waiting.some((callId) => isDecided(session, callId))) enqueueTurn(branch, { turnId, resume: true });
        return;
      }
      fillQueue(session, 0);
    },
    fillQueue,
    enqueueCompaction: ({ sessionId, ...wanted }) =>
      enqueue({ kind: COMPACT_JOB, serialKey: sessionId, priority: PRIORITY.realtime, single: true, ...wanted }),
    isBusy: (sessionId) => store.pending(sessionId).length > 0,
    isResuming: (sessionId) =>
      store
        .pending(sessionId)
        .some(
          ({ kind, state, payload }) =>
            kind === TURN_JOB && state === 'running' && turnPayloadSchema.parse(payload).resume === true,
        ),
    pending: (sessionId) => store.pending(sessionId),
    cancel: (sessionId, kind) => runner().cancel(sessionId, kind),
    withdrawCompactions: (sessionId) =>
      store
        .pending(sessionId)
        .filter((job) => job.state === 'queued' && job.kind === COMPACT_JOB)
        .filter((job) => store.withdraw(job.id, clock.now())),
  };
}
