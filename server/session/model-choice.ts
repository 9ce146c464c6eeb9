import type { AgentContent } from '@/server/contract/agent';
import { AppError } from '@/server/contract/error';
import { toModelKey } from '@/server/contract/names';
import type { SessionSettings, Settings } from '@/server/contract/settings';
import type { Model } from '@/server/contract/shapes';
import { type Budget, chooseBudget, planBudget } from '@/server/core/budget/budget';
import { isSameModel } from '@/server/core/turn/model-call';
import type { ModelFacts } from '@/server/ports/model';
import type { ModelRegistry } from './model-registry';

/** Who answers in a conversation: the model first asked, then those it fails over to (G2). */
export interface ModelChoice {
  readonly chain: readonly Model[];
  /** Named for this conversation by a person: then a pause of its provider does not pass it over (G4). */
  readonly byPerson: boolean;
  /** The router's: the chain is `routing.auto_chain` (S3). */
  readonly auto: boolean;
}

export interface ChoiceInput {
  readonly sessionModel: Model | null;
  readonly agent: Pick<AgentContent, 'model' | 'fallbacks'> | null;
  readonly settings: Settings;
  readonly registry: ModelRegistry;
}

/**
 * The chain of a conversation: its own model, else its agent's, else the installation's first ready one; `auto` is the
 * configured chain. Throws `no_model` where nothing is ready, `unknown_model` for a provider that is not there.
 */
export function chooseModels({ sessionModel, agent, settings, registry }: ChoiceInput): ModelChoice {
  const named = sessionModel ?? agent?.model ?? null;
  const first = named === null ? firstReady(registry) : named;
  const heads = isAuto(first) ? settings.routing.auto_chain : [first];
  const chain = [...heads, ...(agent?.fallbacks ?? [])].filter(
    (model, index, all) => all.findIndex((other) => isSameModel(other, model)) === index,
  );
  if (chain.length === 0)
    throw new AppError('no_model', 'The automatic choice has no models yet. Set its order in Settings.');
  for (const model of chain) {
    if (registry.connection(model.provider) !== null) continue;
    throw new AppError(
      'unknown_model',
      `The provider ${model.provider} is not configured any more. Choose another model.`,
    );
  }
  return { chain, byPerson: sessionModel !== null, auto: isAuto(first) };
}

const isAuto = (model: Model) => model.provider === 'auto';

/**
 * The first model of the first provider that has what it needs; the practice model stands last in the list. One that is paused
 * stays the choice: a few failures must not hand a conversation to another model without a word (N2, G4).
 */
function firstReady(registry: ModelRegistry): Model {
  for (const provider of registry.list()) {
    const model = provider.models[0];
    if (provider.state !== 'key_missing' && model) return { provider: provider.id, model: model.id };
  }
  throw new AppError('no_model', 'No model is ready. Add a key or a local server in Settings.');
}

export interface BudgetInput {
  readonly chain: readonly Model[];
  readonly settings: Settings;
  readonly agentSettings: AgentContent['settings'] | null;
  readonly sessionSettings: SessionSettings;
  readonly factsOf: (model: Model) => ModelFacts | null;
}

/** The budget of a chain: the smallest of its models', each chosen by the cascade (B1). */
export function chooseBudgetOf({ chain, settings, agentSettings, sessionSettings, factsOf }: BudgetInput): Budget {
  return planBudget(
    chain.map((model) => ({
      windowTokens: factsOf(model)?.window ?? null,
      chosenBytes: chooseBudget({
        model: settings.models[toModelKey(model)]?.context_budget ?? null,
        session: sessionSettings.context_budget ?? null,
        agent: agentSettings?.context_budget ?? null,
        installation: settings.context_budget,
      }),
    })),
  );
}
