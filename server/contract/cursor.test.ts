import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCursor, formatStreamStarts, maxStreamSessions, parseCursor, parseStreamStarts } from './cursor';

const alphabet = [...'0123456789ABCDEFGHJKMNPQRSTVWXYZ'];
const anyId = fc
  .tuple(
    fc.constantFrom(...alphabet.slice(0, 8)),
    fc.string({ unit: fc.constantFrom(...alphabet), minLength: 25, maxLength: 25 }),
  )
  .map(([first, rest]) => first + rest);
const a = '01J00000000000000000000000';
const b = '01J00000000000000000000001';

describe('an SSE id', () => {
  it('reads back what it wrote', () => {
    fc.assert(
      fc.property(anyId, fc.integer({ min: 1, max: 9_999_999_999 }), (sessionId, seq) => {
        expect(parseCursor(formatCursor({ sessionId, seq }))).toEqual({ sessionId, seq });
      }),
    );
  });

  it.each([
    '',
    ':',
    a,
    `${a}:`,
    `${a}:0`,
    `${a}:-1`,
    `${a}:01`,
    `${a}:1.5`,
    `${a}:1e3`,
    `${a}: 1`,
    `${a}:1 `,
    `${a}:1:2`,
    `${a}:99999999999999999`,
    `${a.toLowerCase()}:1`,
    `../x:1`,
    `${a}0:1`,
    `${a}@1`,
    `${a}:١`,
  ])('rel-R6: %j is none', (text) => {
    expect(parseCursor(text)).toBeNull();
  });
});

describe('the sessions of a stream', () => {
  it('contract 16: each with its start, or from now', () => {
    expect(parseStreamStarts(`${a}@120,${b}@7`)).toEqual([
      { sessionId: a, after: 120 },
      { sessionId: b, after: 7 },
    ]);
    expect(parseStreamStarts(`${a},${b}@0`)).toEqual([
      { sessionId: a, after: null },
      { sessionId: b, after: 0 },
    ]);
    expect(parseStreamStarts('')).toEqual([]);
  });

  it('reads back what it wrote', () => {
    const start = fc.record({ sessionId: anyId, after: fc.option(fc.nat()) });
    fc.assert(
      fc.property(fc.uniqueArray(start, { selector: (one) => one.sessionId, maxLength: 20 }), (starts) => {
        expect(parseStreamStarts(formatStreamStarts(starts))).toEqual(starts);
      }),
    );
  });

  it.each([',', `${a},`, `${a},,${b}`, `${a}@`, `${a}@x`, `${a}@1@2`, `${a},${a}@3`, `${a}:3`, ` ${a}`])(
    'rel-R6: %j is refused whole',
    (text) => {
      expect(parseStreamStarts(text)).toBeNull();
    },
  );

  it('takes a hundred and no more', () => {
    const ids = (count: number) =>
      Array.from({ length: count }, (_, n) => `01J${String(n).padStart(23, '0')}`).join(',');
    expect(parseStreamStarts(ids(maxStreamSessions))).toHaveLength(maxStreamSessions);
    expect(parseStreamStarts(ids(maxStreamSessions + 1))).toBeNull();
  });

  it('never throws, whatever it is given', () => {
    fc.assert(fc.property(fc.string(), (text) => void [parseStreamStarts(text), parseCursor(text)]));
  });
});
