import type { TrimAction } from '@/server/contract/events/view-events';
import type { ItemOf, ReplyGroup } from '@/server/core/projection/model-view-groups';
import { toItemText } from '@/server/core/projection/model-view-text';
import { toSectionsToLeaveOut } from '@/server/core/projection/view-texts-summary';
import { dropMessages, dropReplies, dropTrips } from './passes';
import { findCut } from './shorten';
import type { TrimPlan } from './trim-plan';
import type { TrimUnit, TrimWork } from './work';

/** Pass 5: the largest remaining item of the batch that no model has read yet, then the next largest (B5). */
export function shortenLargest(plan: TrimPlan): void {
  const { unread, work } = plan;
  if (unread === null || unread.group.kind !== 'reply') return;
  const { group } = unread;
  const results = group.calls.flatMap(({ result }) => (result === null ? [] : [result]));
  const sized = [group.item, ...results].map((item) => ({ item, bytes: measureItem(work, item) }));
  for (const { item, bytes } of sized.toSorted((a, b) => b.bytes - a.bytes)) {
    if (!plan.isOverLowMark) return;
    const targetBytes = Math.max(0, bytes - (work.bytes - plan.lowMarkBytes));
    const action = isReply(item) ? shortenReply(work, item, targetBytes) : shortenResult(work, item, targetBytes);
    if (measureItem(work, item, action) < bytes) work.act(unread, action);
  }
}

type BatchItem = ItemOf<'message.assistant'> | ItemOf<'tool.result'>;

function isReply(item: BatchItem): item is ItemOf<'message.assistant'> {
  return item.event.type === 'message.assistant';
}

function measureItem(work: TrimWork, item: BatchItem, action = work.actionOf(item.id)): number {
  return isReply(item) ? work.measureReply(item, action) : work.measureResult(item, action);
}

function shortenResult(work: TrimWork, item: ItemOf<'tool.result'>, targetBytes: number): TrimAction {
  return findCut({
    text: toItemText(item.event, item.number),
    targetBytes,
    measure: (action) => work.measureResult(item, action),
    action: { item: item.id, do: 'shorten' },
  });
}

/** The text of a reply is cut first; where that is not enough, the arguments of its calls lose values, never keys. */
function shortenReply(work: TrimWork, item: ReplyGroup['item'], targetBytes: number): TrimAction {
  const text = toItemText(item.event, item.number);
  const measure = (action: TrimAction) => work.measureReply(item, action);
  const base: TrimAction = { item: item.id, do: 'shorten' };
  const ways: readonly TrimAction[] = [base, { ...base, args: 'strings' }, { ...base, args: 'values' }];
  let smallest = base;
  for (const way of ways) {
    const action = measure(way) <= targetBytes ? way : findCut({ text, targetBytes, measure, action: way });
    if (measure(action) < measure(smallest)) smallest = action;
    if (measure(smallest) <= targetBytes) break;
  }
  return smallest;
}

/** Pass 6: whole sections of the summary, last heading first; a body without them, or still too large, is cut. */
export function shortenSummary(plan: TrimPlan): void {
  const { summary } = plan.work.content;
  const inForce = summary === null ? null : plan.work.actionOf(summary.checkpointId);
  if (summary === null || inForce?.do === 'drop') return;
  const base: TrimAction = { checkpoint: summary.checkpointId, do: 'shorten' };
  const headings = toSectionsToLeaveOut(summary.body);
  const before = inForce?.sections ?? [];
  const more = headings.filter((heading) => !before.includes(heading));
  const ways = more.map((_, index) => ({ ...base, sections: [...before, ...more.slice(0, index + 1)] }));
  actOnSummary(plan, ways);
  // Beyond its sections there is little to gain: what then remains is cut only for what must fit.
  if (headings.length > 0 ? !plan.isOverRoom : !plan.isOverLowMark) return;
  const action = headings.length > 0 ? { ...base, sections: [...headings] } : base;
  const targetBytes = summaryTarget(plan);
  const measure = (tried: TrimAction) => plan.work.measureSummaryWith(tried);
  actOnSummary(plan, [findCut({ text: summary.body, targetBytes, measure, action })]);
}

/** The first of these ways that reaches the low mark, else the smallest; none where none is smaller than it is now. */
function actOnSummary(plan: TrimPlan, ways: readonly TrimAction[]): void {
  const { work } = plan;
  const targetBytes = summaryTarget(plan);
  let best: { readonly action: TrimAction; readonly bytes: number } | null = null;
  for (const action of ways) {
    const bytes = work.measureSummaryWith(action);
    if (bytes < (best?.bytes ?? work.summaryBytes)) best = { action, bytes };
    if (bytes <= targetBytes) break;
  }
  if (best !== null) work.actOnSummary(best.action);
}

function summaryTarget({ work, lowMarkBytes }: TrimPlan): number {
  return Math.max(0, work.summaryBytes - (work.bytes - lowMarkBytes));
}

/** Pass 7, first half: what a checkpoint keeps, and the first message where no checkpoint covers it. */
export function shortenKept(plan: TrimPlan): void {
  for (const unit of plan.work.units) {
    if (unit.kept !== null || unit === plan.first) if (unit !== plan.newest) shortenMessage(plan, unit);
  }
}

/**
 * Pass 7, second half. Should even the shortest form of the newest message not fit beside the batch nobody has read,
 * the batch goes and as much of the message stays as then fits.
 */
export function shortenNewestMessage(plan: TrimPlan): void {
  const { newest, unread, work } = plan;
  if (newest !== null) shortenMessage(plan, newest);
  if (!plan.isOverRoom || unread === null) return;
  if (newest !== null) work.undo(newest);
  work.act(unread, { item: unread.group.item.id, do: 'drop' });
  if (newest !== null && plan.isOverRoom) shortenMessage(plan, newest);
}

function shortenMessage(plan: TrimPlan, unit: TrimUnit): void {
  const { work } = plan;
  const { item } = unit.group;
  if (!plan.isOverLowMark || unit.group.kind !== 'message' || work.isLeftOut(unit)) return;
  const action = findCut({
    text: toItemText(item.event, item.number),
    targetBytes: Math.max(0, unit.bytes - (work.bytes - plan.lowMarkBytes)),
    measure: (tried) => work.measureWith(unit, tried),
    action: { item: item.id, do: 'shorten' },
  });
  if (work.measureWith(unit, action) < unit.bytes) work.act(unit, action);
}

/**
 * What is left when the smallest forms of everything are still too much, which only a room near 1,000 bytes can
 * bring about: the summary goes, then kept messages, the first of a person last of all. What was too small to be
 * worth the entry that says so goes too, once that entry stands anyway.
 */
export function dropSummaryAndKeep(plan: TrimPlan): void {
  const { work } = plan;
  const { summary } = work.content;
  dropWhatPaysNow(plan);
  if (plan.isOverRoom && summary !== null) work.actOnSummary({ checkpoint: summary.checkpointId, do: 'drop' });
  dropWhatPaysNow(plan);
  const kept = work.units.filter((unit) => unit.kept !== null && unit !== plan.newest && !work.isLeftOut(unit));
  for (const unit of [...kept.filter((each) => each !== plan.first), ...kept.filter((each) => each === plan.first)]) {
    if (plan.isOverRoom) work.act(unit, { item: unit.group.item.id, do: 'drop' });
    dropWhatPaysNow(plan);
  }
}

function dropWhatPaysNow(plan: TrimPlan): void {
  if (!plan.isOverRoom || plan.work.leftOutBytes === 0) return;
  for (const pass of [dropTrips, dropReplies, dropMessages]) pass(plan);
}
