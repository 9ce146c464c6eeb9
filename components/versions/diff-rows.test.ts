import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DiffLine } from '@/server/contract/versions';
import { linesOfField } from './diff-field-lines';
import { toDiffPairs } from './diff-pairs';
import { countLines, type DiffRow, toDiffRows } from './diff-rows';
import { diffWords } from './word-diff';

const same = (count: number): DiffLine[] =>
  Array.from({ length: count }, (_, index) => ({ kind: 'same', text: `line ${index}` }));
const changed = (row: DiffRow | undefined) =>
  row?.row === 'line' ? row.words.filter((word) => word.changed).map((word) => word.text) : [];

describe('the rows of a diff (ux 11)', () => {
  const lines: DiffLine[] = [
    ...same(11),
    { kind: 'removed', text: 'Walk in batches of 10,000 rows, ordered by created_at.' },
    { kind: 'added', text: 'Walk in batches of 5,000 rows, ordered by the primary key.' },
    { kind: 'added', text: 'A column with ties can skip rows.' },
    ...same(3),
  ];

  it('fold long unchanged runs and keep two lines beside a change', () => {
    const rows = toDiffRows(lines);
    expect(rows[0]).toMatchObject({ row: 'folded' });
    expect(rows[0]?.row === 'folded' && rows[0].lines.length).toBe(9);
    expect(rows.slice(1).map((row) => (row.row === 'line' ? [row.kind, row.before, row.after] : row.row))).toEqual([
      ['same', 10, 10],
      ['same', 11, 11],
      ['removed', 12, null],
      ['added', null, 12],
      ['added', null, 13],
      ['same', 13, 14],
      ['same', 14, 15],
      ['same', 15, 16],
    ]);
  });

  it('mark the words that differ, and a line without a counterpart whole', () => {
    const rows = toDiffRows(lines);
    expect(changed(rows[3])).toEqual(['10,000', 'created_at']);
    expect(changed(rows[4])).toEqual(['5,000', 'the primary key']);
    expect(changed(rows[5])).toEqual(['A column with ties can skip rows.']);
  });

  it('begin one stop for each run of changes', () => {
    const stops = toDiffRows([...lines, { kind: 'removed', text: 'x' }]).filter(
      (row) => row.row === 'line' && row.begins,
    );
    expect(stops).toHaveLength(2);
  });

  it('face each other side by side, and a lone one faces nothing', () => {
    const pairs = toDiffPairs(toDiffRows(lines).flatMap((row) => (row.row === 'folded' ? row.lines : [row])));
    const changedPairs = pairs.filter(({ before, after }) => before !== after);
    expect(changedPairs.map(({ before, after }) => [before?.before ?? null, after?.after ?? null])).toEqual([
      [12, 12],
      [null, 13],
    ]);
    expect(pairs).toHaveLength(16);
  });

  it('lose no line and no letter, whatever the lines are', () => {
    const line = fc.record({
      kind: fc.constantFrom('same', 'removed', 'added' as const),
      text: fc.string({ maxLength: 12 }),
    });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (given) => {
        const drawn = toDiffRows(given).flatMap((row) => (row.row === 'folded' ? row.lines : [row]));
        expect(drawn.map((row) => ({ kind: row.kind, text: row.words.map((word) => word.text).join('') }))).toEqual(
          given,
        );
      }),
    );
  });
});

describe('word marks', () => {
  it('give each side back when joined', () => {
    const words = fc.array(fc.constantFrom('rows', 'of', '10,000', ' ', '.', 'key'), { maxLength: 12 });
    fc.assert(
      fc.property(words, words, (before, after) => {
        const diff = diffWords(before.join(''), after.join(''));
        expect(diff.before.map((word) => word.text).join('')).toBe(before.join(''));
        expect(diff.after.map((word) => word.text).join('')).toBe(after.join(''));
      }),
    );
  });
});

describe('fields that are no text', () => {
  it('P2: a changed skill version shows in the lines, so no diff looks empty that is not', () => {
    const skills = linesOfField({
      kind: 'list',
      field: 'skills',
      removed: ['Migrations v3'],
      added: ['Migrations v5'],
      reordered: false,
    });
    expect(countLines(skills)).toEqual({ added: 1, removed: 1 });
    expect(linesOfField({ kind: 'list', field: 'skills', removed: [], added: [], reordered: true })).toHaveLength(1);
    expect(linesOfField({ kind: 'value', field: 'model', before: null, after: 'anthropic/sonnet-x' })).toEqual([
      { kind: 'added', text: 'anthropic/sonnet-x' },
    ]);
  });
});
