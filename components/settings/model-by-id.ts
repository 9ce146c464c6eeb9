import { modelNameSchema, providerIdSchema } from '@/server/contract/names';
import type { ModelInfo } from '@/server/contract/provider';
import type { ListedModel } from './model-state';

/** A model named as `provider/id`, or by its id alone while only one real provider is there; null for anything else. */
export function modelById(text: string, models: readonly ModelInfo[]): ListedModel | null {
  const typed = text.trim();
  const providers = [...new Set(models.filter((info) => !info.simulated).map((info) => info.provider))];
  const slash = typed.indexOf('/');
  const named = slash > 0 && providers.includes(typed.slice(0, slash));
  const provider = named ? typed.slice(0, slash) : providers.length === 1 ? providers[0] : undefined;
  const model = named ? typed.slice(slash + 1) : typed;
  if (!providerIdSchema.safeParse(provider).success || !modelNameSchema.safeParse(model).success) return null;
  return provider === undefined || model === 'auto' ? null : { provider, model };
}
