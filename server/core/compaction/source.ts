import { createHash } from 'node:crypto';
import type { ItemEvent, StoredEvent } from '@/server/contract/events/event';
import type { Model, Range } from '@/server/contract/shapes';
import { jsonStringBytes, toJson } from '@/server/core/budget/json-bytes';
import { BYTES_A_PART, measureMessage, measureResult } from '@/server/core/budget/measure';
import { defuse, SERIALISED_TAGS } from '@/server/core/projection/defuse';
import { toAssistantMessage, toUserMessage, toViewResult } from '@/server/core/projection/model-view-item';
import { toItemText } from '@/server/core/projection/model-view-text';
import type { Item, SessionState } from '@/server/core/projection/state-shape';
import { toAttribute } from '@/server/core/projection/view-texts';
import { toSummaryContent, toSummaryText } from '@/server/core/projection/view-texts-summary';
import type { StaleReadings } from './stale';

/** What a summary is written from (`contract.md` 8, "Source for the summariser"). */
export interface CompactionSource {
  readonly previous: StoredEvent<'checkpoint.committed'> | null;
  /** The items new to this compaction, in path order. */
  readonly items: readonly Item[];
  readonly range: Range;
  /** Measure of the items as the view shows them, trims lifted, and of the previous summary. */
  readonly bytes: number;
  readonly fingerprint: string;
}

export interface SourceOptions {
  /** The model the view is for: its own reasoning is part of what the items weigh. */
  readonly model: Model | null;
  readonly stale: StaleReadings;
}

/** The source up to an item; `items` must not be empty. */
export function takeSource(state: SessionState, items: readonly Item[], options: SourceOptions): CompactionSource {
  const previous = state.checkpoint?.event ?? null;
  const summaryBytes = previous === null ? 0 : measureSummary(state, previous);
  return {
    previous,
    items,
    range: toRange(items),
    bytes: summaryBytes + measureItems(state, items, options.model),
    fingerprint: fingerprintSource(state, items, options.stale),
  };
}

/** Items after the checkpoint in force: what no summary stands in for yet. Expanded parts are covered all the same. */
export function uncoveredItems(state: SessionState): readonly Item[] {
  return state.items.slice(countCovered(state));
}

/** How many items of the path the checkpoint in force covers. */
export function countCovered({ checkpoint, items }: SessionState): number {
  if (checkpoint === null) return 0;
  return items.findLastIndex((item) => item.id === checkpoint.event.covers.through) + 1;
}

/** A run of items by their ids; `bytes` as stored with them. Throws on an empty run, which no caller has. */
export function toRange(items: readonly Item[]): Range {
  const [first, last] = [items[0], items.at(-1)];
  if (first === undefined || last === undefined) throw new RangeError('a range has at least one item');
  const bytes = items.reduce((sum, item) => sum + item.event.bytes, 0);
  return { from: first.id, through: last.id, items: items.length, bytes };
}

/**
 * What items weigh in the view, trims lifted: masks and caps as they are (`contract.md` 8). As counted when they were
 * appended, so that no text is read again (perf-C1): at most a few digits of an item's number above what is sent.
 */
export function measureItems(state: SessionState, items: readonly Item[], model: Model | null): number {
  return items.reduce((sum, item) => sum + measureItem(state, item, model), 0);
}

function measureItem(state: SessionState, { id, number, event }: Item, model: Model | null): number {
  const name = { id, number };
  if (isCounted(state, event, model))
    return (event.type === 'tool.result' ? event.viewBytes : undefined) ?? event.bytes;
  if (event.type === 'tool.result') {
    return measureResult(toViewResult(event, name, { mask: state.masks.get(id) ?? null, action: null }).result);
  }
  const shown =
    event.type === 'message.user'
      ? toUserMessage(event, name, null)
      : toAssistantMessage(event, name, { action: null, model });
  return shown === null ? 0 : measureMessage(shown.message);
}

/** Stored bytes are those of the item as its own model gets it, without a mask. */
function isCounted({ masks }: SessionState, event: ItemEvent, model: Model | null): boolean {
  if (event.type !== 'message.assistant') return !masks.has(event.id);
  const isOwn = event.model.provider === model?.provider && event.model.model === model.model;
  return isOwn || (event.artifacts.length === 0 && event.parts.every(({ type }) => type !== 'reasoning'));
}

function measureSummary(state: SessionState, previous: StoredEvent<'checkpoint.committed'>): number {
  const number = state.items.findLast((item) => item.id === previous.covers.through)?.number ?? 1;
  return jsonStringBytes(toSummaryText(toSummaryContent(previous, number), null).text) + BYTES_A_PART;
}

/**
 * SHA-256 over the rendered text of each item in order (R4): another rendering (mask, cap, stale mark) or another
 * previous summary is another source.
 */
export function fingerprintSource(state: SessionState, items: readonly Item[], stale: StaleReadings): string {
  const hash = createHash('sha256');
  const previous = state.checkpoint?.event;
  if (previous !== undefined) hash.update(toJson([previous.id, previous.text]));
  for (const item of items) hash.update(toJson([item.id, serialiseItem(state, item, stale)]));
  return hash.digest('hex');
}

/** One item as a summariser that gets no conversation reads it: `<item n="57" role="tool" tool="read_file">`. */
export function serialiseItem(state: SessionState, item: Item, stale: StaleReadings): string {
  const { number, event } = item;
  if (event.type === 'tool.result') {
    return `<item n="${number}" role="tool" tool="${toAttribute(event.name)}">\n${serialiseResult(state, item, stale)}\n</item>`;
  }
  const role = event.type === 'message.user' ? 'user' : 'assistant';
  const calls = event.parts.flatMap((part) =>
    part.type === 'tool_call' ? [`Calls ${part.name} with ${toJson(part.args)}`] : [],
  );
  const text = [toItemText(event, number), ...calls].filter((line) => line.trim() !== '').join('\n');
  return `<item n="${number}" role="${role}">\n${defuse(text, SERIALISED_TAGS)}\n</item>`;
}

/** In the same frame as in the view, its own text unable to close the item either; a stale reading is marked (C6). */
function serialiseResult(state: SessionState, { id, number, event }: Item, stale: StaleReadings): string {
  if (event.type !== 'tool.result') return '';
  const shown = toViewResult(event, { id, number }, { mask: state.masks.get(id) ?? null, action: null });
  const text = defuse(shown.result.text, OUTER_TAGS);
  if (shown.kind !== 'raw' || !stale.items.has(id)) return text;
  return text.replace(/^(<tool_result tool="[^"]*" item="\d+")(?: state="[^"]*")?>/, '$1 state="stale">');
}

const OUTER_TAGS = SERIALISED_TAGS.filter((tag) => tag !== 'tool_result');

/** The previous summary for a summariser: its body alone, told apart from anything that was said (C13). */
export function serialisePrevious(previous: StoredEvent<'checkpoint.committed'>): string {
  return `<previous_summary>\n${defuse(previous.text, SERIALISED_TAGS)}\n</previous_summary>`;
}
