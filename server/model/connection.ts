import type { ModelRef, ProviderKind } from '@/server/ports/model';

/** One model as its provider's entry in the settings describes it; null: nobody said. */
export interface ConnectedModel {
  readonly id: string;
  readonly window: number | null;
  readonly maxOutput: number | null;
  readonly vision: boolean | null;
}

/**
 * A provider ready to be spoken to. `apiKey` is bound to the origin of `baseUrl`: the fetch that carries it refuses
 * every other origin and every redirect.
 */
export interface ProviderConnection {
  readonly id: string;
  readonly kind: ProviderKind;
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly models: readonly ConnectedModel[];
  /** Switches of contract 10; null: the default of the kind. */
  readonly mergeRoles: boolean | null;
  readonly strictAfterTool: boolean | null;
  readonly includeUsage: boolean | null;
  readonly cacheTtl: 'off' | '5m' | '1h';
  readonly imageLimitBytes: number | null;
}

/** What a provider taught us by an answer. Kept by the caller's memory, for one provider and model. */
export interface Learnt {
  readonly window?: number;
  readonly maxOutput?: number;
  readonly strictAfterTool?: boolean;
  readonly refusesStreamOptions?: boolean;
  /** It refused a choice of reasoning; from then on none is sent. */
  readonly refusesReasoning?: boolean;
  /** It wants call ids of nine letters and digits (Mistral). */
  readonly shortCallIds?: boolean;
}

/** Where learnt facts live; the container decides how long (a map for the life of the process, or the settings table). */
export interface LearntMemory {
  read(ref: ModelRef): Learnt;
  learn(ref: ModelRef, fact: Learnt): void;
}

const PUBLIC_BASE_URLS: Readonly<Record<ProviderKind, string>> = {
  'openai-compatible': 'http://127.0.0.1:11434/v1',
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  embedded: 'http://practice.invalid/v1',
};

/** A connection with every switch at its default. `baseUrl` is spelt out always, so that no environment variable of an SDK can move it. */
export function toConnection(
  facts: Pick<ProviderConnection, 'id' | 'kind'> & Partial<ProviderConnection>,
): ProviderConnection {
  return {
    apiKey: null,
    headers: {},
    models: [],
    mergeRoles: null,
    strictAfterTool: null,
    includeUsage: null,
    cacheTtl: '5m',
    imageLimitBytes: null,
    ...facts,
    baseUrl: (facts.baseUrl ?? PUBLIC_BASE_URLS[facts.kind]).replace(/\/+$/, ''),
  };
}
