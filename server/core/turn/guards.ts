import type { StoredEvent } from '@/server/contract/events/event';

/** Three in a row end automatic compaction for the turn (C10). */
export const MOST_REFILLS = 3;
/** A commit followed by the trigger again within so many model calls is a refill. */
export const REFILL_CALLS = 2;

/**
 * The counters of C10, folded over the lines of a branch in file order. Nothing of them is stored: after a restart, and
 * where a parked turn is taken up again, they are what the lines say (`contract.md` 6).
 */
export interface Guards {
  /** The newest turn; what follows but `failuresInARow` begins anew with each, resumed approvals aside. */
  readonly turnId: string | null;
  /** The first automatic compaction of the turn that ended failed or rejected. */
  readonly deferredBy: string | null;
  /** Replies since then. The first is the call that it was made for. */
  readonly repliesSinceFailure: number;
  /** A compaction of this turn for a real overflow began: the one recovery is used. */
  readonly overflowUsed: boolean;
  readonly refillStopped: boolean;
  /** A person stopped a compaction of this turn that nobody asked for. */
  readonly stopped: boolean;
  readonly refills: number;
  /** Replies since an automatic commit of this turn; null: none yet. */
  readonly repliesSinceCommit: number | null;
  /** Compactions nobody asked for that wrote nothing, in a row, over turns; 0 after any commit. */
  readonly failuresInARow: number;
  /** What the compaction under way, or the newest one, was for. */
  readonly trigger: StoredEvent<'compaction.started'>['trigger'] | null;
}

const FRESH_TURN = {
  deferredBy: null,
  repliesSinceFailure: 0,
  overflowUsed: false,
  refillStopped: false,
  stopped: false,
  refills: 0,
  repliesSinceCommit: null,
} as const;

/** Before the first line. */
export const NO_GUARDS: Guards = { turnId: null, ...FRESH_TURN, failuresInARow: 0, trigger: null };

/** The counters after one more line; lines that say nothing of them change nothing. */
export function foldGuards(guards: Guards, event: StoredEvent): Guards {
  switch (event.type) {
    case 'turn.started':
      return event.why === 'approval' ? guards : { ...guards, ...FRESH_TURN, turnId: event.turnId };
    case 'message.assistant':
      return countReply(guards);
    case 'note':
      return event.kind === 'refill_stop' ? { ...guards, refillStopped: true, refills: MOST_REFILLS } : guards;
    case 'compaction.started':
      return begin(guards, event);
    case 'compaction.ended':
      return end(guards, event);
    default:
      return guards;
  }
}

/** The counters after one more reply, whatever it says. */
export function countReply(guards: Guards): Guards {
  const { deferredBy, repliesSinceFailure, repliesSinceCommit } = guards;
  return {
    ...guards,
    repliesSinceFailure: deferredBy === null ? 0 : repliesSinceFailure + 1,
    repliesSinceCommit: repliesSinceCommit === null ? null : repliesSinceCommit + 1,
  };
}

function begin(guards: Guards, { trigger }: StoredEvent<'compaction.started'>): Guards {
  if (trigger === 'overflow') return { ...guards, trigger, overflowUsed: true };
  if (trigger === 'manual') return { ...guards, trigger };
  return { ...guards, trigger, refills: isRefill(guards.repliesSinceCommit) ? guards.refills + 1 : 0 };
}

/** Whether the trigger, met again after so many replies since the last commit, is a refill. */
export function isRefill(repliesSinceCommit: number | null): boolean {
  return repliesSinceCommit !== null && repliesSinceCommit <= REFILL_CALLS;
}

function end(guards: Guards, { compactionId, outcome, reason }: StoredEvent<'compaction.ended'>): Guards {
  const isAutomatic = guards.trigger === 'auto';
  switch (outcome) {
    case 'committed':
      return { ...guards, failuresInARow: 0, repliesSinceCommit: isAutomatic ? 0 : guards.repliesSinceCommit };
    case 'cancelled':
      return guards.trigger === 'manual' ? guards : { ...guards, stopped: true };
    case 'failed':
    case 'rejected': {
      const deferredBy = isAutomatic ? (guards.deferredBy ?? compactionId) : guards.deferredBy;
      // A server that went down says nothing of the summariser.
      const counts = guards.trigger !== 'manual' && reason !== 'interrupted';
      return { ...guards, deferredBy, failuresInARow: guards.failuresInARow + (counts ? 1 : 0) };
    }
    default:
      return guards;
  }
}

/** Model calls of the turn that were made while automatic compaction was deferred, the one of the failure aside. */
export function countDeferredCalls({ repliesSinceFailure }: Pick<Guards, 'repliesSinceFailure'>): number {
  return Math.max(0, repliesSinceFailure - 1);
}
