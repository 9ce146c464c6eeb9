import type { TrimAction } from '@/server/contract/events/view-events';
import { cutAtCap } from '@/server/core/budget/cut-text';
import { isTrip } from '@/server/core/projection/model-view-left-out';
import { toItemText } from '@/server/core/projection/model-view-text';
import type { TrimPlan } from './trim-plan';
import type { TrimUnit } from './work';

/**
 * The first message is exempt, but not at any length: what is over the cap is cut as soon as a trim is needed at all.
 * While it is also the newest it is what is being answered, and stays whole.
 */
export function capFirstMessage({ work, first, newest }: TrimPlan, capBytes: number): void {
  if (first === null || first === newest || work.isLeftOut(first)) return;
  const { item } = first.group;
  const cut = cutAtCap(toItemText(item.event, item.number), capBytes);
  if (cut === null) return;
  const action: TrimAction = { item: item.id, do: 'shorten', ...cut };
  if (work.measureWith(first, action) < first.bytes) work.act(first, action);
}

/** Pass 1: results, oldest first, where a stub is the shorter text. Masked and stubbed ones stay as they are. */
export function stubResults(plan: TrimPlan): void {
  for (const unit of plan.takeable()) {
    for (const item of resultsOf(unit)) {
      if (!plan.isOverLowMark) return;
      const action: TrimAction = { item: item.id, do: 'stub' };
      if (plan.work.measureResult(item, action) < plan.work.measureResult(item)) plan.work.act(unit, action);
    }
  }
}

function resultsOf({ group }: TrimUnit) {
  if (group.kind === 'orphan') return [group.item];
  if (group.kind === 'message') return [];
  return group.calls.flatMap(({ result }) => (result === null ? [] : [result]));
}

/** Pass 2: whole round trips, the calls with all their results. */
export function dropTrips(plan: TrimPlan): void {
  for (const unit of plan.takeable()) if (isTrip(unit.group)) drop(plan, unit);
}

/** Pass 3: what the assistant said. */
export function dropReplies(plan: TrimPlan): void {
  for (const unit of plan.takeable()) if (unit.group.kind === 'reply' && !isTrip(unit.group)) drop(plan, unit);
}

/** Pass 4: what a person said, but for the first and the newest. */
export function dropMessages(plan: TrimPlan): void {
  for (const unit of plan.takeable()) {
    if (unit.group.kind === 'message' && unit !== plan.first && unit !== plan.newest) drop(plan, unit);
  }
}

function drop({ work }: TrimPlan, unit: TrimUnit): void {
  if (unit.bytes > 0) work.act(unit, { item: unit.group.item.id, do: 'drop' });
}

/** The entry that says what was left out has a size too: where it is larger than what it stands for, nothing is. */
export function keepDropsThatPay({ work }: TrimPlan): void {
  const dropped = work.units.filter((unit) => work.isLeftOut(unit));
  const isNew = dropped.every((unit) => unit.beforeBytes > 0);
  const saved = dropped.reduce((sum, unit) => sum + unit.beforeBytes, 0);
  if (isNew && saved <= work.leftOutBytes) for (const unit of dropped) work.undo(unit);
}
