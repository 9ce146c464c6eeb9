/** A unit of background work. Jobs that share a serial key never run beside each other. */
export interface Job {
  readonly id: string;
  readonly kind: string;
  readonly serialKey: string;
  /** Lower runs first. */
  readonly priority: number;
  readonly state: 'queued' | 'running' | 'done' | 'failed' | 'abandoned';
  readonly payload: unknown;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** Error code of a failed job. */
  readonly code: string | null;
}

/** Somebody pressed it and is watching, or not. */
export const PRIORITY = { realtime: 0, normal: 10 } as const;

export interface NewJob {
  readonly id: string;
  readonly kind: string;
  readonly serialKey: string;
  readonly priority: number;
  readonly payload: unknown;
  readonly now: number;
  /** Where a job of this kind and key is queued or running already, that one is answered instead. */
  readonly single?: boolean;
  /** A job that is not answered so: its work is over, though it is not ended here yet. */
  readonly except?: string | null;
}

/**
 * Where jobs wait. `claim` hands out the queued job with the lowest priority, oldest first, whose serial key has
 * none running, and leases it; a lease that ran out is claimed anew. All times are ms since the epoch.
 */
export interface JobStore {
  enqueue(job: NewJob): { readonly job: Job; readonly existed: boolean };
  claim(owner: string, now: number, leaseMs: number): Job | null;
  extend(jobId: string, owner: string, leaseUntil: number): boolean;
  end(jobId: string, owner: string, outcome: 'done' | 'failed', now: number, code?: string): void;
  /** Takes a queued job out; false where it had started. */
  withdraw(jobId: string, now: number): boolean;
  /** At start, under the directory's lock: what an earlier process left running is abandoned, never rerun blindly. */
  abandonRunning(now: number): readonly Job[];
  pending(serialKey: string): readonly Job[];
  list(state: Job['state'] | null, limit: number): readonly Job[];
}
