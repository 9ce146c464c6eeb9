import type { ItemEvent, StoredEvent } from '@/server/contract/events/event';
import type { TrimAction } from '@/server/contract/events/view-events';
import type { Cut, Model } from '@/server/contract/shapes';
import { measureMessage, measureResult } from '@/server/core/budget/measure';
import type { MessageGroup, OrphanGroup, ReplyGroup, ViewGroup } from './model-view-groups';
import { toAssistantMessage, toNoResult, toUserMessage, toViewResult } from './model-view-item';
import { toMessageText } from './model-view-preview';
import type { EntryAccount, ViewEntry, ViewKind } from './model-view-shape';
import type { ViewMessage, ViewToolResult } from './view-message';
import { CONTINUE_TEXT } from './view-texts';

interface Known {
  readonly marks: readonly unknown[];
  readonly entries: readonly ViewEntry[];
}

/** Groups rendered before, by the event they begin with: work follows the new items, not the history (perf-B1). */
export type RenderCache = WeakMap<ItemEvent, Known>;

export interface RenderContext {
  readonly masks: ReadonlyMap<string, StoredEvent<'view.masked'>>;
  /** Trims to apply, by item id; empty: as it would be with no trim in force. */
  readonly actions: ReadonlyMap<string, TrimAction>;
  readonly model: Model | null;
  readonly cache: RenderCache;
}

/** Whether a trim left the group out whole. A result is never left out without its call. */
export function isDropped(group: ViewGroup, actions: ReadonlyMap<string, TrimAction>): boolean {
  return actions.get(group.item.id)?.do === 'drop';
}

/** The entries of one group: a message; a reply, its results, and a *Continue* where it was asked for. */
export function renderGroup(group: ViewGroup, context: RenderContext): readonly ViewEntry[] {
  const marks = toMarks(group, context);
  const known = context.cache.get(group.item.event);
  if (known !== undefined && isSame(known.marks, marks)) return known.entries;
  const entries = render(group, context);
  context.cache.set(group.item.event, { marks, entries });
  return entries;
}

function render(group: ViewGroup, context: RenderContext): readonly ViewEntry[] {
  if (group.kind === 'message')
    return renderMessage(group, { cut: toCut(context.actions.get(group.item.id)), note: null });
  return group.kind === 'orphan' ? renderOrphan(group, context) : renderReply(group, context);
}

/** Everything the entries of a group depend on besides its first event, compared by identity. */
function toMarks(group: ViewGroup, { masks, actions, model }: RenderContext): readonly unknown[] {
  const { item } = group;
  const marks: unknown[] = [item.number, item.turnId, model?.provider, model?.model, actions.get(item.id)];
  if (group.kind === 'orphan') marks.push(masks.get(item.id));
  if (group.kind !== 'reply') return marks;
  marks.push(group.isOpen, group.isContinued);
  for (const { result } of group.calls) {
    if (result === null) marks.push(null);
    else marks.push(result.event, masks.get(result.id), actions.get(result.id));
  }
  return marks;
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((mark, index) => mark === b[index]);
}

/** How much a trim leaves of an item, in bytes; null where it does not shorten it. */
export function toCut(action: TrimAction | null | undefined): Cut | null {
  if (action?.do !== 'shorten') return null;
  return { headBytes: action.headBytes ?? 0, tailBytes: action.tailBytes ?? 0 };
}

/** A message of a person; with `note`, why it stands where it stands (kept, expanded). */
export function renderMessage(
  { item }: Pick<MessageGroup, 'item'>,
  { cut, note }: { readonly cut: Cut | null; readonly note: string | null },
): readonly ViewEntry[] {
  const rendered = toUserMessage(item.event, item, cut);
  if (rendered === null) return [];
  const notes = [note, rendered.note].filter((each) => each !== null).join(', ');
  return [toEntry(rendered.message, { itemIds: [item.id], note: notes || null, turnId: item.turnId })];
}

function renderOrphan({ item }: OrphanGroup, context: RenderContext): readonly ViewEntry[] {
  const { result, kind, note } = toViewResult(item.event, item, howOf(item.id, context));
  const message: ViewMessage = { role: 'user', parts: [{ type: 'text', text: result.text }] };
  return [toEntry(message, { kind, itemIds: [item.id], note: note ?? 'result without a call', turnId: item.turnId })];
}

function renderReply(group: ReplyGroup, context: RenderContext): readonly ViewEntry[] {
  const { item } = group;
  const how = { action: context.actions.get(item.id) ?? null, model: context.model };
  const rendered = toAssistantMessage(item.event, item, how);
  if (rendered === null) return [];
  const entries = [toEntry(rendered.message, { itemIds: [item.id], note: rendered.note, turnId: item.turnId })];
  const results = toResultsEntry(group, context);
  if (results !== null) entries.push(results);
  if (group.isContinued) entries.push(CONTINUE_ENTRY);
  return entries;
}

const CONTINUE_ENTRY = toEntry(
  { role: 'user', parts: [{ type: 'text', text: CONTINUE_TEXT }] },
  { itemIds: [], note: 'continue', turnId: null },
);

function toResultsEntry({ item, calls, isOpen }: ReplyGroup, context: RenderContext): ViewEntry | null {
  const results: ViewToolResult[] = [];
  const accounts: EntryAccount[] = [];
  for (const { call, result } of calls) {
    if (result === null && isOpen) continue;
    const shown =
      result === null
        ? { result: toNoResult(call), kind: 'raw' as const, note: 'no result' }
        : toViewResult(result.event, result, howOf(result.id, context));
    results.push(shown.result);
    accounts.push({
      kind: shown.kind,
      itemIds: result === null ? [] : [result.id],
      note: shown.note,
      bytes: measureResult(shown.result),
      text: shown.result.text,
      callId: call.callId,
    });
  }
  if (results.length === 0) return null;
  const bytes = accounts.reduce((sum, account) => sum + account.bytes, 0);
  return { message: { role: 'tool', results }, accounts, bytes, turnId: item.turnId };
}

function howOf(id: string, { masks, actions }: RenderContext) {
  return { mask: masks.get(id) ?? null, action: actions.get(id) ?? null };
}

export interface EntryFacts {
  readonly kind?: ViewKind;
  readonly itemIds: readonly string[];
  readonly note: string | null;
  readonly turnId: string | null;
}

/** An entry that came from one place. */
export function toEntry(message: ViewMessage, { kind = 'raw', itemIds, note, turnId }: EntryFacts): ViewEntry {
  const bytes = measureMessage(message);
  return {
    message,
    accounts: [{ kind, itemIds, note, bytes, text: toMessageText(message), callId: null }],
    bytes,
    turnId,
  };
}

/** Bytes of entries together. */
export function sumBytes(entries: readonly ViewEntry[]): number {
  return entries.reduce((sum, entry) => sum + entry.bytes, 0);
}
