import type { ProviderKind, ProviderTrouble } from './model';

/** A provider as a person is about to add it; nothing is stored by asking. */
export interface ProviderCandidate {
  readonly id: string;
  readonly kind: ProviderKind;
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** A model as its provider lists it; null where it does not say. Tokens. */
export interface ListedModel {
  readonly id: string;
  readonly window: number | null;
  readonly maxOutput: number | null;
}

export type Listing =
  | { readonly ok: true; readonly models: readonly ListedModel[] }
  | { readonly ok: false; readonly trouble: ProviderTrouble };

/** A server found on this machine: offered, never added by itself (N4). */
export interface OfferedServer {
  readonly name: string;
  readonly baseUrl: string;
  readonly models: readonly ListedModel[];
}

/** A key found in the environment, by the name of its variable; the key itself is not in the offer. */
export interface OfferedKey {
  readonly variable: string;
  readonly providerId: string;
  readonly kind: ProviderKind;
  readonly baseUrl: string;
}

export interface ModelCatalog {
  /** Lists a provider's models; costs nothing, so it is the test of a key too. Never throws. */
  list(candidate: ProviderCandidate, signal: AbortSignal): Promise<Listing>;
  /** Asks the well-known ports of the loopback, and believes only answers of the right shape. */
  discoverLocal(signal: AbortSignal): Promise<readonly OfferedServer[]>;
  offerKeys(environment: Readonly<Record<string, string | undefined>>): readonly OfferedKey[];
}
