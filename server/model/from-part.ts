import type { TextStreamPart, ToolSet } from 'ai';
import type { ModelPart, ModelUsage, ProviderKind } from '@/server/ports/model';
import { artifactKind, isWorthKeeping, readMetadata } from './artifacts';

type SdkPart = TextStreamPart<ToolSet>;

export const NO_USAGE: ModelUsage = { input: null, output: null, cachedRead: null, cachedWrite: null, reasoning: null };

/** What a stream has shown so far; `error` is the first one and may be any shape (stack 6). */
export interface ReplyFacts {
  readonly finishReason: string | null;
  readonly rawEnd: string | null;
  readonly usage: ModelUsage;
  readonly failed: boolean;
  readonly error: unknown;
  readonly text: string;
  readonly calls: number;
}

export interface ReplyReader {
  /** The parts to hand on for one part of the SDK; an empty list for most. */
  readonly read: (part: SdkPart) => readonly ModelPart[];
  readonly facts: () => ReplyFacts;
}

/**
 * Turns the SDK's stream parts into ours: blocks become numbered parts in order of their first content, opaque metadata
 * becomes one artifact at the end of its block, and everything that is no content is remembered as a fact.
 */
export function createReplyReader(kind: ProviderKind): ReplyReader {
  const facts = newFacts();
  let parts = 0;
  const nextPart = () => parts++;
  const blocks = createBlockReader({ kind, facts, nextPart });
  return {
    facts: () => facts,
    read: (part) => {
      switch (part.type) {
        case 'text-start':
        case 'reasoning-start':
          blocks.open(part.type === 'text-start' ? 'text' : 'reasoning', part.id, part.providerMetadata);
          return [];
        case 'text-delta':
          return blocks.delta('text', part);
        case 'reasoning-delta':
          return blocks.delta('reasoning', part);
        case 'text-end':
          return blocks.close('text', part);
        case 'reasoning-end':
          return blocks.close('reasoning', part);
        case 'tool-call':
          facts.calls += 1;
          return toCall(kind, nextPart(), part);
        default:
          noteFact(facts, part);
          return [];
      }
    },
  };
}

type Facts = ReturnType<typeof newFacts>;

const newFacts = () => ({
  finishReason: null as string | null,
  rawEnd: null as string | null,
  usage: NO_USAGE,
  failed: false,
  error: undefined as unknown,
  text: '',
  calls: 0,
});

/** What is no content: how it ended, and the first error of it. */
function noteFact(facts: Facts, part: SdkPart): void {
  switch (part.type) {
    case 'error':
      if (!facts.failed) facts.error = part.error;
      facts.failed = true;
      return;
    case 'abort':
      facts.failed = true;
      return;
    case 'finish':
      facts.finishReason = part.finishReason;
      facts.rawEnd = part.rawFinishReason ?? null;
      facts.usage = toUsage(part.totalUsage);
      return;
    default:
      return;
  }
}

interface BlockReaderInput {
  readonly kind: ProviderKind;
  readonly facts: Facts;
  readonly nextPart: () => number;
}

/** Text and reasoning: a block has a number from its first content on, and its metadata until it closes. */
function createBlockReader({ kind, facts, nextPart }: BlockReaderInput) {
  const blocks = new Map<string, Block>();
  const open = (type: 'text' | 'reasoning', id: string, metadata: unknown): Block => {
    const key = `${type}:${id}`;
    const block = blocks.get(key) ?? { part: null, metadata: {} };
    Object.assign(block.metadata, readMetadata(kind, metadata));
    blocks.set(key, block);
    return block;
  };
  const delta = (
    type: 'text' | 'reasoning',
    part: { id: string; text: string; providerMetadata?: unknown },
  ): ModelPart[] => {
    const block = open(type, part.id, part.providerMetadata);
    if (part.text === '') return [];
    block.part ??= nextPart();
    if (type === 'text') facts.text += part.text;
    return [{ type, part: block.part, text: part.text }];
  };
  const close = (type: 'text' | 'reasoning', part: { id: string; providerMetadata?: unknown }): ModelPart[] => {
    const block = open(type, part.id, part.providerMetadata);
    blocks.delete(`${type}:${part.id}`);
    const parts: ModelPart[] = [];
    // A text's own item id must not come back without its reasoning (case-B06), so only Google's text signatures are kept.
    const keeps = isWorthKeeping(kind, block.metadata) && (type === 'reasoning' || kind === 'google');
    if (keeps && block.part === null && type === 'reasoning') {
      block.part = nextPart();
      parts.push({ type: 'reasoning', part: block.part, text: '' });
    }
    if (keeps && block.part !== null) parts.push(toArtifact(kind, block.part, block.metadata));
    return parts;
  };
  return { open, delta, close };
}

function toCall(kind: ProviderKind, index: number, part: Extract<SdkPart, { type: 'tool-call' }>): ModelPart[] {
  const metadata = readMetadata(kind, part.providerMetadata);
  const parsed = toArgs(part.input);
  const own: ModelPart = {
    type: 'tool_call',
    part: index,
    callId: part.toolCallId,
    name: part.toolName,
    args: parsed.args,
    argsError: parsed.error,
  };
  return kind === 'google' && isWorthKeeping(kind, metadata) ? [own, toArtifact(kind, index, metadata)] : [own];
}

interface Block {
  part: number | null;
  readonly metadata: Record<string, string>;
}

function toArtifact(kind: ProviderKind, part: number, metadata: Readonly<Record<string, string>>): ModelPart {
  return { type: 'artifact', part, kind: artifactKind(kind), data: JSON.stringify(metadata) };
}

/** The SDK hands broken arguments on as their text; an empty one means "none" with many servers. */
function toArgs(input: unknown): { readonly args: unknown; readonly error: string | null } {
  if (typeof input !== 'string') return { args: input ?? {}, error: null };
  if (input.trim() === '') return { args: {}, error: null };
  return { args: input, error: 'The arguments are not a JSON object.' };
}

/** Numbers as reported, cached input counted in `input`. Missing is null, and so is an input of 0: no request is empty (case-D06). */
export function toUsage(usage: Extract<SdkPart, { type: 'finish' }>['totalUsage']): ModelUsage {
  return {
    input: usage.inputTokens === undefined || usage.inputTokens <= 0 ? null : usage.inputTokens,
    output: usage.outputTokens ?? null,
    cachedRead: usage.inputTokenDetails?.cacheReadTokens ?? null,
    cachedWrite: usage.inputTokenDetails?.cacheWriteTokens ?? null,
    reasoning: usage.outputTokenDetails?.reasoningTokens ?? null,
  };
}
