import type { Model } from '@/server/contract/shapes';
import { costOf, type TokenPrices } from '@/server/core/budget/cost';
import type { Spent } from './branch-ledger';
import type { LogState, SessionState } from './state-shape';

/**
 * What a session cost in US dollars: its replies at the prices handed in, its attempts at compaction as they were booked;
 * whatever its head is, since all of it was paid for. Null where nothing has a known cost.
 */
export function sumCost(
  { branch }: SessionState,
  log: LogState,
  pricesOf: (model: Model) => TokenPrices | null,
): number | null {
  const ledger = log.branches.get(branch)?.ledger;
  if (ledger === undefined) return null;
  const replies = ledger.spent.flatMap((spent) => costOf(toUsage(spent), pricesOf(spent.model)) ?? []);
  const costs = ledger.booked === null ? replies : [...replies, ledger.booked];
  return costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0);
}

/** A price is for a token, so replies of one model may be charged together. */
function toUsage({ plain, read, written, output }: Spent) {
  return { input: plain + read + written, output, cachedRead: read, cachedWrite: written, reasoning: null };
}
