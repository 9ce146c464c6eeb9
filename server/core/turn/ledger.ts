import type { StoredEvent } from '@/server/contract/events/event';
import type { SessionState } from '@/server/core/projection/state-shape';

/** What earlier compactions of this turn allow now; derived, no line says it (`contract.md` 6, C10). */
export interface TurnLedger {
  /** An automatic one ended failed or rejected: threshold-triggered attempts wait for the next turn. */
  readonly deferred: boolean;
  /** The one recovery from a real overflow was spent. */
  readonly overflowUsed: boolean;
  /** Three refills in a row ended automatic compaction for this turn. */
  readonly refillStopped: boolean;
}

/** Since the last `turn.started`, resumed approvals aside: a new message or `/compact` gets a fresh attempt. */
export function readTurnLedger(state: SessionState): TurnLedger {
  const since = turnStart(state);
  const triggers = new Map<string, string>();
  let deferred = false;
  let overflowUsed = false;
  for (const event of state.compactions) {
    if (event.type === 'compaction.started') {
      triggers.set(event.compactionId, event.trigger);
      if (event.seq > since && event.trigger === 'overflow') overflowUsed = true;
    }
    if (event.type !== 'compaction.ended' || event.seq < since) continue;
    const isAutomatic = triggers.get(event.compactionId) === 'auto';
    if (isAutomatic && (event.outcome === 'failed' || event.outcome === 'rejected')) deferred = true;
  }
  const refillStopped = state.path.some(
    (event) => !('unknown' in event) && event.type === 'note' && event.kind === 'refill_stop' && event.seq > since,
  );
  return { deferred, overflowUsed, refillStopped };
}

/** `seq` of the line that began the running turn; 0 when there is none. */
function turnStart(state: SessionState): number {
  const started = state.path.findLast(
    (event): event is StoredEvent<'turn.started'> =>
      !('unknown' in event) && event.type === 'turn.started' && event.why !== 'approval',
  );
  return started?.seq ?? 0;
}
