import type { StoredEvent } from '@/server/contract/events/event';
import type { BranchState, Plan } from '@/server/core/projection/state-shape';

interface Input {
  /** The lines of the path that count, read forwards. */
  readonly lines: readonly StoredEvent[];
  readonly branch: BranchState;
  readonly head: number;
}

/**
 * The plan in force: the newest `plan.set` of the path, empty and completed ones too (L5). One without a binding
 * (older format) counts at the head it was written at and for no selection: not on a fork, not after a revert that
 * stands, not for another head than the branch's; but after a return to that very head it counts again (decision 037). A log
 * without any plan has none; nothing is guessed.
 */
export function foldPlan({ lines, branch, head }: Input): Plan | null {
  const selected = head === branch.head ? selectedBy(branch.ledger.standingReverts) : Number.POSITIVE_INFINITY;
  const event = lines.findLast(
    (line): line is StoredEvent<'plan.set'> =>
      line.type === 'plan.set' && (line.after !== undefined || (line.branch === branch.id && line.seq > selected)),
  );
  return event ? toPlan(event) : null;
}

/** The `seq` of the revert that selected where the branch stands; who returned to a head selects what was selected there. */
function selectedBy(standing: readonly StoredEvent<'head.reverted'>[]): number {
  const newest = standing.at(-1);
  if (!newest) return 0;
  const left = standing.findLastIndex(({ seq, from }) => seq < newest.seq && from === newest.to);
  return left < 0 ? newest.seq : selectedBy(standing.slice(0, left));
}

/** A line that sets the plan, as the plan in force. */
export function toPlan(event: StoredEvent<'plan.set'>): Plan {
  return { eventId: event.id, items: event.items, callId: event.callId ?? null };
}
