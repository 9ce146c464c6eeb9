import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel, streamText } from 'ai';
import type { ModelRequest } from '@/server/ports/model';
import type { ProviderConnection } from './connection';
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

/** Thinking tokens a named effort may take; always below the ceiling, or the provider refuses the request. */
const THINKING_TOKENS = { low: 2_048, medium: 8_192, high: 16_384 } as const;

/** What a request is sent with: the ceiling for the SDK's own field, and the provider's options. */
export interface CallOptions {
  readonly maxOutputTokens: number | undefined;
  readonly providerOptions: ProviderOptions;
}

/**
 * Reasoning choice, storage and ceiling in the words of each protocol. `default` sends nothing about reasoning (S2).
 * Anthropic's SDK adds the thinking budget to the ceiling, so it is taken out before; what goes out is `ceiling`.
 */
export function toCallOptions(
  request: Pick<ModelRequest, 'reasoning'>,
  target: Target,
  sent: { readonly ceiling: number | null; readonly mayThink: boolean },
): CallOptions {
  const maxOutputTokens = sent.ceiling ?? undefined;
  const { reasoning } = request;
  switch (target.kind) {
    case 'anthropic':
      return toAnthropicOptions(reasoning, { ceiling: sent.ceiling ?? 0, mayThink: sent.mayThink });
    case 'google': {
      const thinkingConfig =
        reasoning === 'off'
          ? { thinkingBudget: 0 }
          : {
              includeThoughts: true,
              ...(reasoning === 'default' ? {} : { thinkingBudget: THINKING_TOKENS[reasoning] }),
            };
      return { maxOutputTokens, providerOptions: reasoning === 'default' ? {} : { google: { thinkingConfig } } };
    }
    case 'openai': {
      const effort = reasoning === 'default' ? {} : { reasoningEffort: reasoning === 'off' ? 'minimal' : reasoning };
      return { maxOutputTokens, providerOptions: { openai: { store: false, ...effort } } };
    }
    default:
      return {
        maxOutputTokens,
        providerOptions:
          reasoning === 'default' || reasoning === 'off' ? {} : { compatible: { reasoningEffort: reasoning } },
      };
  }
}

function toAnthropicOptions(
  reasoning: ModelRequest['reasoning'],
  sent: { readonly ceiling: number; readonly mayThink: boolean },
): CallOptions {
  if (reasoning === 'default' || reasoning === 'off' || !sent.mayThink) {
    const off: ProviderOptions = reasoning === 'default' ? {} : { anthropic: { thinking: { type: 'disabled' } } };
    return { maxOutputTokens: sent.ceiling, providerOptions: off };
  }
  const budget = Math.min(THINKING_TOKENS[reasoning], Math.floor(sent.ceiling / 2));
  return {
    maxOutputTokens: sent.ceiling - budget,
    providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: budget } } },
  };
}
