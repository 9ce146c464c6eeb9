import type { ViewArtifact } from '@/server/core/projection/view-message';
import type { ProviderKind } from '@/server/ports/model';
import { asObject, parseJson } from './error-facts';
import type { Target } from './target';

type Metadata = Readonly<Record<string, string>>;
type Namespaced = Record<string, Record<string, string>>;

/** Where each protocol's SDK adapter keeps the opaque bytes of a part, and under which kind the log knows them. Chat completions have none. */
const CARRIED: Readonly<
  Record<ProviderKind, { readonly namespace: string; readonly keys: readonly string[]; readonly kind: string } | null>
> = {
  anthropic: { namespace: 'anthropic', keys: ['signature', 'redactedData'], kind: 'thinking' },
  google: { namespace: 'google', keys: ['thoughtSignature'], kind: 'thought_signature' },
  openai: { namespace: 'openai', keys: ['itemId', 'reasoningEncryptedContent'], kind: 'encrypted_reasoning' },
  'openai-compatible': null,
  embedded: null,
};

/** The log's name for this provider's artifacts. */
export function artifactKind(kind: ProviderKind): string {
  return CARRIED[kind]?.kind ?? 'none';
}

/** The opaque values in a part's provider metadata, untouched; an empty object when there are none worth keeping. */
export function readMetadata(kind: ProviderKind, providerMetadata: unknown): Metadata {
  const carried = CARRIED[kind];
  if (carried === null) return {};
  const own = asObject(asObject(providerMetadata)[carried.namespace]);
  const kept: Record<string, string> = {};
  for (const key of carried.keys) {
    const value = own[key];
    if (typeof value === 'string') kept[key] = value;
  }
  return kept;
}

/** True when the values let the provider recognise its own reasoning again; an item id alone does not (case-B06, `store: false`). */
export function isWorthKeeping(kind: ProviderKind, metadata: Metadata): boolean {
  return kind === 'openai' ? metadata.reasoningEncryptedContent !== undefined : Object.keys(metadata).length > 0;
}

/**
 * The options that carry a part's artifact back, byte-identical, to the provider *and* model that made it (G1);
 * undefined for every other target, and where nothing is known of it.
 */
export function toArtifactOptions(
  artifacts: readonly ViewArtifact[] | undefined,
  target: Target,
): Namespaced | undefined {
  const carried = CARRIED[target.kind];
  if (carried === null) return undefined;
  const own = artifacts?.find(
    (artifact) =>
      artifact.provider === target.ref.provider &&
      artifact.model === target.ref.model &&
      artifact.kind === carried.kind,
  );
  if (own === undefined) return undefined;
  const stored = typeof own.data === 'string' ? parseJson(own.data) : own.data;
  const metadata = readMetadata(target.kind, { [carried.namespace]: stored });
  return isWorthKeeping(target.kind, metadata) ? { [carried.namespace]: metadata } : undefined;
}
