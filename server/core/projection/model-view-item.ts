import type { FieldsOf, StoredEvent } from '@/server/contract/events/event';
import type { TrimAction } from '@/server/contract/events/view-events';
import type { Cut, Model, Part } from '@/server/contract/shapes';
import { cutText } from '@/server/core/budget/cut-text';
import { utf8Bytes } from '@/server/core/budget/json-bytes';
import { shortenArgs, toArgsObject } from './model-view-args';
import { toItemText } from './model-view-text';
import type { ViewArtifact, ViewAssistantMessage, ViewToolResult, ViewUserMessage } from './view-message';
import {
  CUT_OFF_TEXT,
  frameResult,
  NO_RESULT_TEXT,
  toErrorText,
  toFileText,
  toMaskedText,
  toShortenedMessage,
  toShortenedResult,
  toStubText,
} from './view-texts';

/** How one item comes into a view. `note` says what was done to it, for the account; null: it is as it was. */
export interface Rendered<M> {
  readonly message: M;
  readonly note: string | null;
}

interface Named {
  readonly number: number;
  readonly id: string;
}

/** What of an item its entry depends on; an event not yet appended has it too. */
export type UserContent = Pick<FieldsOf<'message.user'>, 'parts'>;
export type AssistantContent = Pick<FieldsOf<'message.assistant'>, 'parts' | 'model' | 'end' | 'artifacts'>;
export type ResultContent = Pick<FieldsOf<'tool.result'>, 'callId' | 'name' | 'parts' | 'isError' | 'cap'>;

/** A message of a person, whole or cut; null when it says nothing at all (no protocol takes an empty message). */
export function toUserMessage(event: UserContent, name: Named, cut: Cut | null): Rendered<ViewUserMessage> | null {
  const shortened = cut === null ? null : cutText(toItemText(event, name.number), cut);
  if (shortened !== null) {
    const text = toShortenedMessage(name, shortened);
    return { message: { role: 'user', parts: [{ type: 'text', text }] }, note: 'shortened' };
  }
  const parts = event.parts.flatMap((part) => toUserPart(part, name.number));
  return parts.length === 0 ? null : { message: { role: 'user', parts }, note: null };
}

function toUserPart(part: Part, number: number): ViewUserMessage['parts'] {
  if (part.type === 'text') return isBlank(part.text) ? [] : [{ type: 'text', text: part.text }];
  if (part.type === 'file') return [{ type: 'text', text: toFileText(part, number) }];
  if (part.type !== 'image') return [];
  return [{ ...part, width: part.width ?? 0, height: part.height ?? 0, item: number }];
}

/** Whether a reply broke off: its text is marked, its reasoning never sent (`contract.md` 9). */
export function isCutOff(event: AssistantContent): boolean {
  return event.end !== 'stop' && event.end !== 'tool_calls' && event.end !== 'refusal';
}

export interface AssistantHow {
  readonly action: TrimAction | null;
  /** The model the view is for: reasoning and provider data of any other are left out (case-B05, G1). Null: of all. */
  readonly model: Model | null;
}

/**
 * A reply with its calls. Null when neither text nor call is left: reasoning alone is no message (case-B04).
 * Shortened, the text is one part before the calls, and reasoning is left out whole, never edited (case-B05).
 */
export function toAssistantMessage(
  event: AssistantContent,
  name: Named,
  { action, model }: AssistantHow,
): Rendered<ViewAssistantMessage> | null {
  const shorten = action?.do === 'shorten' ? action : null;
  const isOwn = model !== null && event.model.provider === model.provider && event.model.model === model.model;
  const speaks = event.parts.some((part) => part.type === 'tool_call' || (part.type === 'text' && !isBlank(part.text)));
  if (!speaks) return null;
  const whole = event.parts.flatMap((part, index): ViewAssistantMessage['parts'] => {
    const artifacts = isOwn && shorten === null ? artifactsOf(event, index) : [];
    if (part.type === 'text') {
      if (isBlank(part.text)) return [];
      return [{ type: 'text', text: part.text, ...(artifacts.length > 0 ? { artifacts } : {}) }];
    }
    if (part.type === 'reasoning') {
      const isSent = isOwn && shorten === null && !isCutOff(event);
      return isSent ? [{ type: 'reasoning', text: part.text, artifacts }] : [];
    }
    if (part.type !== 'tool_call') return [];
    const { callId, name: tool } = part;
    const args = shorten?.args ? shortenArgs(part.args, shorten.args) : toArgsObject(part.args);
    return [{ type: 'tool_call', callId, name: tool, args, artifacts }];
  });
  const parts = markCutOff(event, shorten === null ? whole : shortenText(whole, name, shorten));
  return { message: { role: 'assistant', parts }, note: shorten === null ? null : 'shortened' };
}

type AssistantPart = ViewAssistantMessage['parts'][number];

function shortenText(parts: readonly AssistantPart[], name: Named, action: TrimAction): readonly AssistantPart[] {
  if (action.headBytes === undefined && action.tailBytes === undefined) return parts;
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  const cut = cutText(text, { headBytes: action.headBytes ?? 0, tailBytes: action.tailBytes ?? 0 });
  if (cut === null) return parts;
  const calls = parts.filter((part) => part.type === 'tool_call');
  return [{ type: 'text', text: toShortenedMessage(name, cut) }, ...calls];
}

function markCutOff(event: AssistantContent, parts: readonly AssistantPart[]): readonly AssistantPart[] {
  const last = parts.findLastIndex((part) => part.type === 'text');
  if (!isCutOff(event) || last === -1) return parts;
  return parts.map((part, index) =>
    index === last && part.type === 'text' ? { ...part, text: `${part.text}\n${CUT_OFF_TEXT}` } : part,
  );
}

/** Data without a part belongs to the whole reply; it travels with the first part. */
function artifactsOf(event: AssistantContent, index: number): readonly ViewArtifact[] {
  return event.artifacts.filter((artifact) => (artifact.part ?? 0) === index);
}

export interface ResultHow {
  readonly mask: StoredEvent<'view.masked'> | null;
  readonly action: TrimAction | null;
}

export type ResultKind = 'raw' | 'masked' | 'stub';

/** A tool result in its frame, in the first state of `contract.md` 9's table that applies. */
export function toViewResult(
  event: ResultContent,
  name: Named,
  { mask, action }: ResultHow,
): { readonly result: ViewToolResult; readonly kind: ResultKind; readonly note: string | null } {
  const framed = (state: 'masked' | 'dropped' | 'shortened' | 'error' | null, text: string): ViewToolResult => ({
    callId: event.callId,
    name: event.name,
    text: frameResult({ tool: event.name, item: name.number, state, text }),
    isError: event.isError,
  });
  if (mask !== null) {
    const text = toMaskedText({ ...name, tool: event.name, callId: event.callId, bytes: mask.bytes, note: mask.note });
    return { result: framed('masked', text), kind: 'masked', note: null };
  }
  const text = toItemText(event, name.number);
  // A result dropped without its call would leave the call unanswered: it stays a stub (pairing law).
  if (action?.do === 'stub' || action?.do === 'drop') {
    return { result: framed('dropped', toStubText(name, utf8Bytes(text))), kind: 'stub', note: null };
  }
  const cut = cutText(text, toResultCut(event, action));
  if (cut !== null)
    return { result: framed('shortened', toShortenedResult(name, cut)), kind: 'raw', note: 'shortened' };
  if (event.isError) return { result: framed('error', toErrorText(text)), kind: 'raw', note: null };
  return { result: framed(null, text), kind: 'raw', note: null };
}

function toResultCut(event: ResultContent, action: TrimAction | null): Cut {
  if (action?.do === 'shorten') return { headBytes: action.headBytes ?? 0, tailBytes: action.tailBytes ?? 0 };
  return event.cap ?? { headBytes: Number.MAX_SAFE_INTEGER, tailBytes: 0 };
}

/** Stands for a result that there is none of: the branch was taken in mid-batch (`contract.md` 2). */
export function toNoResult(call: { readonly callId: string; readonly name: string }): ViewToolResult {
  const text = frameResult({ tool: call.name, item: null, state: 'none', text: NO_RESULT_TEXT });
  return { callId: call.callId, name: call.name, text, isError: false };
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}
