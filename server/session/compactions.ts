import { setImmediate } from 'node:timers/promises';
import type { Compact, CompactAnswer, CompactionsAnswer } from '@/server/contract/compactions';
import { AppError } from '@/server/contract/error';
import { ledgerSteps } from '@/server/core/compaction/ledger';
import { findSegment, type NamedSegment } from '@/server/core/map-reduce/progress';
import type { SessionState } from '@/server/core/projection/state-shape';
import { cancelParked } from '@/server/core/turn/recover';
import type { Ids } from '@/server/ports/clock';
import type { EventBus } from '@/server/ports/event-bus';
import type { SessionWriter } from './append-events';
import type { CompactionRequests } from './compaction-requests';
import type { DiskRoom } from './disk-room';
import { type ContextDeps, readContext, viewNow } from './session-context';
import { COMPACT_JOB, type CompactPayload, type SessionJobs, TURN_JOB } from './session-jobs';

export interface CompactionsDeps extends ContextDeps {
  readonly writer: SessionWriter;
  readonly jobs: SessionJobs;
  readonly requests: CompactionRequests;
  readonly bus: EventBus;
  readonly ids: Ids;
  readonly room: DiskRoom;
}

/** Tells whoever watches that a compaction came to its end before it could begin (P7). */
export function tellUnstarted(
  { bus, ids }: { readonly bus: EventBus; readonly ids: Ids },
  ended: { readonly sessionId: string; readonly outcome: 'cancelled' | 'failed'; readonly reason: string },
): void {
  const data = { ...ended, compactionId: ids.next(), bytesBefore: null, bytesAfter: null };
  bus.publish({ event: { event: 'chat.compacted', data }, sessionId: ended.sessionId, seq: null });
}

/** Asking for a compaction, the ledger of all of them, and stopping what runs (P5, X3, C11). */
export interface CompactionsUse {
  /** Queued under the session's own key at realtime priority; writes nothing into a message. */
  request(sessionId: string, request: Compact, by: string): Promise<CompactAnswer>;
  ledger(sessionId: string): Promise<CompactionsAnswer>;
  /**
   * Goes on with a summary in segments: one that failed is asked for again, the notes of one that is done are written anew
   * (X6). Throws `not_found` where that compaction has no such segment.
   */
  retrySegment(which: SegmentName, by: string): Promise<CompactAnswer>;
  /** Throws `nothing_to_do` where nothing of that kind runs or waits. */
  cancel(sessionId: string, what?: 'turn' | 'compaction'): Promise<void>;
}

export interface SegmentName {
  readonly sessionId: string;
  readonly compactionId: string;
  /** Its number, as a path has it. */
  readonly segment: string;
}

/** Compactions over the writer and the jobs. */
export function createCompactions(deps: CompactionsDeps): CompactionsUse {
  const { writer, jobs } = deps;
  return {
    request: async (sessionId, request, by) => {
      const { session } = await writer.load(sessionId);
      if (request.preview)
        throw new AppError('invalid_request', 'A preview before the commit cannot be asked for yet.');
      deps.room.refuse('A summary');
      const { numbers, view } = viewNow(readContext(deps, session), session);
      if (numbers.floorTooLarge) {
        const parts = [...view.floorParts].sort((a, b) => b.bytes - a.bytes);
        const [largest] = parts;
        const text = `The fixed part of the prompt takes ${numbers.floorBytes} of ${numbers.budgetBytes} bytes; most of it is ${largest?.part}.`;
        throw new AppError('floor_too_large', text, { details: { parts } });
      }
      const { preview: _later, ...payload } = request;
      return enqueue(deps, session, { ...payload, by });
    },
    ledger: async (sessionId) => {
      const { session, log } = await writer.load(sessionId);
      return readInSteps(ledgerSteps(session, log, { isAuto: deps.settings.current().compaction.auto }));
    },
    retrySegment: async ({ sessionId, compactionId, segment }, by) => {
      const { session } = await writer.load(sessionId);
      const named = findSegment(session.compactions, compactionId, Number(segment));
      if (named === null) throw new AppError('not_found', 'There is no such segment.');
      return enqueue(deps, session, { ...toSameWish(session, compactionId), ...toRewrite(named), by });
    },
    cancel: async (sessionId, what) => {
      const { session } = await writer.load(sessionId);
      const withdrawn = what === 'turn' ? [] : jobs.withdrawCompactions(sessionId);
      // Never begun, so no line of the log tells of it: without a word the row drawn from the click would turn for ever.
      for (const _ of withdrawn) tellUnstarted(deps, { sessionId, outcome: 'cancelled', reason: 'cancelled' });
      const wasParked = session.parked !== null && what !== 'compaction' && (await stopParked(deps, sessionId));
      const stopped = wasParked || stopRunning(deps, sessionId, what);
      if (!stopped && withdrawn.length === 0)
        throw new AppError('nothing_to_do', 'Nothing runs here that could be stopped.');
    },
  };
}

/** Steps between two stops at which others get their turn. */
const STEPS_AT_ONCE = 4;

async function readInSteps<T>(steps: Generator<void, T>): Promise<T> {
  for (let count = 1; ; count += 1) {
    const step = steps.next();
    if (step.done) return step.value;
    if (count % STEPS_AT_ONCE === 0) await setImmediate();
  }
}

/**
 * One that has told its end is joined by nobody, though its job is not over yet: no word would follow (`contract.md` 14).
 * The new one waits behind it under the same key.
 */
function enqueue(
  { jobs, requests }: CompactionsDeps,
  { branch, compactions }: SessionState,
  payload: CompactPayload,
): CompactAnswer {
  const running = jobs.pending(branch).find(({ kind, state }) => kind === COMPACT_JOB && state === 'running');
  const except = running !== undefined && requests.hasTold(running.id, compactions) ? running.id : null;
  return { jobId: jobs.enqueueCompaction({ sessionId: branch, payload, except }).id };
}

/** As the compaction was asked for whose segment it is. Throws `conflict` where its summary stands already. */
function toSameWish({ compactions }: SessionState, compactionId: string): Pick<CompactPayload, 'focus' | 'keepTail'> {
  const own = compactions.filter((event) => 'compactionId' in event && event.compactionId === compactionId);
  if (own.some((event) => event.type === 'compaction.ended' && event.outcome === 'committed'))
    throw new AppError('conflict', 'This summary stands; its segments are not read again.');
  const started = own.find((event) => event.type === 'compaction.started');
  if (started?.type !== 'compaction.started') return {};
  const focus = started.focus === null ? {} : { focus: started.focus };
  return { ...focus, keepTail: started.trigger !== 'manual' };
}

const toRewrite = ({ state, fingerprint }: NamedSegment) => (state === 'done' ? { rewrite: fingerprint } : {});

function stopRunning({ jobs, requests }: CompactionsDeps, sessionId: string, what?: 'turn' | 'compaction'): boolean {
  if (what === 'compaction') return requests.stop(sessionId) || jobs.cancel(sessionId, COMPACT_JOB);
  return jobs.cancel(sessionId, what === 'turn' ? TURN_JOB : undefined);
}

/**
 * A parked turn has no job that could be stopped: it is ended here, and what waited behind it goes on (`contract.md` 14).
 * One that is being taken up again has one, which ends it.
 */
async function stopParked({ writer, jobs }: CompactionsDeps, sessionId: string): Promise<boolean> {
  const wasParked = await writer.append(sessionId, ({ session }) => {
    const events = jobs.isResuming(sessionId) ? [] : cancelParked(session);
    return { events, result: events.length > 0 };
  });
  if (wasParked) jobs.wakeQueue((await writer.load(sessionId)).session);
  return wasParked;
}
