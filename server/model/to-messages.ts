import type { AssistantContent, ModelMessage, ToolContent, UserContent } from 'ai';
import type {
  ViewAssistantMessage,
  ViewImage,
  ViewToolMessage,
  ViewUserMessage,
} from '@/server/core/projection/view-message';
import type { ModelRequest } from '@/server/ports/model';
import { toArtifactOptions } from './artifacts';
import { toCallId } from './call-ids';
import { chooseImages, toImageText } from './images';
import { mendPairs, type PlacedMessage } from './mend-pairs';
import { applyRoleRules } from './merge-roles';
import type { Target } from './target';
import { toArgsObject, toSendable } from './well-formed';

export interface TargetMessages {
  readonly messages: ModelMessage[];
  /** False when the running turn was begun by another model: Anthropic then refuses thinking for this request. */
  readonly mayThink: boolean;
}

type CacheOptions = {
  readonly providerOptions?: {
    readonly anthropic: { readonly cacheControl: { readonly type: 'ephemeral'; readonly ttl?: '1h' } };
  };
};

interface Scope {
  readonly target: Target;
  readonly images: ReadonlySet<ViewImage>;
  readonly imageData: ModelRequest['imageData'];
}

/**
 * Translates view entries for one target by the rules of contract 10, before the SDK sees them (stack 6h). Promises a
 * request the protocol accepts whatever the view went through (G3): paired calls, legal roles, no empty text,
 * well-formed strings, foreign reasoning left out, images only where they are seen and fit. Never edits a signed part.
 */
export function toMessages(
  request: ModelRequest,
  target: Target,
  imageLimitBytes = target.imageLimitBytes,
): TargetMessages {
  const placed = request.entries.map((message, index) => ({
    message,
    inTurn: request.turnFrom !== null && index >= request.turnFrom,
    isCacheEnd: request.cacheAfter === index,
  }));
  const limits = { limitBytes: imageLimitBytes, oneImageBytes: target.oneImageBytes };
  const images = target.vision ? chooseImages(request.entries, limits) : new Set<ViewImage>();
  const scope: Scope = { target, images, imageData: request.imageData };
  const mended = mendPairs(placed);
  const messages = mended.flatMap((entry) => translate(entry, scope));
  return {
    messages: applyRoleRules(messages, target),
    mayThink: !mended.some((entry) => isForeignStep(entry, target)),
  };
}

/** A step of the running turn with a call that this model did not sign. */
function isForeignStep(entry: PlacedMessage, target: Target): boolean {
  const { message } = entry;
  if (!entry.inTurn || message.role !== 'assistant' || !message.parts.some((part) => part.type === 'tool_call'))
    return false;
  return !message.parts.some(
    (part) => part.type !== 'tool_call' && toArtifactOptions(part.artifacts, target) !== undefined,
  );
}

function translate(entry: PlacedMessage, scope: Scope): ModelMessage[] {
  switch (entry.message.role) {
    case 'user':
      return translateUser(entry.message, entry, scope);
    case 'assistant':
      return translateAssistant(entry.message, entry, scope);
    case 'tool':
      return translateTool(entry.message, entry, scope);
  }
}

function translateUser(message: ViewUserMessage, entry: PlacedMessage, scope: Scope): ModelMessage[] {
  const content: Exclude<UserContent, string> = [];
  for (const part of message.parts) {
    const data = part.type === 'image' && scope.images.has(part) ? scope.imageData(part.sha256) : null;
    if (part.type === 'image' && data !== null) content.push({ type: 'image', image: data, mediaType: part.mediaType });
    else pushText(content, part.type === 'image' ? toImageText(part) : part.text);
  }
  return content.length === 0 ? [] : [{ role: 'user', content: markLast(content, entry, scope.target) }];
}

function pushText(content: Exclude<UserContent, string>, text: string): void {
  const clean = toSendable(text);
  if (clean.trim() !== '') content.push({ type: 'text', text: clean });
}

function translateAssistant(message: ViewAssistantMessage, entry: PlacedMessage, scope: Scope): ModelMessage[] {
  const content: Exclude<AssistantContent, string> = [];
  for (const part of message.parts) {
    const options = toArtifactOptions(part.artifacts, scope.target);
    const carried = options === undefined ? {} : { providerOptions: options };
    if (part.type === 'tool_call') {
      content.push({
        type: 'tool-call',
        toolCallId: toCallId(scope.target, part.callId),
        toolName: part.name,
        input: toArgsObject(part.args),
        ...carried,
      });
    } else if (part.type === 'text') {
      const text = toSendable(part.text);
      // A text that had to be cleaned is no longer the one that was signed.
      const keeps = scope.target.kind !== 'openai' && text === part.text;
      if (text.trim() !== '') content.push({ type: 'text', text, ...(keeps ? carried : {}) });
    } else if (options !== undefined && toSendable(part.text) === part.text) {
      // Byte-identical or not at all: this text is never cleaned.
      content.push({ type: 'reasoning', text: part.text, ...carried });
    }
  }
  const followed = dropTrailingReasoning(content);
  return followed.length === 0 ? [] : [{ role: 'assistant', content: markLast(followed, entry, scope.target) }];
}

/** Reasoning that nothing follows is refused by Responses, and says nothing to others (case-B06). */
function dropTrailingReasoning(content: Exclude<AssistantContent, string>): Exclude<AssistantContent, string> {
  let end = content.length;
  while (content[end - 1]?.type === 'reasoning') end -= 1;
  return content.slice(0, end);
}

function translateTool(message: ViewToolMessage, entry: PlacedMessage, scope: Scope): ModelMessage[] {
  const content: ToolContent = message.results.map((result) => ({
    type: 'tool-result',
    toolCallId: toCallId(scope.target, result.callId),
    toolName: result.name,
    output: { type: result.isError ? 'error-text' : 'text', value: toSendable(result.text) || '(no output)' },
  }));
  return content.length === 0 ? [] : [{ role: 'tool', content: markLast(content, entry, scope.target) }];
}

/** Puts the cache mark on the last part, so that a plan block merged behind it stays outside. */
function markLast<T extends object>(content: T[], entry: PlacedMessage, target: Target): T[] {
  const last = content.at(-1);
  if (!entry.isCacheEnd || last === undefined) return content;
  return [...content.slice(0, -1), { ...last, ...toCacheMark(target) }];
}

/** Anthropic's cache mark as the SDK takes it, or nothing for other targets and where it is switched off. */
export function toCacheMark(target: Target): CacheOptions {
  if (target.kind !== 'anthropic' || target.cacheTtl === 'off') return {};
  return {
    providerOptions: {
      anthropic: { cacheControl: target.cacheTtl === '1h' ? { type: 'ephemeral', ttl: '1h' } : { type: 'ephemeral' } },
    },
  };
}
