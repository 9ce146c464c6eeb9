import { describe, expect, it } from 'vitest';
import { LineRows } from './line-rows';

/** Rows of these lines, all else nothing. */
function rowsOf(...seqs: readonly number[]): LineRows {
  const rows = new LineRows();
  for (const seq of seqs) rows.push({ from: 0, bytes: 1, seq, link: 0, type: 0, flags: 0, branch: 0 });
  return rows;
}

describe('the place of a line by its seq', () => {
  it('is found where lines count one by one, and where damage left a gap', () => {
    expect([1, 2, 3].map((seq) => rowsOf(1, 2, 3).find(seq))).toEqual([0, 1, 2]);
    expect([1, 5, 9].map((seq) => rowsOf(1, 5, 9).find(seq))).toEqual([0, 1, 2]);
  });

  it('is -1 for one that nobody has: between two, after the last, and 0, which no line has', () => {
    expect([3, 10, 0].map((seq) => rowsOf(1, 5, 9).find(seq))).toEqual([-1, -1, -1]);
    expect(rowsOf().find(0)).toBe(-1);
  });
});
