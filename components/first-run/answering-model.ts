import type { AgentContent } from '@/server/contract/agent';
import type { Provider } from '@/server/contract/provider';
import type { Model } from '@/server/contract/shapes';

/**
 * The model that will answer in a new conversation: the agent's own, else the first of the first provider that has its key.
 * A connected provider goes before the practice model, which answers only where nothing else can (N2). Null: nobody can.
 */
export function answeringModel(
  agent: Pick<AgentContent, 'model'>,
  providers: readonly Pick<Provider, 'id' | 'kind' | 'state' | 'models'>[],
): Model | null {
  if (agent.model !== null) return agent.model;
  const ready = providers.filter(({ state, models }) => state !== 'key_missing' && models.length > 0);
  const first = ready.find(({ kind }) => kind !== 'embedded') ?? ready[0];
  const model = first?.models[0];
  return first && model ? { provider: first.id, model: model.id } : null;
}

/** Whether a model is the built-in one: it says what it is wherever it is chosen (N2). */
export function isPractice(model: Model | null, providers: readonly Pick<Provider, 'id' | 'kind'>[]): boolean {
  return providers.some(({ id, kind }) => kind === 'embedded' && id === model?.provider);
}
