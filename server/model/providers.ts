import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel, streamText } from 'ai';
import type { ModelRequest } from '@/server/ports/model';
import type { ProviderConnection } from './connection';
import { toReasoningOptions } from './reasoning';
import type { Target } from './target';

type ProviderOptions = NonNullable<Parameters<typeof streamText>[0]['providerOptions']>;

/** Kinds that never answer without a key. Asking anyway would let the SDK look for one in the environment. */
export function needsKey(connection: ProviderConnection): boolean {
  return connection.kind === 'openai' || connection.kind === 'anthropic' || connection.kind === 'google';
}

/**
 * The SDK's model object for a connection. Key and address are always given in full, so no environment variable is ever
 * read: finding a key is not consent to spend (N4).
 */
export function toLanguageModel(
  connection: ProviderConnection,
  target: Target,
  guardedFetch: typeof fetch,
): LanguageModel {
  const modelId = target.ref.model;
  const shared = { baseURL: connection.baseUrl, headers: { ...connection.headers }, fetch: guardedFetch };
  const apiKey = connection.apiKey ?? '';
  switch (connection.kind) {
    case 'anthropic':
      return createAnthropic({ ...shared, apiKey })(modelId);
    case 'google':
      return createGoogleGenerativeAI({ ...shared, apiKey })(modelId);
    case 'openai':
      return createOpenAI({ ...shared, apiKey }).responses(modelId);
    case 'openai-compatible':
    case 'embedded':
      return createOpenAICompatible({
        ...shared,
        name: 'compatible',
        includeUsage: target.includeUsage,
        ...(connection.apiKey === null ? {} : { apiKey: connection.apiKey }),
      }).chatModel(modelId);
  }
}

/** What a request is sent with: the ceiling for the SDK's own field, and the provider's options. */
export interface CallOptions {
  readonly maxOutputTokens: number | undefined;
  readonly providerOptions: ProviderOptions;
}

/**
 * Reasoning choice, storage and ceiling in the words of each protocol. Anthropic's SDK adds the thinking budget to the
 * ceiling, so it is taken out before; what goes out is `ceiling`.
 */
export function toCallOptions(
  request: Pick<ModelRequest, 'reasoning'>,
  target: Target,
  sent: { readonly ceiling: number | null; readonly mayThink: boolean },
): CallOptions {
  const { providerOptions, budgetTokens } = toReasoningOptions(request.reasoning, target, sent);
  return {
    maxOutputTokens: sent.ceiling === null ? undefined : sent.ceiling - budgetTokens,
    providerOptions:
      target.kind === 'openai' ? { openai: { ...providerOptions.openai, store: false } } : providerOptions,
  };
}
