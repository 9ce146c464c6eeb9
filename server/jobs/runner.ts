import type { Clock, Ids } from '@/server/ports/clock';
import type { Job, JobStore } from '@/server/ports/job-store';

/** Does one job. `signal` aborts when a person stops it or the server stops; it must then return soon. */
export type JobHandler = (job: Job, signal: AbortSignal) => Promise<void>;

const STOPPING = 'the server is stopping';
const RETRY_MS = 500;

/** True where work was aborted because the server stops, not because a person stopped it. */
export function isStopping(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason === STOPPING;
}

export interface RunnerOptions {
  readonly store: JobStore;
  readonly handlers: Readonly<Record<string, JobHandler>>;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Jobs at once over all serial keys. */
  readonly concurrency: number;
  /** A job whose lease is not renewed for this long may be claimed anew. */
  readonly leaseMs: number;
  /** Told of a handler that threw; it gets the code only, never a provider's words. */
  readonly onFailure: (job: Job, error: unknown) => void;
  readonly codeOf: (error: unknown) => string;
  /** How soon what the store refused, on a full disk say, is tried again (rel-S9). */
  readonly retryMs?: number;
}

export interface JobRunner {
  start(): void;
  /** Looks for work now; called after every enqueue. */
  wake(): void;
  /** Aborts what runs under this serial key, of one kind or any; true where something ran. */
  cancel(serialKey: string, kind?: string): boolean;
  /** No new work, everything running aborted; resolves when the handlers returned or the time is over. */
  stop(graceMs: number): Promise<void>;
}

interface Running {
  readonly job: Job;
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

/**
 * The one runner of background work. Serial keys are kept by the store's claim; this loop only takes what it
 * is handed, renews leases and reports ends. It never polls: an enqueue or an end wakes it.
 */
export function createJobRunner(options: RunnerOptions): JobRunner {
  const owner = options.ids.next();
  const active = new Map<string, Running>();
  let accepting = false;
  /** Ends that the store has not taken: until it has, nothing else can run under those keys. */
  const unsaved = new Map<string, () => void>();
  let renewal: ReturnType<typeof setInterval> | null = null;
  let retry: ReturnType<typeof setTimeout> | null = null;

  const wake = () => {
    try {
      for (const [id, save] of unsaved) {
        save();
        unsaved.delete(id);
      }
      while (accepting && active.size < options.concurrency) {
        const job = options.store.claim(owner, options.clock.now(), options.leaseMs);
        if (!job) return;
        launch(job);
      }
    } catch {
      // A store that takes nothing now takes it later: no job may wait for somebody to ask for another one.
      wakeLater();
    }
  };

  const wakeLater = () => {
    retry ??= setTimeout(() => {
      retry = null;
      wake();
    }, options.retryMs ?? RETRY_MS).unref();
  };

  const launch = (job: Job) => {
    const abort = new AbortController();
    const done = perform(job, abort.signal).then((save) => {
      active.delete(job.id);
      unsaved.set(job.id, save);
      wake();
    });
    active.set(job.id, { job, abort, done });
  };

  /** Never rejects; gives what writes its end down. */
  const perform = async (job: Job, signal: AbortSignal): Promise<() => void> => {
    try {
      const handler = options.handlers[job.kind];
      if (!handler) throw new Error(`no handler for jobs of kind ${job.kind}`);
      await handler(job, signal);
      return () => options.store.end(job.id, owner, 'done', options.clock.now());
    } catch (error) {
      options.onFailure(job, error);
      return () => options.store.end(job.id, owner, 'failed', options.clock.now(), options.codeOf(error));
    }
  };

  const renew = () => {
    const until = options.clock.now() + options.leaseMs;
    try {
      for (const { job } of active.values()) options.store.extend(job.id, owner, until);
    } catch {
      // Nobody else holds this directory (L7), so a lease that runs out is taken by nobody; the next tick tries again.
    }
  };

  const underKey = (serialKey: string) => [...active.values()].filter(({ job }) => job.serialKey === serialKey);

  return {
    start: () => {
      accepting = true;
      renewal ??= setInterval(renew, Math.max(100, options.leaseMs / 3));
      renewal.unref();
      wake();
    },
    wake,
    cancel: (serialKey, kind) => {
      const found = underKey(serialKey).filter(({ job }) => kind === undefined || job.kind === kind);
      for (const { abort } of found) abort.abort();
      return found.length > 0;
    },
    stop: async (graceMs) => {
      accepting = false;
      if (renewal) clearInterval(renewal);
      if (retry) clearTimeout(retry);
      renewal = null;
      retry = null;
      const all = [...active.values()];
      for (const { abort } of all) abort.abort(STOPPING);
      await Promise.race([Promise.all(all.map(({ done }) => done)), delay(graceMs)]);
    },
  };
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
