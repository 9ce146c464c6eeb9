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
  return segmentsOf(sortCompactions(events), compactionId, reading);
}

/** As `toSegments`, for whoever asks for many compactions of the same lines: they are walked once for all of them. */
export function segmentsOf(
  lines: SortedCompactions,
  compactionId: string,
  reading: readonly number[] = [],
): readonly SegmentEntry[] {
  return readSegments(lines, compactionId, reading).map(({ fingerprint: _, ...entry }) => entry);
}

/** The compaction lines of a branch, sorted once. */
export interface SortedCompactions {
  /** Lines that name a compaction, in file order, by its id. */
  readonly own: ReadonlyMap<string, readonly StoredEvent[]>;
  /** By fingerprint the place of the line that first accepted notes of it, whichever compaction it was for. */
  readonly accepted: ReadonlyMap<string, number>;
  /** By compaction the place of the line that first ended it. */
  readonly ends: ReadonlyMap<string, number>;
}

/** Sorts compaction lines, which are in file order. */
export function sortCompactions(events: readonly StoredEvent[]): SortedCompactions {
  const own = new Map<string, StoredEvent[]>();
  const accepted = new Map<string, number>();
  const ends = new Map<string, number>();
  events.forEach((event, place) => {
    if (event.type === 'staging.map' && event.fingerprint !== null && !accepted.has(event.fingerprint))
      accepted.set(event.fingerprint, place);
    if (event.type === 'compaction.ended' && !ends.has(event.compactionId)) ends.set(event.compactionId, place);
    if (!('compactionId' in event) || typeof event.compactionId !== 'string') return;
    const lines = own.get(event.compactionId);
    if (lines) lines.push(event);
    else own.set(event.compactionId, [event]);
  });
  return { own, accepted, ends };
}

/** One of them by its number, with what its source was; null where there is none. */
export function findSegment(events: readonly StoredEvent[], compactionId: string, n: number): NamedSegment | null {
  return readSegments(sortCompactions(events), compactionId, []).find((segment) => segment.n === n) ?? null;
}

export interface NamedSegment extends SegmentEntry {
  readonly fingerprint: string;
}

function readSegments(
  { own, accepted, ends }: SortedCompactions,
  compactionId: string,
  reading: readonly number[],
): readonly NamedSegment[] {
  const lines = own.get(compactionId) ?? [];
  const end = lines.findIndex((event) => event.type === 'compaction.ended');
  const until = end < 0 ? lines : lines.slice(0, end + 1);
  const at = until.findLastIndex((event) => event.type === 'staging.planned' && event.version === 3);
  const planned = until[at];
  if (planned?.type !== 'staging.planned') return [];
  const endPlace = ends.get(compactionId) ?? Number.POSITIVE_INFINITY;
  const failed = readFailed(until.slice(at));
  return planned.segments.flatMap((segment): NamedSegment[] => {
    const { n, from, through, items, bytes, fingerprint } = segment;
    const isWhole = typeof n === 'number' && typeof from === 'string' && typeof through === 'string';
    if (!isWhole || !Array.isArray(items) || typeof bytes !== 'number' || typeof fingerprint !== 'string') return [];
    const isDone = (accepted.get(fingerprint) ?? Number.POSITIVE_INFINITY) < endPlace;
    const state = reading.includes(n) ? 'running' : isDone ? 'done' : failed.has(n) ? 'failed' : 'waiting';
    return [{ n, from, through, items: items.length, bytes, state, fingerprint }];
  });
}

/** Segments whose newest attempt since the plan was not accepted. */
function readFailed(own: readonly StoredEvent[]): ReadonlySet<number> {
  const failed = new Set<number>();
  for (const event of own) {
    if (event.type !== 'compaction.attempt' || event.stage !== 'map' || event.segment === null) continue;
    if (event.outcome === 'accepted') failed.delete(event.segment);
    else if (event.outcome !== 'cancelled') failed.add(event.segment);
  }
  return failed;
}
