import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CarryOver } from '@/server/core/projection/state-shape';
import { measureCarried, takeCarryOvers } from './take';

const carry = (id: string, text: string): CarryOver => ({ id, text, sourceItem: null, by: 'ada', at: '' });

describe('carry-overs at a compaction', () => {
  it('K1: all go along word for word while they fit', () => {
    const list = [carry('b', 'port 7443'), carry('a', 'never on\nThursdays')];
    expect(takeCarryOvers(list, 4_096)).toEqual({
      kept: [
        { id: 'b', text: 'port 7443' },
        { id: 'a', text: 'never on\nThursdays' },
      ],
      dropped: [],
    });
  });

  it('K1: the first that does not fit and all below it are dropped by name, though a later one would fit', () => {
    const list = [carry('new', 'short'), carry('long', 'x'.repeat(300)), carry('old', 'tiny')];
    const taken = takeCarryOvers(list, 200);
    expect(taken.kept.map(({ id }) => id)).toEqual(['new']);
    expect(taken.dropped.map(({ id, reason }) => ({ id, reason }))).toEqual([
      { id: 'long', reason: 'bound' },
      { id: 'old', reason: 'bound' },
    ]);
    expect(taken.dropped[0]?.bytes).toBeGreaterThan(300);
  });

  it('K1: a bound of nothing takes nothing', () => {
    expect(takeCarryOvers([carry('a', 'x')], 0)).toMatchObject({ kept: [], dropped: [{ id: 'a' }] });
    expect(takeCarryOvers([], 0)).toEqual({ kept: [], dropped: [] });
  });

  it('K1: what is taken always fits, and one more would not (law)', () => {
    const lists = fc.array(fc.string({ maxLength: 60 }), { maxLength: 12 });
    fc.assert(
      fc.property(lists, fc.integer({ min: 0, max: 600 }), (texts, bound) => {
        const list = texts.map((text, index) => carry(String(index), text));
        const { kept, dropped } = takeCarryOvers(list, bound);
        expect(measureCarried(kept)).toBeLessThanOrEqual(bound);
        expect(kept.length + dropped.length).toBe(list.length);
        if (dropped.length > 0) expect(measureCarried(list.slice(0, kept.length + 1))).toBeGreaterThan(bound);
      }),
    );
  });
});
