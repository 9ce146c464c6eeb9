import type { FieldsOf } from '@/server/contract/events/event';
import { utf8Bytes } from '@/server/core/budget/json-bytes';
import { type ItemOf, isAssistantItem, isResultItem } from '@/server/core/projection/model-view-groups';
import { toItemText } from '@/server/core/projection/model-view-text';
import type { Item, SessionState } from '@/server/core/projection/state-shape';
import { toOneLine } from '@/server/core/projection/view-texts';

export interface MaskRequest {
  readonly state: Pick<SessionState, 'items' | 'masks' | 'plan'>;
  /** Id of the `mask_tool_result` call, made by the newest assistant message. */
  readonly byCall: string;
  /** What the model named: an item number (`57`, `item 57`), an item id, or a call id. */
  readonly target: string | number;
  readonly note: string;
}

export type MaskPlan =
  | { readonly ok: true; readonly event: FieldsOf<'view.masked'> }
  | { readonly ok: false; readonly why: string };

const NOTE_MOST = 2_000;

/**
 * Whether a result may be masked (M1, M2): only on the model's own call, and only in the newest batch of results
 * before the calling message, because a change further back costs the cache of everything after it. A refusal says
 * why, for the tool's error.
 */
export function planMask({ state, byCall, target, note }: MaskRequest): MaskPlan {
  const caller = state.items.findLastIndex((item) => isAssistantItem(item) && callIds(item).includes(byCall));
  if (caller === -1) return refuse('The call that asks for it is not part of this conversation.');
  const item = findTarget(state.items.slice(0, caller), target);
  if (item === null) return refuse(`There is no tool result "${toOneLine(String(target))}" before this call.`);
  if (!isResultItem(item)) {
    return refuse(`Item ${item.number} is no tool result. Messages and the plan cannot be masked.`);
  }
  const newest = newestBatch(state.items.slice(0, caller));
  if (!newest.some((result) => result.id === item.id)) {
    const which = newest.map((result) => `item ${result.number}`).join(', ');
    return refuse(
      `Only results of the newest batch can be masked${which === '' ? '; there is none' : `: ${which}`}. ` +
        'Older ones stay, so that the cached prefix does.',
    );
  }
  if (state.masks.has(item.id)) return refuse(`Item ${item.number} is masked already.`);
  const bytes = utf8Bytes(toItemText(item.event, item.number));
  const event = { item: item.id, callId: item.event.callId, note: toOneLine(note).slice(0, NOTE_MOST), bytes, byCall };
  return { ok: true, event };
}

function refuse(why: string): MaskPlan {
  return { ok: false, why };
}

function callIds(item: ItemOf<'message.assistant'>): readonly string[] {
  return item.event.parts.flatMap((part) => (part.type === 'tool_call' ? [part.callId] : []));
}

/** Call ids may repeat in a conversation; the newest result counts. */
function findTarget(items: readonly Item[], target: string | number): Item | null {
  const said = String(target).trim();
  const number = /^(?:item\s+)?(\d{1,9})$/i.exec(said)?.[1];
  const byNumber = number === undefined ? undefined : items[Number(number) - 1];
  const byId = items.findLast((item) => item.id === said || (isResultItem(item) && item.event.callId === said));
  return byNumber ?? byId ?? null;
}

/** All results of the newest assistant message that has any. */
function newestBatch(items: readonly Item[]): readonly Item[] {
  const last = items.findLastIndex(isResultItem);
  if (last === -1) return [];
  const start = items.slice(0, last).findLastIndex(isAssistantItem);
  return items.slice(start + 1, last + 1).filter(isResultItem);
}
