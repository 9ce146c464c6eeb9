import type { DiffLine } from '@/server/contract/versions';
import { diffWords, type Word } from './word-diff';

export type DiffRow =
  | {
      readonly row: 'line';
      readonly kind: DiffLine['kind'];
      /** Line number in the old text, null for an added line. From 1. */
      readonly before: number | null;
      /** Line number in the new text, null for a removed line. From 1. */
      readonly after: number | null;
      readonly words: readonly Word[];
      /** True on the first line of a run of changes: where “next change” stops. */
      readonly begins: boolean;
    }
  | { readonly row: 'folded'; readonly key: number; readonly lines: readonly (DiffRow & { readonly row: 'line' })[] };

type LineRow = DiffRow & { readonly row: 'line' };

/** Unchanged lines kept in sight beside each change. */
const contextLines = 2;
/** A shorter run is not worth a fold. */
const leastFolded = 4;

function numberLines(lines: readonly DiffLine[]): readonly LineRow[] {
  let before = 0;
  let after = 0;
  let changing = false;
  return lines.map(({ kind, text }) => {
    if (kind !== 'added') before += 1;
    if (kind !== 'removed') after += 1;
    const begins = kind !== 'same' && !changing;
    changing = kind !== 'same';
    return {
      row: 'line',
      kind,
      before: kind === 'added' ? null : before,
      after: kind === 'removed' ? null : after,
      words: [{ text, changed: kind !== 'same' }],
      begins,
    };
  });
}

/** Inside each run of changes the nth removed line meets the nth added one, and only their differing words stay marked. */
function markWords(rows: readonly LineRow[]): readonly LineRow[] {
  const marked = [...rows];
  for (let start = 0; start < marked.length; start += 1) {
    if (!marked[start]?.begins) continue;
    const length = marked.slice(start).findIndex((row) => row.kind === 'same');
    const run = marked.slice(start, length === -1 ? undefined : start + length);
    const removed = run.filter((row) => row.kind === 'removed');
    const added = run.filter((row) => row.kind === 'added');
    for (const [index, old] of removed.entries()) {
      const fresh = added[index];
      if (!fresh) break;
      const words = diffWords(old.words[0]?.text ?? '', fresh.words[0]?.text ?? '');
      marked[marked.indexOf(old)] = { ...old, words: words.before };
      marked[marked.indexOf(fresh)] = { ...fresh, words: words.after };
    }
  }
  return marked;
}

/** Rows to draw from the server's lines: numbered, words marked, long unchanged runs folded. */
export function toDiffRows(lines: readonly DiffLine[]): readonly DiffRow[] {
  const rows = markWords(numberLines(lines));
  const near = rows.map((_, index) =>
    rows.slice(Math.max(0, index - contextLines), index + contextLines + 1).some((row) => row.kind !== 'same'),
  );
  const drawn: DiffRow[] = [];
  for (let at = 0; at < rows.length; ) {
    const next = near.indexOf(true, at);
    const end = near[at] ? at + 1 : next === -1 ? rows.length : next;
    const run = rows.slice(at, end);
    if (near[at] || run.length < leastFolded) drawn.push(...run);
    else drawn.push({ row: 'folded', key: at, lines: run });
    at = end;
  }
  return drawn;
}

/** Lines added and removed, for the list beside the diff. */
export function countLines(lines: readonly DiffLine[]): { readonly added: number; readonly removed: number } {
  return {
    added: lines.filter((line) => line.kind === 'added').length,
    removed: lines.filter((line) => line.kind === 'removed').length,
  };
}
