import { AppError } from '@/server/contract/error';
import type { StartTimer } from '@/server/model/stall-guard';

/** How soon work that could not be asked for is asked for again. */
const RETRY_MS = 500;

/**
 * Jobs that durable lines ask for and that the job store would not take, because the disk is full say. What was promised
 * rests on the log, so the answer stands; the job is made as soon as there is room (rel-S9).
 */
export interface OwedWork {
  /** Asks for a job; where the store refuses, `wake` is called for the session until it no longer throws. */
  ask(sessionId: string, enqueue: () => unknown): void;
}

export interface OwedWorkDeps {
  readonly startTimer: StartTimer;
  /** Makes whatever jobs the session's log asks for. */
  readonly wake: (sessionId: string) => Promise<void>;
}

/** Nothing is owed at first; after a restart recovery finds in the logs what was. */
export function createOwedWork({ startTimer, wake }: OwedWorkDeps): OwedWork {
  const owed = new Set<string>();
  let waiting = false;
  const retryLater = () => {
    if (waiting || owed.size === 0) return;
    waiting = true;
    startTimer(RETRY_MS, () => void retry());
  };
  const retry = async () => {
    for (const sessionId of [...owed]) {
      try {
        await wake(sessionId);
        owed.delete(sessionId);
      } catch (thrown) {
        // Deleted meanwhile: then nothing is owed any more.
        if (!isOfTheDisk(thrown)) owed.delete(sessionId);
      }
    }
    waiting = false;
    retryLater();
  };
  return {
    ask: (sessionId, enqueue) => {
      try {
        enqueue();
      } catch (thrown) {
        if (!isOfTheDisk(thrown)) throw thrown;
        owed.add(sessionId);
        retryLater();
      }
    },
  };
}

/** The disk did not take it, for want of room or for another reason of its own. */
export function isOfTheDisk(thrown: unknown): boolean {
  return thrown instanceof AppError && (thrown.code === 'storage_full' || thrown.code === 'storage_failed');
}
