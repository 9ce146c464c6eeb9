import { isRecord } from '@/server/contract/is-record';
import type { Part, Usage } from '@/server/contract/shapes';
import { type Block, type ClaudeLine, callIdOf } from './claude-code-lines';
import { type ImportPen, toTextPart } from './import-pen';

/** What the blocks of a Claude Code line are in this product's words. */

export type UserKind = 'person' | 'command' | 'injected';

const COMMAND = /^\s*<(command-name|command-message|bash-input)>/;
const INJECTED =
  /^\s*(<(local-command-|bash-stdout|bash-stderr|system-reminder|task-notification)|\[Request interrupted by user)/;

/** Who speaks: not everything under `type: "user"` is a person (README of the format). */
export function kindOf(line: ClaudeLine, text: string): UserKind {
  if (line.isMeta === true || line.isCompactSummary === true || INJECTED.test(text)) return 'injected';
  return COMMAND.test(text) ? 'command' : 'person';
}

/** The line Claude Code writes where a person stopped a reply. */
export function isInterruption(text: string): boolean {
  return text.startsWith('[Request interrupted by user');
}

/** Text, images and documents; what has no place here is kept as its JSON, so nothing is lost. */
export function toParts(pen: ImportPen, blocks: readonly Block[]): Part[] {
  return blocks.map((block, place) => {
    if (block.type === 'text' && typeof block.text === 'string') return toTextPart(block.text);
    if (block.type === 'image' || block.type === 'document') return toMedia(pen, block, place);
    if (block.type === 'tool_result') return toTextPart(quoteOrphan(block));
    return toTextPart(JSON.stringify(block));
  });
}

function toMedia(pen: ImportPen, block: Block, place: number): Part {
  const source = isRecord(block.source) ? block.source : {};
  if (typeof source.url === 'string') return toTextPart(`[Image: ${source.url}]`);
  const mediaType = typeof source.media_type === 'string' ? source.media_type : 'application/octet-stream';
  const kept = typeof source.data === 'string' ? pen.keepBlob(source.data, mediaType) : null;
  if (!kept) return toTextPart(`[${block.type} could not be read]`);
  const name = `${block.type}-${place + 1}.${mediaType.split('/')[1]?.split('+')[0] ?? 'bin'}`;
  if (!mediaType.startsWith('image/')) return { type: 'file', ...kept, mediaType, name };
  return { type: 'image', ...kept, mediaType, name, width: null, height: null };
}

/** A result whose call is not in the file: no call may be made up for it, so its text is quoted. */
function quoteOrphan(block: Block): string {
  const quoted = textOfResult(block)
    .split('\n')
    .map((line) => `> ${line}`);
  return [`Result of a tool call that is not in the imported file (${String(block.tool_use_id)}):`, ...quoted].join(
    '\n',
  );
}

function textOfResult({ content }: Block): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.flatMap((part) => (isRecord(part) && typeof part.text === 'string' ? [part.text] : [])).join('\n');
}

/** Content of a result: a string, or blocks of text and images. */
export function toResultParts(pen: ImportPen, { content }: Block): Part[] {
  if (typeof content === 'string') return [toTextPart(content)];
  if (!Array.isArray(content)) return [];
  return toParts(pen, content.filter(isBlock));
}

function isBlock(value: unknown): value is Block {
  return isRecord(value) && typeof value.type === 'string';
}

export interface ReplyArtifact {
  readonly provider: string;
  readonly model: string;
  readonly part: number;
  readonly kind: string;
  readonly data: Readonly<Record<string, string>>;
}

/** Blocks of a reply as parts, and the opaque data of its reasoning, which only its own model gets back (case-F04). */
export function toReplyParts(blocks: readonly Block[], model: string): { parts: Part[]; artifacts: ReplyArtifact[] } {
  const parts: Part[] = [];
  const artifacts: ReplyArtifact[] = [];
  for (const block of blocks) {
    const data = opaqueOf(block);
    if (data) artifacts.push({ provider: 'anthropic', model, part: parts.length, kind: 'thinking', data });
    parts.push(toReplyPart(block));
  }
  return { parts, artifacts };
}

function toReplyPart(block: Block): Part {
  if (block.type === 'text' && typeof block.text === 'string') return toTextPart(block.text);
  if (block.type === 'thinking')
    return { type: 'reasoning', text: typeof block.thinking === 'string' ? block.thinking : '' };
  if (block.type === 'redacted_thinking') return { type: 'reasoning', text: '' };
  if (block.type !== 'tool_use') return toTextPart(JSON.stringify(block));
  const name = typeof block.name === 'string' && block.name !== '' ? block.name.slice(0, 200) : 'unknown';
  return { type: 'tool_call', callId: callIdOf(block.id), name, args: block.input ?? {} };
}

function opaqueOf(block: Block): Readonly<Record<string, string>> | null {
  if (block.type === 'thinking' && typeof block.signature === 'string') return { signature: block.signature };
  return block.type === 'redacted_thinking' && typeof block.data === 'string' ? { redactedData: block.data } : null;
}

/** Usage of a reply: that of its last line, once; `input` includes what the cache held, as everywhere here. */
export function toUsage(lines: readonly ClaudeLine[]): Usage | null {
  const usage = lines.findLast(({ message }) => message?.usage)?.message?.usage;
  if (!usage) return null;
  const cachedRead = toCount(usage.cache_read_input_tokens);
  const cachedWrite = toCount(usage.cache_creation_input_tokens);
  const input = toCount(usage.input_tokens);
  return {
    input: input === null ? null : input + (cachedRead ?? 0) + (cachedWrite ?? 0),
    output: toCount(usage.output_tokens),
    cachedRead,
    cachedWrite,
    reasoning: null,
  };
}

/** Far above any window; what is beyond is no count of tokens. */
const maxTokens = 1_000_000_000_000;

function toCount(value: number | null | undefined): number | null {
  const isCount = typeof value === 'number' && value >= 0 && value <= maxTokens;
  return isCount ? Math.round(value) : null;
}
