import type { DiffRow } from './diff-rows';

type LineRow = DiffRow & { readonly row: 'line' };

/** One row of two columns: the old line and the new one, either missing where only the other changed. */
export type DiffPair = { readonly before: LineRow | null; readonly after: LineRow | null };

/** Lines side by side: unchanged ones face each other, and in a run of changes the nth removed faces the nth added. */
export function toDiffPairs(lines: readonly LineRow[]): readonly DiffPair[] {
  const pairs: DiffPair[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    if (line?.kind === 'same') {
      pairs.push({ before: line, after: line });
      at += 1;
      continue;
    }
    const next = lines.findIndex((row, index) => index > at && row.kind === 'same');
    const run = lines.slice(at, next === -1 ? undefined : next);
    const removed = run.filter((row) => row.kind === 'removed');
    const added = run.filter((row) => row.kind === 'added');
    for (let n = 0; n < Math.max(removed.length, added.length); n += 1) {
      pairs.push({ before: removed[n] ?? null, after: added[n] ?? null });
    }
    at += run.length;
  }
  return pairs;
}
