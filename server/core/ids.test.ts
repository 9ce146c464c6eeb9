import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ULID_PATTERN } from '@/server/contract/ids';
import { createIds, readTimeMs, stepId } from './ids';

const zeros = new Uint8Array(10);

describe('ids', () => {
  it('write the time first and the randomness behind it', () => {
    expect(stepId({ newest: null, nowMs: 0, random: zeros })).toBe('00000000000000000000000000');
    expect(stepId({ newest: null, nowMs: 1, random: new Uint8Array(10).fill(255) })).toBe('0000000001ZZZZZZZZZZZZZZZZ');
    expect(readTimeMs(stepId({ newest: null, nowMs: 1_790_000_000_123, random: zeros }))).toBe(1_790_000_000_123);
  });

  it('count up within a millisecond and carry over', () => {
    const newest = '0000000001000000000000000Z';
    expect(stepId({ newest, nowMs: 1, random: zeros })).toBe('00000000010000000000000010');
  });

  it('take the next millisecond when the random part is used up', () => {
    const newest = '0000000001ZZZZZZZZZZZZZZZZ';
    expect(stepId({ newest, nowMs: 1, random: zeros })).toBe('00000000020000000000000000');
  });

  it('contract-1, rel-S19: ids grow and stay well formed however the clock jumps', () => {
    const times = fc.array(fc.integer({ min: 0, max: 4e12 }), { minLength: 2, maxLength: 50 });
    fc.assert(
      fc.property(times, fc.uint8Array({ minLength: 10, maxLength: 10 }), (clock, random) => {
        const ticks = [...clock];
        const ids = createIds({ clock: { now: () => ticks.shift() ?? 0 }, drawBytes: () => random });
        const made = clock.map(() => ids.next());
        expect(made).toEqual([...new Set(made)].sort());
        for (const id of made) expect(id).toMatch(ULID_PATTERN);
      }),
    );
  });

  it('contract-1: an id read from a log pushes later ones behind it; text that is no id does not', () => {
    const ids = createIds({ clock: { now: () => 5 }, drawBytes: () => zeros });
    ids.seen('000000000A0000000000000000');
    ids.seen('not an id, though it sorts behind');
    expect(ids.next()).toBe('000000000A0000000000000001');
  });
});
