import { z } from 'zod';
import type { ImportWarning } from '@/server/contract/import';
import { isRecord } from '@/server/contract/is-record';
import { MAX_LINE_BYTES, MAX_NESTING } from '@/server/core/log/line-limits';
import { nestsDeeperThan } from '@/server/core/log/line-nesting';
import { splitObjects } from './split-objects';

/**
 * Lines of a Claude Code session file, parsed once. The file is a tree by `parentUuid`; one reply stands on several
 * lines, one block each; `toolUseResult` is a second copy of a result for the screen and is never read.
 */

const blockSchema = z.looseObject({ type: z.string() });
const usageSchema = z.looseObject({
  input_tokens: z.number().nullish(),
  output_tokens: z.number().nullish(),
  cache_read_input_tokens: z.number().nullish(),
  cache_creation_input_tokens: z.number().nullish(),
});

const messageSchema = z.looseObject({
  id: z.string().nullish(),
  model: z.string().nullish(),
  content: z.union([z.string(), z.array(blockSchema)]),
  stop_reason: z.string().nullish(),
  usage: usageSchema.nullish(),
});

const lineSchema = z.looseObject({
  type: z.string(),
  subtype: z.string().nullish(),
  uuid: z.string().nullish(),
  parentUuid: z.string().nullish(),
  logicalParentUuid: z.string().nullish(),
  isSidechain: z.boolean().nullish(),
  isMeta: z.boolean().nullish(),
  isCompactSummary: z.boolean().nullish(),
  isApiErrorMessage: z.boolean().nullish(),
  timestamp: z.string().nullish(),
  message: messageSchema.nullish().catch(null),
  summary: z.string().nullish(),
  leafUuid: z.string().nullish(),
  compactMetadata: z
    .looseObject({ trigger: z.string().nullish(), preTokens: z.number().nullish() })
    .nullish()
    .catch(null),
  microcompactMetadata: z
    .looseObject({ preTokens: z.number().nullish(), compactedToolIds: z.array(z.string()).nullish() })
    .nullish()
    .catch(null),
});

export type Block = z.infer<typeof blockSchema>;
export type ClaudeLine = z.infer<typeof lineSchema> & { readonly line: number };

export interface ClaudeLines {
  /** Lines in file order; one written twice under one `uuid` stands once. */
  readonly lines: readonly ClaudeLine[];
  readonly warnings: readonly ImportWarning[];
  /** Lines that carry no conversation, by type. */
  readonly skipped: Readonly<Record<string, number>>;
}

/** Types that hold conversation or say something about it; everything else is counted and left out. */
const SPEAKING = new Set(['user', 'assistant', 'summary', 'system:compact_boundary', 'system:microcompact_boundary']);

/** True for the first lines of such a file: some line must be one of its messages. */
export function looksLikeClaudeCode(text: string): boolean {
  const head = text.slice(0, 200_000).split('\n', 40);
  return head.some((line) =>
    splitObjects(line).some(
      (piece) =>
        piece.kind === 'object' &&
        (piece.value.type === 'user' || piece.value.type === 'assistant') &&
        typeof piece.value.uuid === 'string' &&
        isRecord(piece.value.message),
    ),
  );
}

/** Reads all lines. Whatever cannot be read is a warning with its line number, never a failure. */
export function readClaudeLines(text: string): ClaudeLines {
  const lines: ClaudeLine[] = [];
  const warnings: ImportWarning[] = [];
  const skipped = new Map<string, number>();
  const seen = new Set<string>();
  for (const [place, textLine] of text.split('\n').entries()) {
    const read = readLine(textLine, place + 1);
    warnings.push(...read.warnings);
    for (const line of read.lines) {
      if (line.uuid && seen.has(line.uuid)) {
        count(skipped, 'repeated');
        continue;
      }
      if (line.uuid) seen.add(line.uuid);
      if (!isSpeaking(line)) count(skipped, line.type);
      lines.push(line);
    }
  }
  return { lines, warnings, skipped: Object.fromEntries(skipped) };
}

function readLine(text: string, line: number): Pick<ClaudeLines, 'lines' | 'warnings'> {
  if (text.trim() === '') return { lines: [], warnings: [] };
  if (isTooMuch(text)) {
    return {
      lines: [],
      warnings: [warn('too_large_line', 'This line is too long or nests too deep for the log.', line)],
    };
  }
  const pieces = splitObjects(text);
  const isGlued = pieces.filter(({ kind }) => kind === 'object').length > 1;
  const warnings = isGlued
    ? [warn('glued_line', 'Several records stand on one line; all whole ones are read.', line)]
    : [];
  const lines: ClaudeLine[] = [];
  for (const piece of pieces) {
    const parsed = piece.kind === 'object' ? lineSchema.safeParse(piece.value) : null;
    if (parsed?.success) lines.push({ ...parsed.data, line });
    else warnings.push(warn('unreadable_line', 'This line is no record of a session and is left out.', line));
  }
  return { lines, warnings };
}

/** A warning of an import; `line` counts from 1, null: about the whole file. */
export function warn(code: string, message: string, line: number | null): ImportWarning {
  return { code, message, line, count: 1 };
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

const maxLineBytes = MAX_LINE_BYTES / 2;
const maxNesting = MAX_NESTING - 8;

/** So long or so deep that the log could not hold what it says (`contract.md` 1, with room for its own fields). */
function isTooMuch(line: string): boolean {
  const bytes = new TextEncoder().encode(line);
  return bytes.length > maxLineBytes || nestsDeeperThan(bytes, maxNesting);
}

/** A call's id as this log keeps ids of others: bounded, never empty. */
export function callIdOf(id: unknown): string {
  return typeof id === 'string' && id !== '' ? id.slice(0, 256) : 'unnamed';
}

function isSpeaking({ type, subtype, message }: ClaudeLine): boolean {
  if ((type === 'user' || type === 'assistant') && !message) return false;
  return SPEAKING.has(type) || SPEAKING.has(`${type}:${subtype ?? ''}`);
}

/** The title that the file gives itself: of a `summary` whose leaf is in this file, else of its only one (case-F03). */
export function findTitle(lines: readonly ClaudeLine[]): string | null {
  const uuids = new Set(lines.flatMap(({ uuid }) => uuid ?? []));
  const summaries = lines.filter(({ type, summary }) => type === 'summary' && summary);
  const own = summaries.findLast(({ leafUuid }) => leafUuid && uuids.has(leafUuid));
  const only = summaries.length === 1 ? summaries[0] : undefined;
  return (own ?? only)?.summary?.slice(0, 1000) ?? null;
}
