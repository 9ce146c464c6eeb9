import type { Usage } from '@/server/contract/shapes';

/** US dollars for a million tokens; what is not named costs as plain input does. */
export interface TokenPrices {
  readonly input: number;
  readonly output: number;
  readonly cachedRead?: number | undefined;
  readonly cachedWrite?: number | undefined;
}

const TOKENS_A_PRICE = 1_000_000;

/**
 * What a request cost, in US dollars. Null where no price is known or the provider did not report both directions: a
 * cost is never guessed (X3, X7). Reported input counts what came from or went to the cache too.
 */
export function costOf(usage: Usage | null, prices: TokenPrices | null): number | null {
  if (usage === null || prices === null || usage.input === null || usage.output === null) return null;
  const read = Math.min(usage.input, usage.cachedRead ?? 0);
  const written = Math.min(usage.input - read, usage.cachedWrite ?? 0);
  const dollars =
    (usage.input - read - written) * prices.input +
    read * (prices.cachedRead ?? prices.input) +
    written * (prices.cachedWrite ?? prices.input) +
    usage.output * prices.output;
  return dollars / TOKENS_A_PRICE;
}
