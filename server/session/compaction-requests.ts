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
}

export function createCompactionRequests(): CompactionRequests {
  const requests = new Map<string, string>();
  const attempts = new Map<string, ChatCompacting>();
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
  };
}
