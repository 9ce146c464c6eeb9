import type { NewEvent } from '@/server/core/log/new-event';
import type { LogState, SessionState } from '@/server/core/projection/state-shape';
import { findBeginning, findPoint } from './find-point';
import { plan, type Refused, refuse, refuseNewer, refuseWhileRunning, type TravelPlan } from './travel-plan';

export interface RevertInput {
  readonly log: LogState;
  readonly state: SessionState;
  /** An item, or any line of a path by its id: what was left is returned to by its last (decision 037). Null: before the first item. */
  readonly itemId: string | null;
  readonly by: string;
}

/**
 * Moves the head to an item (L4): one ever placed on this branch or its inherited path, abandoned ones too, which is how a
 * person returns. Nothing is appended where the head stands there already. Refused while a turn or compaction runs.
 */
export function planRevert(input: RevertInput): TravelPlan {
  const { log, state } = input;
  const busy = refuseWhileRunning(state);
  if (busy) return busy;
  const to = findTarget(input);
  if (typeof to !== 'number') return to;
  if (to === state.head) return plan();
  const newer = refuseNewer(log, to);
  if (newer) return newer;
  return plan({ type: 'head.reverted', to, item: input.itemId, from: state.head, by: input.by });
}

/**
 * An earlier message said in other words: the head moves to the item that stood before it, and the new message follows, in one
 * batch (`contract.md` 17). Refused as a revert is, and while messages wait, since the new one would not come next.
 */
export function planEdit(input: RevertInput & { readonly message: NewEvent<'message.user'> }): TravelPlan {
  if (input.state.queue.length > 0)
    return refuse('conflict', 'Messages wait for their turn. Let them go first, or take them back.');
  const moved = planRevert(input);
  return moved.ok ? plan(...moved.events, input.message) : moved;
}

function findTarget({ log, state, itemId }: RevertInput): number | Refused {
  if (state.head === 0) return refuse('conflict', 'The log is damaged here; nothing of it is left to go back from.');
  const point = itemId === null ? findBeginning(log, state.branch) : findPoint(log, state.branch, itemId);
  if (point !== null) return point;
  if (itemId === null) return refuse('conflict', 'The beginning of this conversation is lost.');
  const waits = state.queue.some((message) => message.id === itemId);
  return waits
    ? refuse('conflict', 'This message still waits; it is not part of the conversation yet.')
    : refuse('not_found', 'There is no such message in this conversation.');
}
