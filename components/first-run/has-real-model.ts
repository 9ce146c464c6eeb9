import type { Provider } from '@/server/contract/provider';

/** Whether somebody connected a model. The practice model is always there and is no answer to that question (N2). */
export function hasRealModel(providers: readonly Provider[]): boolean {
  return providers.some((provider) => provider.kind !== 'embedded' && provider.state !== 'key_missing');
}
