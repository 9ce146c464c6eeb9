import type { ItemEvent, StoredEvent } from '@/server/contract/events/event';
import type { ToolCallPart } from '@/server/contract/shapes';
import type { Item, SessionState } from './state-shape';

/** An item whose event is of one type. */
export type ItemOf<T extends ItemEvent['type']> = Item & { readonly event: StoredEvent<T> };

/** An assistant message and what answered its calls, in call order; `result` null: nothing did. */
export interface ReplyGroup {
  readonly kind: 'reply';
  readonly item: ItemOf<'message.assistant'>;
  readonly calls: readonly { readonly call: ToolCallPart; readonly result: ItemOf<'tool.result'> | null }[];
  /** The batch of the turn that runs on this branch: its missing results are still to come. */
  readonly isOpen: boolean;
  /** The person asked to go on from this cut-off reply (*Continue*). */
  readonly isContinued: boolean;
}

export interface MessageGroup {
  readonly kind: 'message';
  readonly item: ItemOf<'message.user'>;
}

/** A result whose call is nowhere before it (imports): quoted text, not a protocol block (case-B01). */
export interface OrphanGroup {
  readonly kind: 'orphan';
  readonly item: ItemOf<'tool.result'>;
}

/** What a cut, a drop or a quote takes as one piece: calls and results never part (pairing law). */
export type ViewGroup = ReplyGroup | MessageGroup | OrphanGroup;

/** A message of a person. */
export function isUserItem(item: Item): item is ItemOf<'message.user'> {
  return item.event.type === 'message.user';
}

/** A reply. */
export function isAssistantItem(item: Item): item is ItemOf<'message.assistant'> {
  return item.event.type === 'message.assistant';
}

/** A result of a call. */
export function isResultItem(item: Item): item is ItemOf<'tool.result'> {
  return item.event.type === 'tool.result';
}

/**
 * Items in path order as groups. A result belongs to the newest assistant message before it that still waits for its
 * call id, also when a message of the person stands between (imports).
 */
export function toViewGroups(items: readonly Item[], state: SessionState): readonly ViewGroup[] {
  const { continued } = state;
  const newestReply = state.items.findLast(isAssistantItem);
  const groups: ViewGroup[] = [];
  let waiting: WaitingCall[] = [];
  for (const item of items) {
    if (isAssistantItem(item)) {
      waiting = toWaiting(item);
      const isOpen = item.id === newestReply?.id && isOfOpenTurn(item, state);
      groups.push({ kind: 'reply', item, calls: waiting, isOpen, isContinued: continued.has(item.id) });
    } else if (isUserItem(item)) groups.push({ kind: 'message', item });
    else if (isResultItem(item) && !answer(waiting, item)) groups.push({ kind: 'orphan', item });
  }
  return groups;
}

/** A call while its group is put together: results fill in behind it. */
interface WaitingCall {
  readonly call: ToolCallPart;
  result: ItemOf<'tool.result'> | null;
}

function toWaiting(item: ItemOf<'message.assistant'>): WaitingCall[] {
  const waiting: WaitingCall[] = [];
  for (const part of item.event.parts) if (part.type === 'tool_call') waiting.push({ call: part, result: null });
  return waiting;
}

function answer(waiting: readonly WaitingCall[], item: ItemOf<'tool.result'>): boolean {
  const open = waiting.find(({ call, result }) => call.callId === item.event.callId && result === null);
  if (open === undefined) return false;
  open.result = item;
  return true;
}

function isOfOpenTurn(item: Item, { openTurn, branch }: SessionState): boolean {
  return openTurn !== null && item.turnId === openTurn.turnId && item.event.branch === branch;
}
