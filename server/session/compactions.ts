import type { Compact, CompactAnswer, CompactionsAnswer } from '@/server/contract/compactions';
import { AppError } from '@/server/contract/error';
import { toLedger } from '@/server/core/compaction/ledger';
import type { SessionWriter } from './append-events';
import type { CompactionRequests } from './compaction-requests';
import { type ContextDeps, readContext, viewNow } from './session-context';
import { COMPACT_JOB, type SessionJobs, TURN_JOB } from './session-jobs';

export interface CompactionsDeps extends ContextDeps {
  readonly writer: SessionWriter;
  readonly jobs: SessionJobs;
  readonly requests: CompactionRequests;
}

/** Asking for a compaction, the ledger of all of them, and stopping what runs (P5, X3, C11). */
export interface CompactionsUse {
  /** Queued under the session's own key at realtime priority; writes nothing into a message. */
  request(sessionId: string, request: Compact, by: string): Promise<CompactAnswer>;
  ledger(sessionId: string): Promise<CompactionsAnswer>;
  /** Throws `nothing_to_do` where nothing of that kind runs or waits. */
  cancel(sessionId: string, what?: 'turn' | 'compaction'): Promise<void>;
}

export function createCompactions(deps: CompactionsDeps): CompactionsUse {
  const { writer, jobs } = deps;
  return {
    request: async (sessionId, request, by) => {
      const { session } = await writer.load(sessionId);
      if (request.preview)
        throw new AppError('invalid_request', 'A preview before the commit cannot be asked for yet.');
      const { numbers, view } = viewNow(readContext(deps, session), session);
      if (numbers.floorTooLarge) {
        const parts = [...view.floorParts].sort((a, b) => b.bytes - a.bytes);
        const [largest] = parts;
        const text = `The fixed part of the prompt takes ${numbers.floorBytes} of ${numbers.budgetBytes} bytes; most of it is ${largest?.part}.`;
        throw new AppError('floor_too_large', text, { details: { parts } });
      }
      const { preview: _later, ...payload } = request;
      const job = jobs.enqueueCompaction(sessionId, { ...payload, by });
      return { jobId: job.id };
    },
    ledger: async (sessionId) => {
      const { session, log } = await writer.load(sessionId);
      return { compactions: [...toLedger(session, log)] };
    },
    cancel: async (sessionId, what) => {
      await writer.load(sessionId);
      const stopped =
        what === 'compaction'
          ? deps.requests.stop(sessionId) || jobs.cancel(sessionId, COMPACT_JOB)
          : jobs.cancel(sessionId, what === 'turn' ? TURN_JOB : undefined);
      if (!stopped) throw new AppError('nothing_to_do', 'Nothing runs here that could be stopped.');
    },
  };
}
