import { packPieces } from './pack';
import { fingerprintPieces, type Piece, sumBytes } from './pieces';
import type { AcceptedMap, Staging } from './staging';

/** A run of whole pieces that one map request reads. `n` is its place in the plan, from 1. */
export interface Segment {
  readonly n: number;
  readonly pieces: readonly Piece[];
  readonly fingerprint: string;
  readonly bytes: number;
}

export interface SegmentPlan {
  readonly segments: readonly Segment[];
  /** Accepted maps whose items are here but read otherwise now (R4): mask, cap, stale mark, another summary. */
  readonly changed: readonly string[];
}

export interface SegmentInput {
  readonly pieces: readonly Piece[];
  readonly staging: Pick<Staging, 'maps'>;
  readonly targetBytes: number;
}

/**
 * The segments of a source: accepted maps keep theirs wherever the items still read the same, and only what lies between
 * them is packed (R7: accepted maps are never regenerated). Segments joined are the source, in order.
 */
export function planSegments({ pieces, staging, targetBytes }: SegmentInput): SegmentPlan {
  const { starts, changed } = matchMaps(pieces, staging.maps);
  const runs: (readonly Piece[])[] = [];
  let gap: Piece[] = [];
  const closeGap = () => {
    runs.push(...packPieces(gap, targetBytes));
    gap = [];
  };
  // Maps of different runs may lie across one another: the earlier place wins, the other is passed over.
  for (let at = 0; at < pieces.length; ) {
    const length = starts.get(at);
    const piece = pieces[at];
    if (length !== undefined) {
      closeGap();
      runs.push(pieces.slice(at, at + length));
    } else if (piece !== undefined) gap.push(piece);
    at += length ?? 1;
  }
  closeGap();
  const segments = runs.map((run, index) => ({
    n: index + 1,
    pieces: run,
    fingerprint: fingerprintPieces(run),
    bytes: sumBytes(run),
  }));
  return { segments, changed };
}

interface Matched {
  /** Where an accepted map's items begin → how many pieces it stands for; the longest where several begin there. */
  readonly starts: ReadonlyMap<number, number>;
  readonly changed: readonly string[];
}

function matchMaps(pieces: readonly Piece[], maps: Staging['maps']): Matched {
  const starts = new Map<number, number>();
  const changed: string[] = [];
  const places = new Map<string, number[]>();
  for (const [at, { id }] of pieces.entries()) places.set(id, [...(places.get(id) ?? []), at]);
  for (const map of maps.values()) {
    const found = (places.get(map.items[0] ?? '') ?? []).filter((at) => hasIds(pieces, at, map));
    const at = found.find((start) => agrees(pieces, start, map));
    if (at !== undefined) starts.set(at, Math.max(starts.get(at) ?? 0, map.items.length));
    else if (found.length > 0) changed.push(map.fingerprint);
  }
  return { starts, changed };
}

function hasIds(pieces: readonly Piece[], at: number, { items }: AcceptedMap): boolean {
  return items.every((id, offset) => pieces[at + offset]?.id === id);
}

function agrees(pieces: readonly Piece[], at: number, { items, fingerprint }: AcceptedMap): boolean {
  return fingerprintPieces(pieces.slice(at, at + items.length)) === fingerprint;
}
