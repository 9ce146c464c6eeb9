import { AppError } from '@/server/contract/error';
import type { ConfiguredModel, CreateProvider, PatchProvider, Provider } from '@/server/contract/provider';
import { patchProviderSchema } from '@/server/contract/provider';
import type { Settings } from '@/server/contract/settings';
import type { Model } from '@/server/contract/shapes';
import type { TokenPrices } from '@/server/core/budget/cost';
import { type ConnectedModel, type ProviderConnection, toConnection } from '@/server/model/connection';
import type { ProviderStore } from '@/server/ports/stores';
import type { SecretBox } from './secret-box';
import {
  openHeaders,
  parseStoredProvider,
  type StoredDocument,
  sealHeaders,
  toStoredProvider,
} from './stored-provider';

/** The built-in practice model's provider: rules, not an AI; always there, never chosen in silence (N2). */
export const PRACTICE_PROVIDER = 'practice';
export const PRACTICE_MODEL: Model = { provider: PRACTICE_PROVIDER, model: 'rules-1' };
export const PRACTICE_WINDOW_TOKENS = 8_000;

export interface RegistryOptions {
  readonly store: ProviderStore;
  readonly box: SecretBox;
  /** The environment as it was at start: keys named by `apiKeyEnv` are read from here, never stored. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** From `TIDEMARK_PROVIDERS`; they cannot be changed or removed here. */
  readonly fromEnv: readonly CreateProvider[];
  readonly isPaused: (providerId: string) => boolean;
  readonly settings: () => Settings;
}

export interface ModelRegistry {
  list(): readonly Provider[];
  get(id: string): Provider;
  create(provider: CreateProvider): Provider;
  patch(id: string, change: PatchProvider): Provider;
  remove(id: string): void;
  /** What the model adapter needs to speak to it; null where there is no such provider. */
  connection(id: string): ProviderConnection | null;
  configuredModels(id: string): readonly ConfiguredModel[];
  /** As a person set them; null: nobody did, and then nothing has a cost. */
  prices(model: Model): TokenPrices | null;
}

interface Entry {
  readonly document: StoredDocument['document'];
  readonly key: () => string | null;
  readonly headerNames: readonly string[];
  readonly headers: () => Readonly<Record<string, string>>;
  readonly keyFrom: Provider['keyFrom'];
  readonly builtIn: boolean;
}

const PRACTICE: Entry = {
  document: {
    id: PRACTICE_PROVIDER,
    kind: 'embedded',
    name: 'Practice model',
    models: [{ id: PRACTICE_MODEL.model, window: PRACTICE_WINDOW_TOKENS }],
  },
  key: () => null,
  headerNames: [],
  headers: () => ({}),
  keyFrom: 'none',
  builtIn: true,
};

type Keyed = Pick<Entry, 'key' | 'keyFrom'>;

/** Providers and their keys. A key goes in and never comes out but to the adapter of its own provider. */
export function createModelRegistry(options: RegistryOptions): ModelRegistry {
  const { store, box, env } = options;

  const keyOf = ({ id, apiKeyEnv }: Entry['document'], sealed: string | null): Keyed => {
    if (sealed !== null) return { key: () => box.open(sealed, placeOf(id)), keyFrom: 'stored' };
    const named = apiKeyEnv === undefined ? undefined : env[apiKeyEnv];
    return { key: () => named ?? null, keyFrom: named ? 'environment' : 'none' };
  };

  const fixed = new Map<string, Entry>([[PRACTICE_PROVIDER, PRACTICE]]);
  for (const { apiKey, headers = {}, ...document } of options.fromEnv) {
    const keyed: Keyed = apiKey === undefined ? keyOf(document, null) : { key: () => apiKey, keyFrom: 'environment' };
    const headerNames = Object.keys(headers);
    fixed.set(document.id, { document, ...keyed, headerNames, headers: () => headers, builtIn: true });
  }

  const fromStore = (id: string): Entry | null => {
    const row = store.get(id);
    if (!row) return null;
    const { document, sealedHeaders } = parseStoredProvider(box, row.document);
    return {
      document,
      ...keyOf(document, row.keyCipher),
      headerNames: Object.keys(sealedHeaders),
      headers: () => openHeaders(box, id, sealedHeaders),
      builtIn: false,
    };
  };
  const find = (id: string): Entry | null => fixed.get(id) ?? fromStore(id);
  const need = (id: string): Entry => {
    const entry = find(id);
    if (!entry) throw new AppError('not_found', `There is no provider called ${id}.`);
    return entry;
  };
  const needOwn = (id: string): Entry => {
    const entry = need(id);
    if (entry.builtIn) throw new AppError('conflict', `${id} comes with the installation and cannot be changed here.`);
    return entry;
  };
  const show = (entry: Entry): Provider => toProvider(entry, options.isPaused(entry.document.id));
  const seal = (id: string, key: string | null | undefined) => (key ? box.seal(key, placeOf(id)) : null);

  return {
    list: () => {
      const stored = store.list().flatMap(({ id }) => (fixed.has(id) ? [] : (fromStore(id) ?? [])));
      return [...stored, ...fixed.values()].map(show);
    },
    get: (id) => show(need(id)),
    create: ({ apiKey, headers, ...document }) => {
      const { id } = document;
      if (find(id)) throw new AppError('conflict', `There is a provider called ${id} already.`);
      const stored = toStoredProvider({ document, sealedHeaders: sealHeaders(box, id, headers) });
      store.save({ id, document: stored, keyCipher: seal(id, apiKey) });
      return show(need(id));
    },
    patch: (id, change) => {
      needOwn(id);
      const row = store.get(id);
      const before = parseStoredProvider(box, row?.document);
      const { apiKey, headers, ...rest } = patchProviderSchema.parse(change);
      const stays = isSameOrigin(before.document.baseUrl, rest.baseUrl);
      const kept = stays ? before : withoutSecrets(before);
      const document = { ...kept.document, ...rest };
      const sealedHeaders = headers === undefined ? kept.sealedHeaders : sealHeaders(box, id, headers);
      const keptCipher = stays ? (row?.keyCipher ?? null) : null;
      const keyCipher = apiKey === undefined ? keptCipher : seal(id, apiKey);
      store.save({ id, document: toStoredProvider({ document, sealedHeaders }), keyCipher });
      return show(need(id));
    },
    remove: (id) => {
      needOwn(id);
      store.remove(id);
    },
    connection: (id) => {
      const entry = find(id);
      return entry ? toProviderConnection(entry, options.settings()) : null;
    },
    configuredModels: (id) => find(id)?.document.models ?? [],
    prices: ({ provider, model }) => find(provider)?.document.models?.find(({ id }) => id === model)?.price ?? null,
  };
}

/** Keys are bound to the origin they were given for (reliability 6.4): at another one they have to be given again. */
function withoutSecrets({ document: { apiKeyEnv: _key, ...document } }: StoredDocument): StoredDocument {
  return { document, sealedHeaders: {} };
}

/** An address that is not changed stays where it was. */
function isSameOrigin(before: string | undefined, after: string | undefined): boolean {
  if (after === undefined) return true;
  return before !== undefined && new URL(before).origin === new URL(after).origin;
}

const placeOf = (id: string) => `providers|${id}|key`;

/** Kinds that never answer without a key. */
const NEEDS_KEY: readonly CreateProvider['kind'][] = ['openai', 'anthropic', 'google'];

function toProvider({ document, keyFrom, headerNames, builtIn }: Entry, paused: boolean): Provider {
  const keyMissing = keyFrom === 'none' && (NEEDS_KEY.includes(document.kind) || document.apiKeyEnv !== undefined);
  return {
    id: document.id,
    kind: document.kind,
    name: document.name ?? document.id,
    baseUrl: document.baseUrl ?? null,
    hasKey: keyFrom !== 'none',
    keyFrom,
    apiKeyEnv: document.apiKeyEnv ?? null,
    models: document.models ?? [],
    headerNames: [...headerNames],
    options: document.options ?? {},
    state: keyMissing ? 'key_missing' : paused ? 'paused' : 'ready',
    builtIn,
  };
}

function toProviderConnection(entry: Entry, settings: Settings): ProviderConnection {
  const { document } = entry;
  return toConnection({
    id: document.id,
    kind: document.kind,
    ...(document.baseUrl === undefined ? {} : { baseUrl: document.baseUrl }),
    apiKey: entry.key(),
    headers: entry.headers(),
    models: connectedModels(document.id, document.models ?? [], settings),
    mergeRoles: document.options?.merge_roles ?? null,
    strictAfterTool: document.options?.strict_after_tool ?? null,
    cacheTtl: settings.cache.anthropic_ttl,
  });
}

/** A number a person set for a model in the settings goes before the one in the provider's own list. */
function connectedModels(provider: string, listed: readonly ConfiguredModel[], settings: Settings): ConnectedModel[] {
  const prefix = `${provider}/`;
  const named = Object.keys(settings.models)
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length));
  const ids = [...new Set([...listed.map((model) => model.id), ...named])];
  return ids.map((id) => {
    const own = settings.models[`${prefix}${id}`];
    const model = listed.find((each) => each.id === id);
    return {
      id,
      window: own?.window ?? model?.window ?? null,
      maxOutput: own?.max_output ?? model?.maxOutput ?? null,
      vision: null,
    };
  });
}
