import { createHash } from 'node:crypto';
import { jsonStringBytes, toJson } from '@/server/core/budget/json-bytes';
import { toFencedLines } from '@/server/core/compaction/headings';
import type { CompactionGo } from '@/server/core/compaction/plan';
import { serialiseItem } from '@/server/core/compaction/source';
import { defuse, SERIALISED_TAGS } from '@/server/core/projection/defuse';
import type { SessionState } from '@/server/core/projection/state-shape';

/** A piece of the source: an item, or a part of the previous summary. Nothing smaller is ever packed (R2). */
export interface Piece {
  /** Item id, or the checkpoint's for a part of its summary. */
  readonly id: string;
  /** Item numbers it speaks for: its own, or all that the summary covers. */
  readonly from: number;
  readonly through: number;
  /** Pieces of one group belong together: an assistant message and its results. */
  readonly group: number;
  /** As a summariser reads it. */
  readonly text: string;
  /** What it adds to the measure of a request. */
  readonly bytes: number;
}

/** Between two pieces of a request: a blank line, as the two bytes a line break takes in JSON. */
export const JOINT = '\n\n';
const JOINT_BYTES = 4;

/**
 * The source in pieces, in path order: the previous summary first. That is derived text, so where it would take more than
 * `mostBytes` it is split: at its headings, a section at its blank lines, a paragraph at its lines (`contract.md` 8).
 */
export function toPieces(state: SessionState, go: CompactionGo, mostBytes: number): readonly Piece[] {
  const { previous, items } = go.source;
  const covered = items[0] === undefined ? 0 : items[0].number - 1;
  const parts = previous === null ? [] : splitSummary(previous.text, mostBytes);
  const summaries = parts.map((text, group) =>
    toPiece({ id: previous?.id ?? '', from: 1, through: Math.max(1, covered), group, text: frameSummary(text) }),
  );
  let group = summaries.length;
  const pieces = items.map((item, at) => {
    const joins = item.event.type === 'tool.result' && at > 0 && items[at - 1]?.event.type !== 'message.user';
    if (at > 0 && !joins) group += 1;
    const text = serialiseItem(state, item, go.stale);
    return toPiece({ id: item.id, from: item.number, through: item.number, group, text });
  });
  return [...summaries, ...pieces];
}

function toPiece(fields: Omit<Piece, 'bytes'>): Piece {
  return { ...fields, bytes: jsonStringBytes(fields.text) - 2 + JOINT_BYTES };
}

function frameSummary(text: string): string {
  return `<previous_summary>\n${defuse(text, SERIALISED_TAGS)}\n</previous_summary>`;
}

/** SHA-256 over the rendered text of each piece in order: another rendering is another source (R4). */
export function fingerprintPieces(pieces: readonly Piece[]): string {
  const hash = createHash('sha256');
  for (const { id, text } of pieces) hash.update(toJson([id, text]));
  return hash.digest('hex');
}

/** Sum of what pieces add to the measure of a request. */
export function sumBytes(pieces: readonly Pick<Piece, 'bytes'>[]): number {
  return pieces.reduce((sum, { bytes }) => sum + bytes, 0);
}

const weighSummary = (text: string) => jsonStringBytes(frameSummary(text)) - 2 + JOINT_BYTES;

/** Whole where it fits; else the coarsest parts that do. A single line is never cut. */
export function splitSummary(text: string, mostBytes: number): readonly string[] {
  if (weighSummary(text) <= mostBytes) return [text];
  for (const split of [atHeadings, atBlankLines, atLines]) {
    const parts = split(text);
    if (parts.length > 1)
      return gather(
        parts.flatMap((part) => splitSummary(part, mostBytes)),
        mostBytes,
      );
  }
  return [text];
}

/** Neighbours that fit together stay together, so that no part is a line without its paragraph for nothing. */
function gather(parts: readonly string[], mostBytes: number): readonly string[] {
  const gathered: string[] = [];
  for (const part of parts) {
    const joined = gathered.length === 0 ? part : `${gathered.at(-1)}\n${part}`;
    if (gathered.length > 0 && weighSummary(joined) <= mostBytes) gathered[gathered.length - 1] = joined;
    else gathered.push(part);
  }
  return gathered;
}

function atHeadings(text: string): readonly string[] {
  const parts: string[][] = [];
  for (const line of toFencedLines(text)) {
    if (parts.length === 0 || (!line.fenced && /^ {0,3}#{1,6}[ \t]+\S/.test(line.text))) parts.push([]);
    parts.at(-1)?.push(line.text);
  }
  return parts.map((lines) => lines.join('\n')).filter((part) => part.trim() !== '');
}

function atBlankLines(text: string): readonly string[] {
  return text.split(/\n[ \t]*\n/).filter((part) => part.trim() !== '');
}

function atLines(text: string): readonly string[] {
  return text.split('\n').filter((part) => part.trim() !== '');
}
