import type { StoredEvent } from '@/server/contract/events/event';
import type { TrimAction } from '@/server/contract/events/view-events';
import type { Part, PlanItem } from '@/server/contract/shapes';
import type { NewEvent } from '@/server/core/log/new-event';
import { builtBytes, type LogDesk } from './log-builder-desk';
import type { Item } from './state-shape';

/** What the verbs of `log-builder` append. Defaults are those of an ordinary small conversation. */

export const builtModel = { provider: 'practice', model: 'rules-1' };

/** A text as a part of a message. */
export const textPart = (text: string): Part => ({ type: 'text', text });

/** The event of an item, by its number on the current path or by its id. Throws when there is none. */
export function itemAt(desk: LogDesk, at: number | string): Item {
  const { items } = desk.state;
  const item = typeof at === 'number' ? items[at - 1] : items.find(({ id }) => id === at);
  if (!item) throw new TypeError(`no item ${at}; the path has ${items.length}`);
  return item;
}

/** Id of the newest item of the path; null for none. */
export function newestItemIdAt(desk: LogDesk): string | null {
  return desk.state.items.at(-1)?.id ?? null;
}

/** Id of the kept prompt; the first asking keeps one. */
export function promptKept(desk: LogDesk): string {
  const kept = desk.state.keptPrompt;
  if (kept) return kept.id;
  return desk.append({
    type: 'prompt.kept',
    text: 'You are a helpful agent.',
    sections: [{ name: 'application', bytes: 24, source: null }],
    tools: [],
    agentVersion: null,
    memoryHash: null,
    wording: 1,
    bytes: 24,
    toolsBytes: 2,
  }).id;
}

/** A message of Ada, measured. */
export function userMessage(text: string, turnId: string | null, fields: Partial<UserFields> = {}): NewEvent {
  const parts = fields.parts ?? [textPart(text)];
  return { type: 'message.user', by: 'ada', bytes: builtBytes(parts), turnId, ...fields, parts };
}

type UserFields = Extract<NewEvent, { type: 'message.user' }>;
type AssistantFields = Extract<NewEvent, { type: 'message.assistant' }>;
type ResultFields = Extract<NewEvent, { type: 'tool.result' }>;
type CheckpointFields = Extract<NewEvent, { type: 'checkpoint.committed' }>;
export type SaysOptions = Partial<UserFields>;
export type RepliesOptions = Partial<AssistantFields>;
export type ResultOptions = Partial<ResultFields>;
export type CheckpointOptions = Partial<CheckpointFields>;

/** Begins a turn; without a message it is a *Continue*. */
export function startTurn(desk: LogDesk, messageId: string | null, turnId: string): StoredEvent {
  const promptId = promptKept(desk);
  const why = messageId === null ? 'continue' : 'message';
  return desk.append({ type: 'turn.started', turnId, messageId, why, model: builtModel, promptId });
}

/** A reply of the built model, measured. */
export function assistantMessage(parts: readonly Part[], fields: RepliesOptions = {}): NewEvent {
  const end = parts.some((part) => part.type === 'tool_call') ? 'tool_calls' : 'stop';
  return {
    type: 'message.assistant',
    step: 0,
    model: builtModel,
    end,
    usage: { input: 100, output: 10, cachedRead: null, cachedWrite: null, reasoning: null },
    ms: 5,
    bytes: builtBytes(parts),
    ...fields,
    parts: [...parts],
  };
}

/** A result that ran, measured. */
export function toolResult(callId: string, name: string, text: string, fields: ResultOptions = {}): NewEvent {
  const parts = [textPart(text)];
  return { type: 'tool.result', callId, name, parts, ms: 1, bytes: builtBytes(parts), ...fields };
}

/** Ends a turn. */
export function endTurn(
  desk: LogDesk,
  outcome: 'finished' | 'failed' | 'cancelled' | 'interrupted',
  code?: string,
): void {
  const { openTurn } = desk.state;
  if (!openTurn) return;
  const ended = { type: 'turn.ended', turnId: openTurn.turnId, outcome, steps: 1 } as const;
  desk.append(code === undefined ? ended : { ...ended, code, text: `It ended with ${code}.` });
}

/** `[x] text`, `[>] text` or `[ ] text`, as the plan block shows them; text alone is pending. */
export function planItem(line: string, place: number): PlanItem {
  const [, mark, text] = /^\[([x> ])\] (.*)$/.exec(line) ?? ['', ' ', line];
  const status = mark === 'x' ? 'done' : mark === '>' ? 'active' : 'pending';
  return { id: `p${place + 1}`, text: text ?? line, status };
}

export interface CompactsOptions {
  /** Number of the last item covered. Default: the newest item. */
  readonly covers?: number;
  readonly text?: string;
  /** Numbers of items kept. Default: the first message of a person. */
  readonly keep?: readonly number[];
  readonly trigger?: 'auto' | 'manual' | 'overflow';
  readonly checkpoint?: CheckpointOptions;
}

export const builtSummary = ['Objective', 'Constraints', 'Decisions and evidence', 'Invalidated', 'Work', 'Next action']
  .concat(['Files', 'Code anchors'])
  .map((heading) => `## ${heading}\nnone`)
  .join('\n\n');

/** A whole compaction, from its start to its checkpoint and end. */
export function compact(desk: LogDesk, options: CompactsOptions): void {
  const { items, checkpoint } = desk.state;
  const covered = items.slice(0, options.covers ?? items.length);
  const covers = rangeOf(covered);
  const compactionId = desk.nextId();
  const undoTo = desk.head;
  startCompaction(desk, { compactionId, trigger: options.trigger ?? 'manual', covers });
  desk.append({
    type: 'compaction.attempt',
    compactionId,
    n: 1,
    model: builtModel,
    requestBytes: covers.bytes,
    ms: 10,
    outcome: 'accepted',
  });
  const first = covered.find(({ event }) => event.type === 'message.user' && event.kind === 'person');
  const keep = options.keep?.map((number) => itemAt(desk, number).id) ?? (first ? [first.id] : []);
  desk.append({
    type: 'checkpoint.committed',
    compactionId,
    text: options.text ?? builtSummary,
    covers,
    keep,
    previous: checkpoint?.event.id ?? null,
    model: builtModel,
    sourceBytes: covers.bytes,
    bytes: builtBytes([textPart(options.text ?? builtSummary)]),
    undoTo,
    ...options.checkpoint,
  });
  desk.append({ type: 'compaction.ended', compactionId, outcome: 'committed', before: covers.bytes, after: 500 });
}

/** Begins a compaction of the items so far. */
export function startCompaction(
  desk: LogDesk,
  fields: { compactionId: string; trigger: 'auto' | 'manual' | 'overflow'; covers: ReturnType<typeof rangeOf> | null },
): void {
  const { compactionId, trigger, covers } = fields;
  const numbers = { budget: 400_000, floor: 2000, room: 398_000, trigger: 338_300, commit: 202_980, view: 1000 };
  desk.append({ type: 'compaction.started', compactionId, trigger, source: covers, numbers, chain: [builtModel] });
}

/** The range from the first to the last of these items. */
export function rangeOf(items: readonly Item[]) {
  const first = items[0];
  const last = items.at(-1);
  if (!first || !last) throw new TypeError('nothing to cover');
  return {
    from: first.id,
    through: last.id,
    items: items.length,
    bytes: items.reduce((sum, { event }) => sum + event.bytes, 0),
  };
}

/** Appends a trim of these actions. */
export function trim(desk: LogDesk, actions: readonly TrimAction[]): StoredEvent {
  const nothing = { count: 0, bytes: 0 };
  const kinds = { results: nothing, trips: nothing, replies: nothing, messages: nothing };
  return desk.append({ type: 'view.trimmed', actions: [...actions], kinds, before: 2000, after: 1000, room: 1500 });
}
