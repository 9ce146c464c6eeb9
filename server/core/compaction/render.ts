import type { ToolSchema } from '@/server/contract/events/view-events';
import { measureMessage, measureText } from '@/server/core/budget/measure';
import type { ModelView } from '@/server/core/projection/model-view-shape';
import type { SessionState } from '@/server/core/projection/state-shape';
import type { ViewMessage } from '@/server/core/projection/view-message';
import { toImageText } from '@/server/core/projection/view-texts';
import type { ComposedPrompt } from '@/server/core/prompt/compose';
import { writeSummaryInstruction } from './instruction';
import type { CompactionGo } from './plan';
import { serialiseItem, serialisePrevious } from './source';

/** A summariser's request, without model and image data: those are the caller's. */
export interface SummaryRequest {
  readonly system: string;
  readonly tools: readonly ToolSchema[];
  readonly entries: readonly ViewMessage[];
  /** Measure of the whole request, in bytes. */
  readonly measureBytes: number;
  /** The last entry shared with the conversation's own requests (cache mark); null: none is. */
  readonly cacheAfter: number | null;
  readonly form: 'prefix' | 'serialised';
}

export interface RenderInput {
  readonly state: SessionState;
  readonly go: CompactionGo;
  /** The receiving model's view; its entries up to the cut are the cached prefix. */
  readonly view: ModelView;
  /** Composed anew for this compaction: the summary is written against it (P5). */
  readonly prompt: Pick<ComposedPrompt, 'text' | 'bytes' | 'tools' | 'toolsBytes'>;
  readonly form: 'prefix' | 'serialised';
  readonly focus: string | null;
  readonly installation: string;
  readonly rejection: string | null;
}

/**
 * The one-shot request (`contract.md` 11). `prefix`: the view's own entries up to the cut, same tools, then the
 * instruction, so that the prompt cache of the conversation is used. `serialised`: no tools, one message with the
 * instruction, the previous summary and every item in its frame.
 */
export function renderSummaryRequest(input: RenderInput): SummaryRequest {
  return input.form === 'prefix' ? renderPrefix(input) : renderSerialised(input);
}

function renderPrefix(input: RenderInput): SummaryRequest {
  const { state, go, view, prompt } = input;
  const numbers = new Map(state.items.map((item) => [item.id, item.number]));
  const isBehindCut = (id: string) => (numbers.get(id) ?? 0) > go.throughNumber;
  const end = view.body.findIndex((entry) => entry.accounts.some((account) => account.itemIds.some(isBehindCut)));
  const prefix = (end < 0 ? view.body : view.body.slice(0, end)).map((entry) => nameImages(entry.message));
  const text = [instructionOf(input), listStale(state, go)].filter((part) => part !== '').join('\n\n');
  const entries = [...prefix, userText(text)];
  const measureBytes = prompt.bytes + prompt.toolsBytes + measureAll(entries);
  const cacheAfter = prefix.length === 0 ? null : prefix.length - 1;
  return { system: prompt.text, tools: prompt.tools, entries, measureBytes, cacheAfter, form: 'prefix' };
}

function renderSerialised(input: RenderInput): SummaryRequest {
  const { state, go, prompt } = input;
  const previous = go.source.previous === null ? [] : [serialisePrevious(go.source.previous)];
  const items = go.source.items.map((item) => serialiseItem(state, item, go.stale));
  const text = [instructionOf(input), ...previous, ...items].join('\n\n');
  const measureBytes = prompt.bytes + measureText(text);
  return {
    system: prompt.text,
    tools: [],
    entries: [userText(text)],
    measureBytes,
    cacheAfter: null,
    form: 'serialised',
  };
}

function instructionOf({ go, form, focus, installation, rejection }: RenderInput): string {
  return writeSummaryInstruction({ form, capBytes: go.summaryCapBytes, focus, installation, rejection });
}

/** In the cached prefix a mark inside a result would break the prefix, so the readings are named beside it (C6). */
function listStale(state: SessionState, go: CompactionGo): string {
  if (go.stale.items.size === 0) return '';
  const covered = state.items.filter((item) => item.number <= go.throughNumber);
  const lines = covered.flatMap(({ id, number }) => {
    const paths = go.stale.items.get(id);
    return paths === undefined ? [] : [`- item="${number}" state="stale": ${paths.join(', ')}`];
  });
  if (lines.length === 0) return '';
  return [
    'These results show files as they were before they changed; take each as marked state="stale":',
    ...lines,
  ].join('\n');
}

/** A summariser gets images by name (`contract.md` 8). */
function nameImages(message: ViewMessage): ViewMessage {
  if (message.role !== 'user' || message.parts.every((part) => part.type === 'text')) return message;
  const parts = message.parts.map((part) =>
    part.type === 'text' ? part : ({ type: 'text', text: toImageText(part, part.item ?? 0) } as const),
  );
  return { role: 'user', parts };
}

function userText(text: string): ViewMessage {
  return { role: 'user', parts: [{ type: 'text', text }] };
}

function measureAll(entries: readonly ViewMessage[]): number {
  return entries.reduce((sum, entry) => sum + measureMessage(entry), 0);
}
