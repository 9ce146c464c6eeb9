import type { CompactionEntry } from '@/server/contract/compactions';
import type { Message } from '@/server/contract/message';
import type { CompactionRow } from '../sync/fold-stream-compaction';
import type { Block } from './build-turns';

/** A compaction that came to nothing, with its place among the messages. */
export interface PlacedFailure {
  readonly row: CompactionRow;
  /** The line it began at; it is drawn before the first block that is newer. */
  readonly seq: number;
  /** Older parts were left out afterwards, in the same turn: then it is not true that nothing changed. */
  readonly trimmed: boolean;
}

function hasFailed({ outcome, reason }: CompactionEntry): boolean {
  if (outcome === 'cancelled') return reason !== null && reason !== 'cancelled';
  return outcome === 'failed' || outcome === 'rejected';
}

function toRow(entry: CompactionEntry): CompactionRow {
  return {
    state: 'failed',
    clientRequestId: null,
    compactionId: entry.compactionId,
    acknowledged: true,
    trigger: entry.trigger,
    focus: entry.focus,
    model: entry.model,
    stage: null,
    segments: null,
    reading: [],
    attempt: null,
    since: entry.startedAt,
    reason: entry.reason,
    detail: entry.attempts.at(-1)?.detail ?? null,
    bytesBefore: entry.bytesBefore,
    bytesAfter: entry.bytesAfter,
    dropped: 0,
  };
}

/** A trim after this line, before anybody said something again. */
function isTrimmedAfter(messages: readonly Message[], seq: number): boolean {
  const said = messages.filter((one) => one.role === 'user' && !one.metadata.queued && one.seq > seq);
  const until = Math.min(Number.POSITIVE_INFINITY, ...said.map((one) => one.seq));
  return messages.some((one) => one.role === 'trim' && one.seq > seq && one.seq < until);
}

/**
 * The newest compaction of the ledger where it failed, so that its reason outlives a reload; the row of this tab where
 * that tells of the same one. Null where another one came after it, or the path has moved since.
 */
export function findFailure(
  { messages, compaction: row, headMovedSeq }: FailureState,
  entries: readonly CompactionEntry[],
): PlacedFailure | null {
  const newest = entries.findLast(({ outcome }) => outcome !== 'deferred');
  if (!newest || !hasFailed(newest) || newest.seq < headMovedSeq) return null;
  if (row !== null && (row.state !== 'failed' || row.compactionId !== newest.compactionId)) return null;
  const own = row === null ? toRow(newest) : { ...row, focus: row.focus ?? newest.focus };
  return { row: own, seq: newest.seq, trimmed: isTrimmedAfter(messages, newest.seq) };
}

interface FailureState {
  readonly messages: readonly Message[];
  readonly compaction: CompactionRow | null;
  readonly headMovedSeq: number;
}

function firstSeq(block: Block): number {
  if (block.kind !== 'reply') return block.message.seq;
  return block.messages[0]?.seq ?? block.ends[0]?.seq ?? Number.POSITIVE_INFINITY;
}

/** How many of these blocks stand before the line. */
export function countBefore(blocks: readonly Block[], seq: number): number {
  const at = blocks.findIndex((block) => firstSeq(block) > seq);
  return at === -1 ? blocks.length : at;
}
