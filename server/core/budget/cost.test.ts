import { describe, expect, it } from 'vitest';
import { costOf } from './cost';

const usage = { input: 1_000_000, output: 100_000, cachedRead: 600_000, cachedWrite: 100_000, reasoning: null };

describe('what a request cost', () => {
  it('X3: plain, cached and written input at their own prices, and the output', () => {
    expect(costOf(usage, { input: 3, output: 15, cachedRead: 0.3, cachedWrite: 3.75 })).toBeCloseTo(
      0.9 + 0.18 + 0.375 + 1.5,
    );
  });

  it('what has no price of its own costs as plain input does', () => {
    expect(costOf(usage, { input: 3, output: 15 })).toBeCloseTo(3 + 1.5);
  });

  it('X7: without a price, or without both counts, nothing is guessed', () => {
    expect(costOf(usage, null)).toBeNull();
    expect(costOf({ ...usage, output: null }, { input: 3, output: 15 })).toBeNull();
    expect(costOf(null, { input: 3, output: 15 })).toBeNull();
  });
});
