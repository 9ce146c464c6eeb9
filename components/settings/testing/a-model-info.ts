import type { ModelInfo } from '@/server/contract/provider';

/** A model that is ready and has room, as the list of models names it, for tests. */
export function aModelInfo(changes: Partial<ModelInfo> = {}): ModelInfo {
  return {
    provider: 'anthropic',
    model: 'sonnet-x',
    label: 'sonnet-x',
    providerName: 'Anthropic',
    kind: 'anthropic',
    windowTokens: 200_000,
    windowSource: 'known',
    maxOutputTokens: null,
    price: null,
    vision: false,
    state: 'ready',
    simulated: false,
    budgetBytes: 400_000,
    budgetPassedOver: false,
    ...changes,
  };
}
