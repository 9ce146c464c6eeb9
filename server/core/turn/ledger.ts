import type { StoredEvent } from '@/server/contract/events/event';
import { isKnown } from '@/server/core/projection/log-state-path';
import type { SessionState } from '@/server/core/projection/state-shape';
import { foldGuards, type Guards, NO_GUARDS } from './guards';

/** What earlier compactions of this turn allow now; derived, no line says it (`contract.md` 6, C10). */
export interface TurnLedger extends Guards {
  /** An automatic one ended failed or rejected: threshold-triggered attempts wait for the next turn. */
  readonly deferred: boolean;
}

/**
 * The guards of the running turn, since its `turn.started`, resumed approvals aside: a new message or `/compact` gets a
 * fresh attempt. `failuresInARow` is counted in this turn alone here; the ledger counts it over all (`toLedger`).
 */
export function readTurnLedger(state: SessionState): TurnLedger {
  const since = turnStart(state);
  const lines = [...newerThan(state.path, since), ...newerThan(state.compactions, since)];
  const guards = lines.sort((a, b) => a.seq - b.seq).reduce(foldGuards, NO_GUARDS);
  return { ...guards, deferred: guards.deferredBy !== null };
}

function newerThan(lines: SessionState['path'], since: number): StoredEvent[] {
  const newer: StoredEvent[] = [];
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const event = lines[at];
    if (event === undefined || event.seq < since) break;
    if (isKnown(event)) newer.push(event);
  }
  return newer;
}

/** `seq` of the line that began the running turn; 0 when there is none. */
function turnStart(state: SessionState): number {
  const started = state.path.findLast(
    (event): event is StoredEvent<'turn.started'> =>
      !('unknown' in event) && event.type === 'turn.started' && event.why !== 'approval',
  );
  return started?.seq ?? 0;
}
