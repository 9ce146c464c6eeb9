import type { StoredEvent } from '@/server/contract/events/event';
import type { ChatCompacting } from '@/server/contract/stream';

/** Compactions remembered at once; older ones have long been drawn from the log. */
const KEPT = 500;

/**
 * What no log says about a compaction that runs: the request that asked for it, so that the row drawn from the click
 * becomes this one, and where it stands in its chain of models, for a tab that opens meanwhile.
 */
export interface CompactionRequests {
  remember(compactionId: string, clientRequestId: string): void;
  requestOf(compactionId: string): string | null;
  attempt(compactionId: string, data: ChatCompacting): void;
  newestAttempt(compactionId: string): ChatCompacting | null;
  /** A signal that fires with the given one, or when this session's compaction alone is stopped (C11). */
  begin(begun: BegunCompaction, signal: AbortSignal): { readonly signal: AbortSignal; end(): void };
  /** This job told its end without a line: nothing could start. */
  endUnstarted(jobId: string): void;
  /** Whether the compaction of a job has told its end, by the compaction lines of its branch. */
  hasTold(jobId: string, lines: readonly StoredEvent[]): boolean;
  /** Stops the compaction that runs; the turn it belongs to goes on. False where none does. */
  stop(sessionId: string): boolean;
}

export interface BegunCompaction {
  readonly sessionId: string;
  readonly compactionId: string;
  /** Null: a turn's own, which has no job. */
  readonly jobId: string | null;
}

/** Kept in memory: after a restart no compaction runs any more. */
export function createCompactionRequests(): CompactionRequests {
  const requests = new Map<string, string>();
  const attempts = new Map<string, ChatCompacting>();
  const running = new Map<string, AbortController>();
  /** Job → its compaction; null: it ended before one began. */
  const jobs = new Map<string, string | null>();
  const bound = (map: Map<string, unknown>) => {
    for (const oldest of map.keys()) {
      if (map.size <= KEPT) return;
      map.delete(oldest);
    }
  };
  return {
    remember: (compactionId, clientRequestId) => {
      requests.set(compactionId, clientRequestId);
      bound(requests);
    },
    requestOf: (compactionId) => requests.get(compactionId) ?? null,
    attempt: (compactionId, data) => {
      attempts.set(compactionId, data);
      bound(attempts);
    },
    newestAttempt: (compactionId) => attempts.get(compactionId) ?? null,
    begin: ({ sessionId, compactionId, jobId }, signal) => {
      const own = new AbortController();
      if (jobId !== null) jobs.set(jobId, compactionId);
      bound(jobs);
      running.set(sessionId, own);
      return { signal: AbortSignal.any([signal, own.signal]), end: () => running.delete(sessionId) };
    },
    endUnstarted: (jobId) => {
      jobs.set(jobId, null);
      bound(jobs);
    },
    hasTold: (jobId, lines) => {
      const own = jobs.get(jobId);
      if (own === undefined || own === null) return own === null;
      return lines.some((line) => line.type === 'compaction.ended' && line.compactionId === own);
    },
    stop: (sessionId) => {
      running.get(sessionId)?.abort();
      return running.has(sessionId);
    },
  };
}
