import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packPieces } from './pack';
import { fingerprintPieces, type Piece, splitSummary, sumBytes } from './pieces';
import { planSegments } from './segments';
import type { AcceptedMap } from './staging';

const piece = (id: number, bytes: number, group = id): Piece => ({
  id: `i${id}`,
  from: id,
  through: id,
  group,
  text: `item ${id}`,
  bytes,
});
const sizes = (runs: readonly (readonly Piece[])[]) => runs.map((run) => run.map(({ from }) => from));

const anyPieces = fc
  .array(fc.record({ bytes: fc.integer({ min: 1, max: 900 }), joins: fc.boolean() }), { minLength: 1, maxLength: 60 })
  .map((rows) => {
    let group = 0;
    return rows.map(({ bytes, joins }, at) => {
      if (!joins) group += 1;
      return piece(at + 1, bytes, group);
    });
  });

describe('packing whole items (R2)', () => {
  it('R2: an item that does not fit moves whole to the next segment, one above the target has its own', () => {
    const pieces = [piece(1, 40), piece(2, 40), piece(3, 40), piece(4, 250), piece(5, 40)];
    expect(sizes(packPieces(pieces, 100))).toEqual([[1, 2], [3], [4], [5]]);
  });

  it('R2: a call and its results stay together where they fit, and go item by item where they do not', () => {
    const fits = [piece(1, 50), piece(2, 30, 2), piece(3, 30, 2)];
    expect(sizes(packPieces(fits, 100))).toEqual([[1], [2, 3]]);
    const large = [piece(1, 50), piece(2, 30, 2), piece(3, 90, 2), piece(4, 20, 2)];
    expect(sizes(packPieces(large, 100))).toEqual([[1, 2], [3], [4]]);
  });

  it('R2: segments joined are the input, whole items in order, none above the target but alone (law pack)', () => {
    fc.assert(
      fc.property(anyPieces, fc.integer({ min: 1, max: 2_000 }), (pieces, target) => {
        const runs = packPieces(pieces, target);
        expect(runs.flat()).toEqual(pieces);
        for (const run of runs) expect(run.length === 1 || sumBytes(run) <= target).toBe(true);
      }),
    );
  });

  it('R7: accepted maps keep their segments whatever the target, and the rest is packed between them (law)', () => {
    const ends = fc.tuple(anyPieces, fc.array(fc.nat(), { maxLength: 12 }), fc.integer({ min: 1, max: 2_000 }));
    fc.assert(
      fc.property(ends, ([pieces, picks, target]) => {
        const first = planSegments({ pieces, staging: { maps: new Map() }, targetBytes: 700 }).segments;
        const accepted = first.filter((_segment, at) => picks.some((pick) => pick % first.length === at));
        const maps = new Map(accepted.map((segment): [string, AcceptedMap] => [segment.fingerprint, toMap(segment)]));
        const { segments, changed } = planSegments({ pieces, staging: { maps }, targetBytes: target });
        expect(changed).toEqual([]);
        expect(segments.flatMap((segment) => segment.pieces)).toEqual(pieces);
        expect(segments.map(({ n }) => n)).toEqual(segments.map((_segment, at) => at + 1));
        const prints = segments.map(({ fingerprint }) => fingerprint);
        for (const { fingerprint } of accepted) expect(prints).toContain(fingerprint);
      }),
    );
  });

  it('R4: the same ids with another text are another source, and the map is named', () => {
    const pieces = [piece(1, 40), piece(2, 40)];
    const map: AcceptedMap = { fingerprint: fingerprintPieces(pieces), items: ['i1', 'i2'], text: 'notes' };
    const masked = pieces.map((one) => (one.from === 2 ? { ...one, text: 'masked' } : one));
    const plan = planSegments({
      pieces: masked,
      staging: { maps: new Map([[map.fingerprint, map]]) },
      targetBytes: 500,
    });
    expect(plan.changed).toEqual([map.fingerprint]);
    expect(plan.segments[0]?.fingerprint).not.toBe(map.fingerprint);
  });

  it('R4: maps of other items are no business of this source', () => {
    const map: AcceptedMap = { fingerprint: 'f', items: ['i9'], text: 'notes' };
    const plan = planSegments({ pieces: [piece(1, 40)], staging: { maps: new Map([['f', map]]) }, targetBytes: 500 });
    expect(plan.changed).toEqual([]);
  });
});

const toMap = ({ fingerprint, pieces }: { fingerprint: string; pieces: readonly Piece[] }): AcceptedMap => ({
  fingerprint,
  items: pieces.map(({ id }) => id),
  text: 'notes',
});

describe('a previous summary that fits no request (contract 8)', () => {
  const section = (name: string, bytes: number) => `## ${name}\n${'x'.repeat(bytes)}`;

  it('contract 8: whole where it fits', () => {
    expect(splitSummary(section('Objective', 50), 400)).toEqual([section('Objective', 50)]);
  });

  it('contract 8: else at its headings, then at blank lines, then at lines; neighbours that fit stay together', () => {
    const text = [section('Objective', 100), section('Files', 100), section('Work', 300)].join('\n');
    expect(splitSummary(text, 400)).toEqual([
      `${section('Objective', 100)}\n${section('Files', 100)}`,
      section('Work', 300),
    ]);
    const lines = Array.from({ length: 12 }, (_, at) => `line ${at} ${'y'.repeat(60)}`);
    const parts = splitSummary(lines.join('\n'), 400);
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.join('\n')).toBe(lines.join('\n'));
    expect(splitSummary('z'.repeat(2_000), 400)).toEqual(['z'.repeat(2_000)]);
  });

  it('contract 8: no line is lost or cut, whatever the text (law)', () => {
    const line = fc.oneof(fc.string({ maxLength: 80 }), fc.constantFrom('## Files', '```', '', '# A', '- item 3'));
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 40 }), fc.integer({ min: 100, max: 900 }), (rows, most) => {
        const text = rows.join('\n');
        const kept = splitSummary(text, most)
          .join('\n')
          .split('\n')
          .filter((row) => row.trim() !== '');
        expect(kept).toEqual(text.split('\n').filter((row) => row.trim() !== ''));
      }),
    );
  });
});
