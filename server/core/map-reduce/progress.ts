import type { CompactionEntry } from '@/server/contract/compactions';
import type { StoredEvent } from '@/server/contract/events/event';

export type SegmentEntry = CompactionEntry['segments'][number];

/**
 * The segments of one compaction as the ledger lists them (X6), from the branch's compaction lines in file order; none
 * where it never came to segments. `n` counts from 1 in the newest plan. `reading`: numbers that are being read now, which
 * no line tells. A segment whose newest attempt failed and that nobody reads is `failed` until it is read again.
 */
export function toSegments(
  events: readonly StoredEvent[],
  compactionId: string,
  reading: readonly number[] = [],
): readonly SegmentEntry[] {
  return readSegments(events, compactionId, reading).map(({ fingerprint: _, ...entry }) => entry);
}

/** One of them by its number, with what its source was; null where there is none. */
export function findSegment(events: readonly StoredEvent[], compactionId: string, n: number): NamedSegment | null {
  return readSegments(events, compactionId, []).find((segment) => segment.n === n) ?? null;
}

export interface NamedSegment extends SegmentEntry {
  readonly fingerprint: string;
}

function readSegments(
  events: readonly StoredEvent[],
  compactionId: string,
  reading: readonly number[],
): readonly NamedSegment[] {
  const end = events.findIndex((event) => event.type === 'compaction.ended' && event.compactionId === compactionId);
  const until = end < 0 ? events : events.slice(0, end + 1);
  const at = until.findLastIndex(
    (event) => event.type === 'staging.planned' && event.version === 3 && event.compactionId === compactionId,
  );
  const planned = until[at];
  if (planned?.type !== 'staging.planned') return [];
  const accepted = new Set(until.flatMap((event) => (event.type === 'staging.map' ? (event.fingerprint ?? []) : [])));
  const failed = readFailed(until.slice(at), compactionId);
  return planned.segments.flatMap((segment): NamedSegment[] => {
    const { n, from, through, items, bytes, fingerprint } = segment;
    const isWhole = typeof n === 'number' && typeof from === 'string' && typeof through === 'string';
    if (!isWhole || !Array.isArray(items) || typeof bytes !== 'number' || typeof fingerprint !== 'string') return [];
    const isDone = accepted.has(fingerprint);
    const state = reading.includes(n) ? 'running' : isDone ? 'done' : failed.has(n) ? 'failed' : 'waiting';
    return [{ n, from, through, items: items.length, bytes, state, fingerprint }];
  });
}

/** Segments whose newest attempt since the plan was not accepted. */
function readFailed(events: readonly StoredEvent[], compactionId: string): ReadonlySet<number> {
  const failed = new Set<number>();
  for (const event of events) {
    if (event.type !== 'compaction.attempt' || event.compactionId !== compactionId) continue;
    if (event.stage !== 'map' || event.segment === null) continue;
    if (event.outcome === 'accepted') failed.delete(event.segment);
    else if (event.outcome !== 'cancelled') failed.add(event.segment);
  }
  return failed;
}
