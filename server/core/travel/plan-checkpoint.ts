import type { StoredEvent } from '@/server/contract/events/event';
import { isKnown } from '@/server/core/projection/log-state-path';
import { toGroups } from '@/server/core/projection/responded';
import type { CheckpointInForce, Item, SessionState } from '@/server/core/projection/state-shape';
import { plan, type Refused, refuse, refuseWhileCompacting, type TravelPlan } from './travel-plan';

type Committed = StoredEvent<'checkpoint.committed'>;

/** A summary as the API names it: by its compaction or by its own id. */
interface Named {
  readonly state: SessionState;
  readonly compactionId: string;
}

/**
 * Takes a summary back, any number of turns later (X5). Only the newest one in force; what it covered returns as it would be
 * without it, the one before it applies again, the kept prompt stays the newer. Allowed above the trigger.
 */
export function planUndo({ state, compactionId, by }: Named & { readonly by: string }): TravelPlan {
  const found = findInForce({ state, compactionId });
  return 'ok' in found ? found : plan({ type: 'checkpoint.reverted', checkpointId: found.event.id, by });
}

export interface RangeInput extends Named {
  readonly from: string;
  readonly through: string;
}

/**
 * Shows a part of what the summary in force covers to the model again, after the summary (X5). The range is widened to whole
 * groups, so that no call parts from its result. Refused outside the covered range, reversed, or where it is shown already.
 */
export function planExpand(input: RangeInput): TravelPlan {
  return planRange(input, 'checkpoint.expanded');
}

/** Takes an expanded part out again, in whole groups; refused where none of it is shown. */
export function planFold(input: RangeInput): TravelPlan {
  return planRange(input, 'checkpoint.folded');
}

function planRange(input: RangeInput, type: 'checkpoint.expanded' | 'checkpoint.folded'): TravelPlan {
  const inForce = findInForce(input);
  if ('ok' in inForce) return inForce;
  const items = findGroups(input.state, inForce.event, input);
  if ('ok' in items) return items;
  const shown = toShown(input.state, inForce);
  if (type === 'checkpoint.expanded' && items.every(({ id }) => shown.has(id)))
    return refuse('conflict', 'This part is shown to the model already.');
  if (type === 'checkpoint.folded' && !items.some(({ id }) => shown.has(id)))
    return refuse('conflict', 'This part is not shown to the model.');
  const [first, last] = [items[0], items.at(-1)];
  if (!first || !last) return refuse('conflict', 'The summary does not cover this message.');
  return plan({ type, checkpointId: inForce.event.id, from: first.id, through: last.id });
}

function findInForce({ state, compactionId }: Named): CheckpointInForce | Refused {
  const busy = refuseWhileCompacting(state);
  if (busy) return busy;
  const { checkpoint } = state;
  const isNamed = ({ id, compactionId: of }: Committed) => id === compactionId || of === compactionId;
  if (checkpoint && isNamed(checkpoint.event)) return checkpoint;
  const commits = state.path.filter(isKnown).filter((event) => event.type === 'checkpoint.committed');
  const named = commits.find(isNamed);
  if (!named) return refuse('not_found', 'There is no such summary in this conversation as it stands.');
  return refuseOlder(state, named);
}

function refuseOlder(state: SessionState, named: Committed): Refused {
  const reverted = state.path.filter(isKnown).filter((event) => event.type === 'checkpoint.reverted');
  const undone = new Set(reverted.map(({ checkpointId }) => checkpointId));
  if (undone.has(named.id)) return refuse('conflict', 'This summary was reverted already.');
  const newer = state.path.filter(
    (event) =>
      isKnown(event) && event.type === 'checkpoint.committed' && event.seq > named.seq && !undone.has(event.id),
  );
  return {
    ...refuse('conflict', `Revert newer summaries first (${newer.length}).`),
    details: { newer: newer.map(({ id }) => id) },
  };
}

/** The items of whole groups that the range touches, within what the checkpoint covers. */
function findGroups(
  { items }: SessionState,
  { covers }: Committed,
  { from, through }: RangeInput,
): readonly Item[] | Refused {
  const covered = items.slice(0, items.findIndex(({ id }) => id === covers.through) + 1);
  const first = covered.findIndex(({ id }) => id === from);
  const last = covered.findIndex(({ id }) => id === through);
  if (first < 0 || last < 0) {
    const isThere = [from, through].every((id) => items.some((item) => item.id === id));
    return isThere
      ? refuse('conflict', 'The summary does not cover this message.')
      : refuse('not_found', 'There is no such message in this conversation as it stands.');
  }
  if (first > last) return refuse('invalid_request', 'from: it stands after `through`.');
  const touched = toGroups(covered).filter((group) =>
    group.items.some(({ number }) => number > first && number <= last + 1),
  );
  return touched.flatMap((group) => group.items);
}

function toShown({ items }: SessionState, { expanded }: CheckpointInForce): ReadonlySet<string> {
  const shown = new Set<string>();
  for (const { from, through } of expanded) {
    const first = items.findIndex(({ id }) => id === from);
    const last = items.findIndex(({ id }) => id === through);
    for (const { id } of items.slice(first, last + 1)) shown.add(id);
  }
  return shown;
}
