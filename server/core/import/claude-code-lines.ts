import { z } from 'zod';
import type { ImportWarning } from '@/server/contract/import';
import { isRecord, splitObjects } from './split-objects';

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
  const skipped: Record<string, number> = {};
  const seen = new Set<string>();
  for (const [place, textLine] of text.split('\n').entries()) {
    const line = place + 1;
    const pieces = textLine.trim() === '' ? [] : splitObjects(textLine);
    if (pieces.length > 1)
      warnings.push(warn('glued_line', 'Several records stand on one line; all whole ones are read.', line));
    for (const piece of pieces) {
      const parsed = piece.kind === 'object' ? lineSchema.safeParse(piece.value) : null;
      if (!parsed?.success) {
        warnings.push(warn('unreadable_line', 'This line is no record of a session and is left out.', line));
        continue;
      }
      const { uuid } = parsed.data;
      if (uuid && seen.has(uuid)) {
        count(skipped, 'repeated');
        continue;
      }
      if (uuid) seen.add(uuid);
      if (!isSpeaking(parsed.data)) count(skipped, parsed.data.type);
      lines.push({ ...parsed.data, line });
    }
  }
  return { lines, warnings, skipped };
}

export function warn(code: string, message: string, line: number | null): ImportWarning {
  return { code, message, line, count: 1 };
}

function count(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}

function isSpeaking({ type, subtype, message }: z.infer<typeof lineSchema>): boolean {
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
