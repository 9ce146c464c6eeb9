import type { CompactionAttempt, CompactionEntry } from '@/server/contract/compactions';
import type { SegmentTally } from '@/server/contract/session';
import { formatBytes } from '../ui/format-bytes';
import { sayCount, wordReason } from './compaction-words';

/** The segments of a long compaction, one by one and in a sentence (X6). */

type Segment = CompactionEntry['segments'][number];

export interface SegmentRow {
  /** Its number in the plan, from 1. */
  readonly n: number;
  readonly items: number;
  readonly bytes: number;
  readonly state: Segment['state'];
  /** `written`, `writing`, what went wrong. */
  readonly words: string;
  readonly tone: 'quiet' | 'plain' | 'warn';
  /** What its accepted request took; null where it was not written in this compaction. */
  readonly ms: number | null;
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'] as const;

function wordTries(failed: readonly CompactionAttempt[]): string {
  const newest = failed.at(-1);
  if (newest === undefined) return '';
  return `${ordinals[failed.length] ?? `${failed.length + 1}th`} try; before: ${wordReason(newest.reason)}`;
}

type Said = Pick<SegmentRow, 'words' | 'tone' | 'ms'>;

function saySegment(state: Segment['state'], attempts: readonly CompactionAttempt[], isOver: boolean): Said {
  const failed = attempts.filter(({ outcome }) => outcome === 'failed' || outcome === 'rejected');
  if (state === 'done') {
    const accepted = attempts.findLast(({ outcome }) => outcome === 'accepted');
    if (accepted === undefined) return { words: 'kept from an earlier try', tone: 'quiet', ms: null };
    return { words: 'written', tone: 'quiet', ms: accepted.ms };
  }
  if (state === 'failed') {
    // While it runs nobody has to ask: what failed is read again by itself, one at a time (R6).
    const next = isOver ? '' : '; tried again by itself';
    return { words: `failed: ${wordReason(attempts.at(-1)?.reason ?? null)}${next}`, tone: 'warn', ms: null };
  }
  if (state === 'running') {
    const again = wordTries(failed);
    return again === ''
      ? { words: 'writing', tone: 'plain', ms: null }
      : { words: `writing, ${again}`, tone: 'warn', ms: null };
  }
  return { words: isOver ? 'not written yet' : 'waits', tone: 'quiet', ms: null };
}

/**
 * Every segment with what became of it. `reading`: numbers the stream says are being read now, which no line of the log
 * tells; a segment that is written already is done whatever they say.
 */
export function toSegmentRows(
  entry: Pick<CompactionEntry, 'segments' | 'attempts' | 'endedAt'>,
  reading: readonly number[] = [],
): readonly SegmentRow[] {
  return entry.segments.map(({ n, items, bytes, state: written }) => {
    const state = written !== 'done' && reading.includes(n) ? 'running' : written;
    const own = entry.attempts.filter((attempt) => attempt.stage === 'map' && attempt.segment === n);
    return { n, items, bytes, state, ...saySegment(state, own, entry.endedAt != null) };
  });
}

/** How many were there before this compaction began: accepted ones are never written twice (R4, R7). */
export function countKept(rows: readonly SegmentRow[]): number {
  return rows.filter((row) => row.state === 'done' && row.ms === null).length;
}

/** “5 of 9 segments written, 3 in progress, 1 failed”. */
export function sayTally({ done, running, failed, total }: SegmentTally): string {
  const words = [`${done} of ${sayCount(total, 'segment', 'segments')} written`];
  if (running > 0) words.push(`${running} in progress`);
  if (failed > 0) words.push(`${failed} failed`);
  return words.join(', ');
}

/** “Went on from 5 of 8 segments”; empty where nothing was there before. */
export function sayResumed(rows: readonly SegmentRow[]): string {
  const kept = countKept(rows);
  if (kept === 0) return '';
  return `Went on from ${kept} of ${sayCount(rows.length, 'segment', 'segments')}: those are kept from an earlier try.`;
}

/** “214 messages, 1.3 MB”: what is folded. */
export function saySource({ source }: Pick<CompactionEntry, 'source'>): string {
  return source === null ? '' : `${sayCount(source.items, 'message', 'messages')}, ${formatBytes(source.bytes)}`;
}

const shownAtOnce = 6;

/**
 * Those a person looks for while it runs: what failed, what is being written, and the newest written one. All of them
 * where there are few.
 */
export function pickSegments(rows: readonly SegmentRow[]): readonly SegmentRow[] {
  if (rows.length <= shownAtOnce) return rows;
  const newestDone = rows.findLast((row) => row.state === 'done');
  return rows.filter((row) => row.state === 'running' || row.state === 'failed' || row === newestDone);
}
