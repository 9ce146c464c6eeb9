import type { TrimAction } from '@/server/contract/events/view-events';
import type { Cut } from '@/server/contract/shapes';
import { jsonStringBytes } from '@/server/core/budget/json-bytes';
import { measureMessage } from '@/server/core/budget/measure';
import { type ItemOf, isUserItem, toViewGroups, type ViewGroup } from './model-view-groups';
import type { EntryAccount, ViewEntry } from './model-view-shape';
import type { CheckpointInForce, Item, SessionState } from './state-shape';
import type { ViewMessage } from './view-message';
import { type SummaryContent, toSummaryContent, toSummaryText } from './view-texts-summary';

/** What a view is made of, before anything is rendered: the order of `contract.md` 9 without the plan block. */
export interface ViewContent {
  readonly summary: SummaryContent | null;
  readonly covers: CheckpointInForce['event']['covers'] | null;
  /** Covered, and yet shown word for word after the summary (C14). */
  readonly keep: readonly KeptMessage[];
  /** Covered parts a person wanted back, without what keep already shows. */
  readonly expanded: readonly ViewGroup[];
  readonly raw: readonly ViewGroup[];
}

export interface KeptMessage {
  readonly item: ItemOf<'message.user'>;
  /** The cut that was fixed at commit; a later trim of it goes before. */
  readonly firstCut: Cut | null;
}

/** Nothing that a checkpoint covers gets in but through summary, keep and expanded ranges (boundary law). */
export function planContent(state: SessionState): ViewContent {
  const { checkpoint, items } = state;
  if (checkpoint === null)
    return { summary: null, covers: null, keep: [], expanded: [], raw: toViewGroups(items, state) };
  const { event } = checkpoint;
  const end = findFromEnd(items, event.covers.through) + 1;
  const covered = { items, end };
  const keep = checkpoint.keep.flatMap((item): readonly KeptMessage[] =>
    isUserItem(item) ? [{ item, firstCut: item.id === event.keep[0] ? event.firstCap : null }] : [],
  );
  const kept = new Set(keep.map(({ item }) => item.id));
  const expanded = checkpoint.expanded.flatMap(({ from, through }) =>
    items.slice(Math.max(0, findCovered(covered, from)), findCovered(covered, through) + 1),
  );
  return {
    summary: toSummaryContent(event, items[end - 1]?.number ?? event.covers.items),
    covers: event.covers,
    keep,
    expanded: toViewGroups(
      expanded.filter((item) => !kept.has(item.id)),
      state,
    ),
    raw: toViewGroups(items.slice(end), state),
  };
}

function findFromEnd(items: readonly Item[], id: string): number {
  return items.findLastIndex((item) => item.id === id);
}

/** Kept messages stand at the very start or near the cut, so both ends are searched at once. */
function findCovered({ items, end }: { readonly items: readonly Item[]; readonly end: number }, id: string): number {
  for (let low = 0, high = end - 1; low <= high; low += 1, high -= 1) {
    if (items[low]?.id === id) return low;
    if (items[high]?.id === id) return high;
  }
  return -1;
}

/** The cut of a kept message: a later trim's, else the one fixed at commit. */
export function toKeptCut({ item, firstCut }: KeptMessage, actions: ReadonlyMap<string, TrimAction>): Cut | null {
  const action = actions.get(item.id);
  if (action?.do !== 'shorten') return firstCut;
  return { headBytes: action.headBytes ?? 0, tailBytes: action.tailBytes ?? 0 };
}

export interface SummaryEntry {
  readonly entry: ViewEntry;
  /** Its carry-over lines: floor, not conversation (`contract.md` 7). */
  readonly carryBytes: number;
}

/** The one summary in force; null where a trim left it out and it carries nothing over. */
export function renderSummary(summary: SummaryContent, action: TrimAction | null): SummaryEntry | null {
  if (action?.do === 'drop' && summary.carried.length === 0) return null;
  const { text, carryText, note } = toSummaryText(summary, action);
  const message: ViewMessage = { role: 'user', parts: [{ type: 'text', text }] };
  const bytes = measureMessage(message);
  const carryBytes = carryText === '' ? 0 : jsonStringBytes(carryText) - 2;
  const account = { itemIds: [], callId: null };
  const accounts: EntryAccount[] = [{ ...account, kind: 'summary', note, bytes: bytes - carryBytes, text }];
  if (carryBytes > 0) accounts.push({ ...account, kind: 'carry_over', note: null, bytes: carryBytes, text: carryText });
  return { entry: { message, accounts, bytes, turnId: null }, carryBytes };
}
