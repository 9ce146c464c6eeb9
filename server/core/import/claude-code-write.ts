import type { StoredEvent } from '@/server/contract/events/event';
import type { Part } from '@/server/contract/shapes';
import { isInterruption, kindOf, toParts, toReplyParts, toResultParts, toUsage } from './claude-code-content';
import type { Block, ClaudeLine } from './claude-code-lines';
import { blocksOf, type ClaudeContent, type ClaudeNode, type ClaudeResult } from './claude-code-tree';
import { measureParts, measureSummary, measureToolResult } from './import-bytes';
import { type BranchPen, type ImportPen, toTextPart } from './import-pen';

type Reply = Extract<ClaudeContent, { kind: 'reply' }>;
type Boundary = Extract<ClaudeContent, { kind: 'boundary' }>;

/** The file's own time of a line, as this log writes times; what is no time keeps the one before it. */
export function timeOf(line: ClaudeLine, otherwise: string): string {
  const ms = line.timestamp ? Date.parse(line.timestamp) : Number.NaN;
  return Number.isNaN(ms) ? otherwise : new Date(ms).toISOString();
}

/** Writes one node at the head of a branch and answers with where the branch stands then. */
export function writeNode(pen: ImportPen, branch: BranchPen, node: ClaudeNode): BranchPen {
  const { content } = node;
  switch (content.kind) {
    case 'message':
      return writeMessage(pen, branch, content);
    case 'reply':
      return writeReply(pen, branch, { content, isInterrupted: node.children.some(startsWithInterruption) });
    case 'boundary':
      return writeBoundary(pen, branch, content);
    case 'microcompact':
      return writeMicrocompact(pen, branch, content.line);
  }
}

function startsWithInterruption({ content }: ClaudeNode): boolean {
  return content.kind === 'message' && content.blocks.some((block) => isInterruption(textOf([block])));
}

function textOf(blocks: readonly Block[]): string {
  return blocks.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n');
}

interface Said {
  readonly line: ClaudeLine;
  readonly blocks: readonly Block[];
}

function writeMessage(pen: ImportPen, branch: BranchPen, { line, blocks }: Said): BranchPen {
  const isOrphan = blocks.every(({ type }) => type === 'tool_result');
  const kind = isOrphan ? 'injected' : kindOf(line, textOf(blocks));
  return writeUser(pen, { ...branch, at: timeOf(line, branch.at) }, { parts: toParts(pen, blocks), kind });
}

function writeUser(
  pen: ImportPen,
  branch: BranchPen,
  { parts, kind }: { readonly parts: Part[]; readonly kind: 'person' | 'command' | 'injected' },
): BranchPen {
  const by = pen.context.owner;
  return pen.writeItem(branch, { type: 'message.user', parts, by, place: 'here', kind, bytes: measureParts(parts) });
}

function writeReply(
  pen: ImportPen,
  branch: BranchPen,
  { content, isInterrupted }: { readonly content: Reply; readonly isInterrupted: boolean },
): BranchPen {
  const [first] = content.lines;
  const last = content.lines.at(-1);
  if (!first || !last) return branch;
  const model = (first.message?.model || 'unknown').slice(0, 300);
  const { parts, artifacts } = toReplyParts(content.lines.flatMap(blocksOf), model);
  const at = timeOf(first, branch.at);
  const rawEnd =
    content.lines.findLast(({ message }) => message?.stop_reason)?.message?.stop_reason?.slice(0, 200) ?? null;
  const reply = pen.writeItem(
    { ...branch, at },
    {
      type: 'message.assistant',
      step: 0,
      model: { provider: 'anthropic', model },
      parts,
      end: isInterrupted ? 'cancelled' : toEnd({ rawEnd, parts, isError: first.isApiErrorMessage === true }),
      rawEnd,
      usage: toUsage(content.lines),
      ms: Math.max(0, Date.parse(timeOf(last, at)) - Date.parse(at)),
      artifacts,
      bytes: measureParts(parts),
    },
  );
  const calls = parts.filter((part) => part.type === 'tool_call');
  return calls.reduce(
    (standing, call) => writeResult(pen, standing, { call, result: content.results.get(call.callId) }),
    reply,
  );
}

type End = StoredEvent<'message.assistant'>['end'];

/** Newer files give the reason on the last line of a reply only, older ones never: then its calls tell. */
function toEnd(facts: {
  readonly rawEnd: string | null;
  readonly parts: readonly Part[];
  readonly isError: boolean;
}): End {
  if (facts.isError) return 'error';
  if (facts.rawEnd === 'max_tokens') return 'length';
  if (facts.rawEnd === 'refusal') return 'refusal';
  return facts.parts.some(({ type }) => type === 'tool_call') ? 'tool_calls' : 'stop';
}

interface Answered {
  readonly call: Extract<Part, { type: 'tool_call' }>;
  readonly result: ClaudeResult | undefined;
}

/** Results in the order of the calls, whatever order they came in; a call without one stays open. */
function writeResult(pen: ImportPen, branch: BranchPen, { call, result }: Answered): BranchPen {
  if (!result) return branch;
  const { callId, name } = call;
  const parts = toResultParts(pen, result.block);
  const isError = result.block.is_error === true;
  const number = branch.items.length + 1;
  const measured = measureToolResult({ callId, name, parts, isError, number, capBytes: pen.context.resultCapBytes });
  const why = toWhy(isError, parts);
  const at = timeOf(result.line, branch.at);
  return pen.writeItem(
    { ...branch, at },
    { type: 'tool.result', callId, name, parts, isError, why, ms: 0, ...measured },
    callId,
  );
}

/** The words Claude Code writes where a person refused a call or stopped it (2.1, February 2026). */
function toWhy(isError: boolean, parts: readonly Part[]): 'ran' | 'denied' | 'cancelled' {
  const [first] = parts;
  if (!isError || first?.type !== 'text') return 'ran';
  if (isInterruption(first.text)) return 'cancelled';
  return first.text.startsWith("The user doesn't want to") ? 'denied' : 'ran';
}

/**
 * A compaction of the tool's own is a boundary here: its summary stands in for everything before it, imported as it
 * is, with nothing kept beside it. Where nothing stands before it, the file begins with what another file's session
 * was summed up to: then the text is a message.
 */
function writeBoundary(pen: ImportPen, branch: BranchPen, { line, summary }: Boundary): BranchPen {
  const at = timeOf(summary ?? line, branch.at);
  const placed = { ...branch, at };
  const text = summary ? textOf(blocksOf(summary)) : null;
  const noted = (standing: BranchPen) => noteBoundary(pen, standing, { line, isMissing: text === null });
  if (text === null) return noted(placed);
  const first = branch.items[0];
  const last = branch.items.at(-1);
  if (!first || !last) return writeUser(pen, placed, { parts: [toTextPart(text)], kind: 'injected' });
  const total = branch.items.reduce((sum, { bytes }) => sum + bytes, 0);
  const bytes = measureSummary(text, { number: branch.items.length, id: last.id });
  const before = branch.checkpoint;
  const { written, ...standing } = pen.write(placed, {
    type: 'checkpoint.committed',
    compactionId: pen.context.nextId(),
    text,
    covers: { from: first.id, through: last.id, items: branch.items.length, bytes: total },
    previous: before?.id ?? null,
    model: null,
    sourceBytes: before ? total - before.coveredBytes + before.bytes : total,
    bytes,
    imported: true,
  });
  return noted({ ...standing, checkpoint: { id: written, coveredBytes: total, bytes } });
}

function noteBoundary(
  pen: ImportPen,
  branch: BranchPen,
  { line, isMissing }: { readonly line: ClaudeLine; readonly isMissing: boolean },
): BranchPen {
  const trigger = line.compactMetadata?.trigger?.slice(0, 100) ?? null;
  const preTokens = line.compactMetadata?.preTokens ?? null;
  const size = preTokens === null ? '' : `, at ${preTokens} tokens`;
  const how = trigger === null ? '' : ` (${trigger}${size})`;
  const text = isMissing
    ? `Claude Code compacted here${how}; its summary is not in the file.`
    : `Compacted by Claude Code${how}.`;
  const { written: _written, ...standing } = pen.write(branch, {
    type: 'note',
    kind: 'import',
    text,
    data: { trigger, preTokens },
  });
  return standing;
}

/** Only the named results left the tool's context: here they are stubs, and each can be read again (M5). */
function writeMicrocompact(pen: ImportPen, branch: BranchPen, line: ClaudeLine): BranchPen {
  const ids = new Set(line.microcompactMetadata?.compactedToolIds ?? []);
  const dropped = branch.items.filter(({ callId }) => callId !== null && ids.has(callId));
  if (dropped.length === 0) return branch;
  const before = branch.items.reduce((sum, { bytes }) => sum + bytes, 0);
  const bytes = dropped.reduce((sum, item) => sum + item.bytes, 0);
  const nothing = { count: 0, bytes: 0 };
  const { written: _written, ...standing } = pen.write(
    { ...branch, at: timeOf(line, branch.at) },
    {
      type: 'view.trimmed',
      actions: dropped.map(({ id }) => ({ item: id, do: 'stub' })),
      kinds: { results: { count: dropped.length, bytes }, trips: nothing, replies: nothing, messages: nothing },
      before,
      after: before - bytes,
      room: before - bytes,
    },
  );
  return standing;
}
