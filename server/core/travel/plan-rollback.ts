import type { StoredEvent } from '@/server/contract/events/event';
import { isKnown, standInFor } from '@/server/core/projection/log-state-path';
import type { LogState, SessionState } from '@/server/core/projection/state-shape';
import { plan, refuse, refuseWhileRunning, type TravelPlan } from './travel-plan';

/** What a rollback would undo, and where the head would then stand; `to` null: the head stays, only the summary goes. */
export type Undoable =
  | { readonly what: 'revert'; readonly event: StoredEvent<'head.reverted'>; readonly to: number }
  | { readonly what: 'compaction'; readonly event: StoredEvent<'checkpoint.committed'>; readonly to: number | null };

/**
 * The newest of: a revert of this branch not yet undone; a checkpoint on the path not yet reverted (`contract.md` 2). Null:
 * there is nothing to undo.
 */
export function findUndoable(log: LogState, state: SessionState): Undoable | null {
  const reverted = findRevert(log, state);
  const committed = state.checkpoint?.event ?? null;
  if (reverted && (committed === null || reverted.event.seq > committed.seq)) return reverted;
  return committed && { what: 'compaction', event: committed, to: findExactHead(log, state, committed) };
}

/**
 * Whether the path went on since a revert, by a message, a plan by hand or a summary taken back: undoing the revert would then
 * leave that too (decision 037). Ends of turns and notes are nothing to leave.
 */
export function hasGoneOnSince({ path }: SessionState, { what, event }: Undoable): boolean {
  return (
    what === 'revert' && path.some((line) => line.seq > event.seq && !(isKnown(line) && LEFT_BEHIND.has(line.type)))
  );
}

/**
 * Undoes the newest revert or compaction (L4): the exact prior head where nothing came after it; a compaction followed by
 * later items, a plan or a mark is undone without losing them. Repeating goes further back.
 */
export function planRollback(log: LogState, state: SessionState, by: string): TravelPlan {
  const busy = refuseWhileRunning(state);
  if (busy) return busy;
  const undoable = findUndoable(log, state);
  if (undoable === null)
    return refuse('conflict', 'There is nothing to undo: you did not go back, and no summary is in force.');
  const { event, to } = undoable;
  if (to !== null) return plan({ type: 'head.restored', to, undoes: event.id, by });
  return plan({ type: 'checkpoint.reverted', checkpointId: event.id, by });
}

function findRevert(log: LogState, state: SessionState): Extract<Undoable, { what: 'revert' }> | null {
  const event = log.branches.get(state.branch)?.ledger.standingReverts.at(-1);
  if (!event) return null;
  const to = log.bySeq.has(event.from) ? event.from : standInFor(log, state.branch, event.from);
  return to === null ? null : { what: 'revert', event, to };
}

const LEFT_BEHIND: ReadonlySet<string> = new Set(['turn.ended', 'note']);

/** Prior view and prior kept prompt, exactly: only where nothing but ends of turns and notes would be left behind. */
function findExactHead(
  log: LogState,
  { path }: SessionState,
  { seq, undoTo }: StoredEvent<'checkpoint.committed'>,
): number | null {
  if (undoTo === null || !log.bySeq.has(undoTo)) return null;
  const newest = path.findLast((line) => line.seq <= seq || !isKnown(line) || !LEFT_BEHIND.has(line.type));
  return newest === undefined || newest.seq <= seq ? undoTo : null;
}
