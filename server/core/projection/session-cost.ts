import type { Model } from '@/server/contract/shapes';
import { costOf, type TokenPrices } from '@/server/core/budget/cost';
import { isKnown } from './log-state-path';
import type { LogState, SessionState } from './state-shape';

/**
 * What a session cost in US dollars: its replies at the prices handed in, its attempts at compaction as they were booked;
 * whatever its head is, since all of it was paid for. Null where nothing has a known cost.
 */
export function sumCost(
  state: SessionState,
  log: LogState,
  pricesOf: (model: Model) => TokenPrices | null,
): number | null {
  const lines = (log.branches.get(state.branch)?.lines ?? []).map((seq) => log.bySeq.get(seq));
  const costs = lines.flatMap((event) => {
    if (!event || !isKnown(event) || log.ignored.has(event.id)) return [];
    if (event.type === 'message.assistant') return costOf(event.usage, pricesOf(event.model)) ?? [];
    return event.type === 'compaction.attempt' ? (event.cost ?? []) : [];
  });
  return costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0);
}
