import { fitsWindow } from '@/server/core/budget/calibrate';
import type { TokenPrices } from '@/server/core/budget/cost';

/** What is known of a summariser (R0, R12): its own window, never the receiving agent's. */
export interface SummariserFacts {
  /** Tokens; null: unknown. */
  readonly windowTokens: number | null;
  readonly bytesPerToken: number;
  /** The output ceiling its adapter will really send with a request of this measure; null: none is sent (R11). */
  readonly ceilingTokens: (measureBytes: number) => number | null;
  /** Null: no price is known, and the attempt has no cost. */
  readonly prices: TokenPrices | null;
}

/**
 * Whether the actual one-shot request, prompt and instruction included, fits the summariser (R0). Without a known
 * window the receiving agent's budget serves as the estimate until the provider reports a limit.
 */
export function fitsSummariser(measureBytes: number, facts: SummariserFacts, budgetBytes: number): boolean {
  if (facts.windowTokens === null) return measureBytes <= budgetBytes;
  const { windowTokens, bytesPerToken } = facts;
  return fitsWindow({ measureBytes, bytesPerToken, windowTokens, ceilingTokens: facts.ceilingTokens(measureBytes) });
}
