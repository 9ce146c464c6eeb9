import type { CompactionEntry, CompactionGuards } from '@/server/contract/compactions';
import type { StoredEvent } from '@/server/contract/events/event';
import { linesOfTypes, runSteps, type TypedLine } from '@/server/core/projection/lines-of-type';
import { isKnown } from '@/server/core/projection/log-state-path';
import type { LogState, SessionState } from '@/server/core/projection/state-shape';
import {
  countDeferredCalls,
  countReply,
  foldGuards,
  type Guards,
  MOST_REFILLS,
  NO_GUARDS,
} from '@/server/core/turn/guards';

/** Attempts that were not made: model calls of a turn after a compaction of it had failed. */
export interface Deferral {
  /** The `compaction.ended` of the failure: the row's own id. */
  readonly ended: StoredEvent<'compaction.ended'>;
  readonly calls: number;
  /** The newest of those calls. */
  readonly seq: number;
  readonly at: string;
}

/** The guards of C10 over the whole life of a branch, abandoned paths too: they were paid for. */
export interface LedgerGuards {
  readonly now: Guards;
  /** By compaction, as they stood when it had ended, or stand now. */
  readonly counters: ReadonlyMap<string, CompactionEntry['counters']>;
  /** By the compaction that failed. */
  readonly deferrals: ReadonlyMap<string, Deferral>;
}

const GUARD_TYPES = ['turn.started', 'message.assistant', 'note', 'compaction.started', 'compaction.ended'] as const;

/**
 * Reads the guards of a branch: as folding each of its lines says, and reading only those of compactions and few around
 * them. A reply counts by its type alone, and of the turns between two compactions the first and the newest do.
 */
export const readLedgerGuards = (session: SessionState, log: LogState): LedgerGuards =>
  runSteps(guardSteps(session, log));

/** As `readLedgerGuards`, with a stop at each line of a compaction. */
export function* guardSteps({ branch }: SessionState, log: LogState): Generator<void, LedgerGuards> {
  const counters = new Map<string, CompactionEntry['counters']>();
  const deferrals = new Map<string, Deferral>();
  const ends = new Map<string, StoredEvent<'compaction.ended'>>();
  let now: Guards = NO_GUARDS;
  let between: TypedLine[] = [];
  const settle = () => {
    const run = foldBetween(log, now, between);
    const ended = now.deferredBy === null ? undefined : ends.get(now.deferredBy);
    const newest = run.deferred && log.bySeq.get(run.deferred.seq);
    if (ended && run.deferred && newest)
      deferrals.set(ended.compactionId, { ended, calls: run.deferred.calls, seq: newest.seq, at: newest.at });
    now = run.guards;
    between = [];
  };
  for (const line of linesOfTypes(log, branch, GUARD_TYPES)) {
    if (line.type !== 'compaction.started' && line.type !== 'compaction.ended') {
      between.push(line);
      continue;
    }
    settle();
    yield;
    const event = readLine(log, line);
    if (event?.type !== 'compaction.started' && event?.type !== 'compaction.ended') continue;
    now = foldGuards(now, event);
    if (event.type === 'compaction.ended') ends.set(event.compactionId, event);
    counters.set(event.compactionId, { failuresInARow: now.failuresInARow, refills: now.refills });
  }
  settle();
  return { now, counters, deferrals };
}

interface Between {
  readonly guards: Guards;
  /** The newest reply that was made while deferred, and how many there were by then. */
  readonly deferred: { readonly seq: number; readonly calls: number } | null;
}

/** Lines between two of compactions: all but `failuresInARow` and `trigger` begins anew with the newest turn among them. */
function foldBetween(log: LogState, before: Guards, lines: readonly TypedLine[]): Between {
  const first = before.deferredBy === null ? -1 : lines.findIndex((line) => beginsTurn(log, line));
  const newest = lines.findLastIndex((line) => beginsTurn(log, line));
  let guards = before;
  let deferred: Between['deferred'] = null;
  for (const line of before.deferredBy === null ? [] : lines.slice(0, first < 0 ? undefined : first)) {
    if (line.type !== 'message.assistant') continue;
    guards = countReply(guards);
    const calls = countDeferredCalls(guards);
    if (calls > 0) deferred = { seq: line.seq, calls };
  }
  guards = before;
  for (const line of lines.slice(Math.max(0, newest))) {
    if (line.type === 'message.assistant') guards = countReply(guards);
    else if (line.type === 'note' || line.type === 'turn.started') guards = foldLine(log, guards, line);
  }
  return { guards, deferred };
}

function foldLine(log: LogState, guards: Guards, line: TypedLine): Guards {
  const event = readLine(log, line);
  return event === null ? guards : foldGuards(guards, event);
}

/** A turn that is taken up again after an approval goes on; it begins nothing anew. */
function beginsTurn(log: LogState, line: TypedLine): boolean {
  if (line.type !== 'turn.started') return false;
  const event = readLine(log, line);
  return event?.type === 'turn.started' && event.why !== 'approval';
}

function readLine(log: LogState, { seq }: TypedLine): StoredEvent | null {
  const event = log.bySeq.get(seq);
  return event && isKnown(event) ? event : null;
}

/** What holds automatic compaction back now. A turn that has ended holds nothing back: the next message is a fresh attempt. */
export function toGuards(
  { now }: LedgerGuards,
  { session, isAuto }: { readonly session: SessionState; readonly isAuto: boolean },
): CompactionGuards {
  return {
    state: stateOf(now, { session, isAuto }),
    turnId: now.turnId,
    deferredBy: now.deferredBy,
    deferredCalls: countDeferredCalls(now),
    failuresInARow: now.failuresInARow,
    refills: now.refills,
    refillLimit: MOST_REFILLS,
    overflowUsed: now.overflowUsed,
  };
}

function stateOf(
  now: Guards,
  { session, isAuto }: { readonly session: SessionState; readonly isAuto: boolean },
): CompactionGuards['state'] {
  if (!isAuto) return 'off';
  if (session.openTurn === null) return 'ready';
  if (now.refillStopped) return 'refill_stopped';
  if (now.stopped) return 'stopped';
  return now.deferredBy === null ? 'ready' : 'deferred';
}

/** The derived row of a deferral, behind the row of the failure it comes from; no line of the log is its own. */
export function toDeferred(failed: CompactionEntry, { ended, calls, seq, at }: Deferral): CompactionEntry {
  return {
    ...failed,
    compactionId: ended.id,
    seq,
    startedAt: ended.at,
    endedAt: at,
    outcome: 'deferred',
    method: null,
    model: null,
    source: null,
    bytesBefore: null,
    bytesAfter: null,
    usage: null,
    cost: null,
    ms: 0,
    attempts: [],
    segments: [],
    preview: null,
    deferral: { after: failed.compactionId, calls },
  };
}
