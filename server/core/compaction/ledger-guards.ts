import type { CompactionEntry, CompactionGuards } from '@/server/contract/compactions';
import type { StoredEvent } from '@/server/contract/events/event';
import { stateLinesOf } from '@/server/core/projection/log-state-path';
import type { LogState, SessionState } from '@/server/core/projection/state-shape';
import { countDeferredCalls, foldGuards, type Guards, MOST_REFILLS, NO_GUARDS } from '@/server/core/turn/guards';

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

/** Reads the guards from the lines of a branch, oldest first. */
export function readLedgerGuards(session: SessionState, log: LogState): LedgerGuards {
  const branch = log.branches.get(session.branch);
  const counters = new Map<string, CompactionEntry['counters']>();
  const deferrals = new Map<string, Deferral>();
  const ends = new Map<string, StoredEvent<'compaction.ended'>>();
  let now: Guards = NO_GUARDS;
  for (const event of branch === undefined ? [] : stateLinesOf(log, branch)) {
    now = foldGuards(now, event);
    if (event.type === 'compaction.ended') ends.set(event.compactionId, event);
    if (event.type === 'compaction.started' || event.type === 'compaction.ended') {
      counters.set(event.compactionId, { failuresInARow: now.failuresInARow, refills: now.refills });
    }
    const calls = event.type === 'message.assistant' ? countDeferredCalls(now) : 0;
    const ended = calls === 0 || now.deferredBy === null ? undefined : ends.get(now.deferredBy);
    if (ended) deferrals.set(ended.compactionId, { ended, calls, seq: event.seq, at: event.at });
  }
  return { now, counters, deferrals };
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
