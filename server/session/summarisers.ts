import type { Model } from '@/server/contract/shapes';
import type { CompactionTrigger } from '@/server/core/compaction/plan';
import type { SessionContext } from './session-context';

export interface SummariserChoice {
  /** The model that answers in the turn it belongs to; null between turns. */
  readonly turnModel: Model | null;
  readonly trigger: CompactionTrigger;
  /** Three failures in a row: passed over for a while (G4). */
  readonly isPaused: (provider: string) => boolean;
}

/**
 * Who summarises, in order, as the settings are when the compaction starts (S2–S4). A chosen list is all there is: nobody
 * is appended. Without one it is the model that answers in this turn, so under `auto` the one the router chose; between
 * turns the agent's own, or, under `auto`, the configured chain and not the agent's fallbacks. A paused provider is passed
 * over where nobody asked for the compaction, but never all of them (G4).
 */
export function chooseSummarisers(
  { settings, choice }: Pick<SessionContext, 'settings' | 'choice'>,
  { turnModel, trigger, isPaused }: SummariserChoice,
): readonly Model[] {
  const { summarization_models: chosen, auto_chain: auto } = settings.routing;
  const between = choice.auto ? auto : choice.chain.slice(0, 1);
  const chain = chosen.length > 0 ? chosen : turnModel === null ? between : [turnModel];
  const open = trigger === 'manual' ? chain : chain.filter(({ provider }) => !isPaused(provider));
  return open.length === 0 ? chain : open;
}
