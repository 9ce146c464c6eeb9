import { toModelKey } from '@/server/contract/names';
import type {
  CreateProvider,
  ModelInfo,
  ModelsAnswer,
  ModelsQuery,
  Provider,
  ProviderOffer,
  ProviderTest,
} from '@/server/contract/provider';
import type { Settings } from '@/server/contract/settings';
import { chooseBudget, planBudget } from '@/server/core/budget/budget';
import { explainTrouble } from '@/server/core/turn/explain';
import { toDetail } from '@/server/core/turn/model-call';
import type { ModelPort } from '@/server/ports/model';
import type { ListedModel, Listing, ModelCatalog } from '@/server/ports/model-catalog';
import type { ModelLearning } from './model-learning';
import { type ModelRegistry, PRACTICE_PROVIDER } from './model-registry';

export interface ProvidersDeps {
  readonly registry: ModelRegistry;
  readonly catalog: ModelCatalog;
  readonly model: ModelPort;
  readonly learning: ModelLearning;
  readonly settings: () => Settings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly elapsedMs: () => number;
}

/** How long a list of models may take; it is asked for by somebody who looks at it. Milliseconds. */
const LIST_PATIENCE_MS = 8_000;

/** Providers as people set them up: tested, offered, their models listed. Nothing here ever spends (N4). */
export interface ProvidersUse {
  test(id: string): Promise<ProviderTest>;
  offers(): Promise<{ readonly offers: readonly ProviderOffer[] }>;
  models(query: ModelsQuery): Promise<ModelsAnswer>;
}

/** Providers over the registry and the catalogue. */
export function createProviders(deps: ProvidersDeps): ProvidersUse {
  const listOf = async (id: string): Promise<Listing> => {
    const connection = deps.registry.connection(id);
    if (connection === null) return { ok: true, models: [] };
    const listing = await deps.catalog.list(connection, AbortSignal.timeout(LIST_PATIENCE_MS));
    if (listing.ok) rememberListing(deps, id, listing.models);
    return listing;
  };
  return {
    test: async (id) => {
      const provider = deps.registry.get(id);
      const started = deps.elapsedMs();
      const listing = await listOf(id);
      const ms = Math.round(deps.elapsedMs() - started);
      if (listing.ok) return { ok: true, ms, models: listing.models.length, error: null };
      const { code, text } = explainTrouble(listing.trouble, provider.name);
      return { ok: false, ms, models: null, error: { code, message: text, detail: toDetail(listing.trouble) } };
    },
    offers: async () => {
      const taken = new Set(deps.registry.list().map((provider) => provider.id));
      const servers = await deps.catalog.discoverLocal(AbortSignal.timeout(2_000));
      const offers = [...keyOffers(deps), ...servers.map(toServerOffer)];
      return { offers: offers.filter((offer) => !taken.has(offer.provider.id)) };
    },
    models: async (query) => {
      const wanted = deps.registry
        .list()
        .filter((provider) => query.provider === undefined || provider.id === query.provider);
      const found = await Promise.all(wanted.map((provider) => modelsOf(deps, provider, listOf)));
      const words = (query.q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
      const all = found.flat().filter((model) => words.every((word) => searchText(model).includes(word)));
      return { models: all.slice(0, query.limit), truncated: all.length > query.limit };
    },
  };
}

/** A provider with more models than this is a shop: which of them is meant, a person says. */
const MOST_TAKEN_OVER = 30;

/**
 * What a provider says of its models counts from then on: reported windows (B7), and, where nobody named models by hand
 * and there are few, the models themselves, so that a connected local server can answer.
 */
function rememberListing({ registry, learning }: ProvidersDeps, id: string, models: readonly ListedModel[]): void {
  for (const { id: model, window } of models) {
    const ref = { provider: id, model };
    if (window !== null && learning.read(ref).window !== window) learning.learn(ref, { window });
  }
  const { models: own, builtIn } = registry.get(id);
  if (builtIn || own.length > 0 || models.length === 0 || models.length > MOST_TAKEN_OVER) return;
  registry.patch(id, { models: models.map((model) => ({ id: model.id })) });
}

const searchText = (model: ModelInfo) => `${model.providerName} ${model.provider} ${model.label}`.toLowerCase();

/** Configured by hand first, then what the provider itself lists; a provider that does not answer has its own only. */
async function modelsOf(
  deps: ProvidersDeps,
  provider: Provider,
  listOf: (id: string) => Promise<Listing>,
): Promise<readonly ModelInfo[]> {
  const own = provider.models.map((model) => model.id);
  const listing = provider.state === 'key_missing' || provider.kind === 'embedded' ? null : await listOf(provider.id);
  const listed = listing?.ok ? listing.models : [];
  const ids = [...new Set([...own, ...listed.map((model) => model.id)])];
  return ids.map((id) => toModelInfo(deps, provider, { id, listed: listed.find((model) => model.id === id) ?? null }));
}

function toModelInfo(
  deps: ProvidersDeps,
  provider: Provider,
  { id, listed }: { readonly id: string; readonly listed: ListedModel | null },
): ModelInfo {
  const settings = deps.settings();
  const model = { provider: provider.id, model: id };
  const facts = deps.model.describe(model);
  const window = facts?.window ?? listed?.window ?? null;
  const chosen = chooseBudget({
    model: settings.models[toModelKey(model)]?.context_budget ?? null,
    session: null,
    agent: null,
    installation: settings.context_budget,
  });
  const budget = planBudget([{ windowTokens: window, chosenBytes: chosen }]);
  return {
    ...model,
    label: id,
    providerName: provider.name,
    kind: provider.kind,
    windowTokens: window,
    windowSource: toWindowSource(facts?.windowFrom ?? null, listed),
    maxOutputTokens: facts?.maxOutput ?? listed?.maxOutput ?? null,
    price: provider.models.find((each) => each.id === id)?.price ?? null,
    vision: facts?.vision ?? false,
    state: provider.state,
    simulated: provider.id === PRACTICE_PROVIDER,
    budgetBytes: budget.bytes,
    budgetPassedOver: budget.passedOver.length > 0,
  };
}

function toWindowSource(
  from: 'set' | 'reported' | 'table' | null,
  listed: ListedModel | null,
): ModelInfo['windowSource'] {
  if (from === 'set') return 'chosen';
  if (from === 'reported') return 'reported';
  if (from === 'table') return 'known';
  return listed?.window == null ? 'unknown' : 'reported';
}

function keyOffers({ catalog, env }: ProvidersDeps): readonly ProviderOffer[] {
  return catalog.offerKeys(env).map((offer) => ({
    from: 'environment' as const,
    label: offer.variable,
    provider: { id: offer.providerId, kind: offer.kind, baseUrl: offer.baseUrl, apiKeyEnv: offer.variable },
    models: [],
  }));
}

function toServerOffer(server: Awaited<ReturnType<ModelCatalog['discoverLocal']>>[number]): ProviderOffer {
  const id = server.name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const provider: CreateProvider = {
    id,
    kind: 'openai-compatible',
    name: server.name,
    baseUrl: server.baseUrl,
    models: server.models.map((model) => ({
      id: model.id,
      ...(model.window === null ? {} : { window: model.window }),
    })),
  };
  return {
    from: 'local_server',
    label: `${server.name} at ${server.baseUrl}`,
    provider,
    models: server.models.map((model) => model.id),
  };
}
