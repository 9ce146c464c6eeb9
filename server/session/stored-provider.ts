import { z } from 'zod';
import { type CreateProvider, createProviderSchema } from '@/server/contract/provider';
import type { SecretBox } from './secret-box';

type Headers = Readonly<Record<string, string>>;

/** A provider as it is kept: nothing secret in it can be read without the installation's secret (reliability 6.7). */
export interface StoredDocument {
  readonly document: Omit<CreateProvider, 'apiKey' | 'headers'>;
  /** Values of headers, each sealed to its provider and name: a header may well hold a key. */
  readonly sealedHeaders: Headers;
}

const storedSchema = createProviderSchema
  .omit({ apiKey: true })
  .extend({ sealedHeaders: z.record(z.string(), z.string()).optional() });

/** Parses what is stored. Headers of an earlier release stand there open; they are sealed with the next save. */
export function parseStoredProvider(box: SecretBox, stored: unknown): StoredDocument {
  const { headers, sealedHeaders, ...document } = storedSchema.parse(stored);
  return { document, sealedHeaders: sealedHeaders ?? sealHeaders(box, document.id, headers) };
}

/** What goes into the store. */
export function toStoredProvider({ document, sealedHeaders }: StoredDocument): unknown {
  return { ...document, sealedHeaders };
}

/** Seals each value; names stay readable, because they are shown. */
export function sealHeaders(box: SecretBox, providerId: string, headers: Headers = {}): Headers {
  return mapValues(headers, (value, name) => box.seal(value, placeOf(providerId, name)));
}

/** Throws `unavailable` as the box does. */
export function openHeaders(box: SecretBox, providerId: string, sealed: Headers): Headers {
  return mapValues(sealed, (value, name) => box.open(value, placeOf(providerId, name)));
}

const placeOf = (providerId: string, name: string) => `providers|${providerId}|header|${name}`;

function mapValues(headers: Headers, change: (value: string, name: string) => string): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, change(value, name)]));
}
