import type { Cut, Model } from '@/server/contract/shapes';
import { cutAtCap } from '@/server/core/budget/cut-text';
import { measureMessage } from '@/server/core/budget/measure';
import {
  type NumberSettings,
  type Numbers,
  planSummaryCap,
  planTailBound,
  THRIFTY_TAIL_ITEMS,
} from '@/server/core/budget/numbers';
import { toUserMessage } from '@/server/core/projection/model-view-item';
import { toItemText } from '@/server/core/projection/model-view-text';
import { legalCuts, respondedItems } from '@/server/core/projection/responded';
import type { Item, SessionState } from '@/server/core/projection/state-shape';
import { countCovered, measureItems } from './source';

/** User messages that follow the summary verbatim, in path order, and the cut of the first (C14, `contract.md` 8). */
export interface Keep {
  readonly items: readonly Item[];
  readonly firstCap: Cut | null;
  /** Measure of its entries as shown. */
  readonly bytes: number;
}

export interface CutChoice {
  /** Number of the last covered item; 0: nothing can be covered. */
  readonly through: number;
  readonly keep: Keep;
  readonly tail: readonly Item[];
  readonly tailBytes: number;
}

export interface CutInput {
  readonly state: SessionState;
  readonly numbers: Numbers;
  readonly settings: NumberSettings;
  readonly model: Model | null;
  /** A tail planned anew after a summary did not fit beside the one before (C8); null on the first plan. */
  readonly tailLimitBytes: number | null;
}

/**
 * The cut of the ordinary rule (C2): the tail is the longest suffix of whole groups within its bound, else the newest
 * group alone, else nothing and everything is folded (C4). The bound depends on what must be kept, and that on the
 * cut: a message that the first cut leaves behind makes the tail shorter still, so the second cut stands.
 */
export function chooseAutomaticCut(input: CutInput): CutChoice {
  const { state } = input;
  const first = cutWith(input, planKeep(state, input.numbers, 0));
  const keep = planKeep(state, input.numbers, first.through);
  if (keep.items.length === 0) return { ...first, keep };
  const second = cutWith(input, keep);
  return { ...second, keep: planKeep(state, input.numbers, second.through) };
}

/** The cut of a request (C3): the whole responded history, or as much of it as ends at or before an item. No tail. */
export function chooseManualCut(state: SessionState, numbers: Numbers, upToNumber: number | null): CutChoice {
  const responded = respondedItems(state).at(-1)?.number ?? 0;
  const wanted = Math.min(responded, upToNumber ?? responded);
  const through = legalCuts(state).findLast((cut) => cut <= wanted) ?? 0;
  return { through, keep: planKeep(state, numbers, through), tail: [], tailBytes: 0 };
}

/**
 * What is kept of the items up to a cut: the first message a person wrote, capped, and the message being answered,
 * whole even when it is the first (C14).
 */
function planKeep(state: SessionState, numbers: Numbers, through: number): Keep {
  const first = state.firstPerson;
  const running = findRunning(state);
  const items = [...new Set([first, running])]
    .filter((item) => item !== null)
    .filter((item) => item.number <= through)
    .sort((a, b) => a.number - b.number);
  const isCapped = first !== null && items[0] === first && first.id !== running?.id;
  const firstCap = isCapped ? cutAtCap(toItemText(first.event, first.number), numbers.firstMessageCapBytes) : null;
  const bytes = items.reduce((sum, item) => sum + measureKept(item, item === first ? firstCap : null), 0);
  return { items, firstCap, bytes };
}

/** The message being answered: that of the running turn, or the newest one where a turn continues without its own. */
function findRunning({ openTurn, items }: SessionState): Item | null {
  if (openTurn === null) return null;
  const id = openTurn.messageId;
  return items.findLast((item) => (id === null ? item.event.type === 'message.user' : item.id === id)) ?? null;
}

function measureKept({ id, number, event }: Item, cut: Cut | null): number {
  const shown = event.type === 'message.user' ? toUserMessage(event, { id, number }, cut) : null;
  return shown === null ? 0 : measureMessage(shown.message);
}

function cutWith(input: CutInput, keep: Keep): CutChoice {
  const { state, numbers, settings, model } = input;
  const weigh = (items: readonly Item[]) => measureItems(state, items, model);
  const bound = planTailBound({
    numbers,
    settings,
    keepBytes: keep.bytes,
    summaryCapBytes: planSummaryCap(numbers, keep.bytes) ?? 0,
    newestItemsBytes: settings.preset === 'thrifty' ? weigh(state.items.slice(-THRIFTY_TAIL_ITEMS)) : 0,
  });
  const limit = Math.min(bound.bytes, input.tailLimitBytes ?? bound.bytes);
  const from = countCovered(state);
  let start = state.items.length;
  let tailBytes = 0;
  // Backwards and only as far as the tail reaches: the history before it is never looked at (perf-B3).
  while (start > from) {
    const next = groupStart(state.items, from, start);
    const bytes = tailBytes + weigh(state.items.slice(next, start));
    if (bytes > limit) break;
    tailBytes = bytes;
    start = next;
  }
  if (start === state.items.length && start > from) {
    const newest = groupStart(state.items, from, start);
    const bytes = weigh(state.items.slice(newest));
    if (bytes <= Math.min(bound.aloneBytes, input.tailLimitBytes ?? bound.aloneBytes)) {
      start = newest;
      tailBytes = bytes;
    }
  }
  return { through: start <= from ? 0 : start, keep, tail: state.items.slice(start), tailBytes };
}

/** Where the group that ends before `end` begins: as `toGroups` makes them, seen from behind. */
function groupStart(items: readonly Item[], from: number, end: number): number {
  let first = end - 1;
  while (first > from && items[first]?.event.type === 'tool.result') first -= 1;
  return items[first]?.event.type === 'message.assistant' ? first : end - 1;
}
