import { describe, expect, it } from 'vitest';
import { fitsSummariser, type SummariserFacts } from './fit';

const facts = (change: Partial<SummariserFacts> = {}): SummariserFacts => ({
  windowTokens: 10_000,
  bytesPerToken: 2,
  ceilingTokens: () => null,
  prices: null,
  ...change,
});
const BUDGET = 400_000;

describe('whether one request suffices (R0, contract 7)', () => {
  it('R12: by the summariser’s own window; the agent’s budget has no say where that is known', () => {
    expect(fitsSummariser(19_000, facts(), BUDGET)).toBe(true);
    expect(fitsSummariser(19_001, facts(), BUDGET)).toBe(false);
    expect(fitsSummariser(19_000, facts(), 1_000)).toBe(true);
  });

  it('R0: no window known: the agent’s budget is the estimate until a provider says otherwise', () => {
    const unknown = facts({ windowTokens: null });
    expect(fitsSummariser(BUDGET, unknown, BUDGET)).toBe(true);
    expect(fitsSummariser(BUDGET + 1, unknown, BUDGET)).toBe(false);
  });

  it('contract 7: measured bytes a token widen or narrow it', () => {
    expect(fitsSummariser(36_000, facts({ bytesPerToken: 3.8 }), BUDGET)).toBe(true);
    expect(fitsSummariser(36_000, facts({ bytesPerToken: 3.7 }), BUDGET)).toBe(false);
    expect(fitsSummariser(19_000, facts({ bytesPerToken: 1 }), BUDGET)).toBe(false);
  });

  it('R11: a ceiling counts where the adapter will really send one, as it will be for this size', () => {
    const withCeiling = facts({ ceilingTokens: (measureBytes) => 9_000 - Math.ceil(measureBytes / 4) });
    expect(fitsSummariser(4_000, withCeiling, BUDGET)).toBe(true);
    expect(fitsSummariser(4_004, withCeiling, BUDGET)).toBe(false);
  });
});
