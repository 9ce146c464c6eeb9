import { type Piece, sumBytes } from './pieces';

/**
 * Packs pieces in order into runs of at most `targetBytes` (R2). A group stays together where it fits a run; one that
 * does not is packed piece by piece. The target is soft: a piece above it has a run of its own. The runs joined are the
 * input, whatever the target (law *pack*).
 */
export function packPieces(pieces: readonly Piece[], targetBytes: number): readonly (readonly Piece[])[] {
  const runs: Piece[][] = [];
  let used = 0;
  for (const unit of toUnits(pieces, targetBytes)) {
    const bytes = sumBytes(unit);
    const newest = runs.at(-1);
    if (newest === undefined || used + bytes > targetBytes) {
      runs.push([...unit]);
      used = bytes;
    } else {
      newest.push(...unit);
      used += bytes;
    }
  }
  return runs;
}

/** What moves as one: a group that fits the target, or a single piece of one that does not. */
function toUnits(pieces: readonly Piece[], targetBytes: number): readonly (readonly Piece[])[] {
  const groups: Piece[][] = [];
  for (const piece of pieces) {
    const newest = groups.at(-1);
    if (newest?.[0]?.group === piece.group) newest.push(piece);
    else groups.push([piece]);
  }
  return groups.flatMap((group) => (sumBytes(group) <= targetBytes ? [group] : group.map((piece) => [piece])));
}
