import { jsonSchema, streamText, type ToolSet, tool } from 'ai';
import type { ToolSchema } from '@/server/core/projection/view-message';
import type { ModelRequest } from '@/server/ports/model';
import type { ProviderConnection } from './connection';
import { createGuardedFetch, type FetchLike, type Traffic } from './guarded-fetch';
import { toCallOptions, toLanguageModel } from './providers';
import type { Target } from './target';
import { toCacheMark, toMessages } from './to-messages';
import { toSendable, toSendableJson } from './well-formed';

export interface OpenCall {
  readonly connection: ProviderConnection;
  readonly target: Target;
  readonly request: ModelRequest;
  /** Of the image limit, after a provider refused the request for its size. */
  readonly imageShare: number;
  readonly fetch: FetchLike;
  readonly ceiling: number | null;
  readonly traffic: Traffic;
  readonly abortSignal: AbortSignal;
}

/** Sends one request through the SDK and returns its raw parts: no retries, no tool run, nothing printed. */
export function openStream(call: OpenCall) {
  const { connection, target, request, ceiling } = call;
  const guarded = createGuardedFetch(call.fetch, { baseUrl: connection.baseUrl, traffic: call.traffic });
  const { messages, mayThink } = toMessages(request, target, target.imageLimitBytes * call.imageShare);
  const options = toCallOptions(request, target, { ceiling, mayThink });
  const system = toSendable(request.system);
  const schemas = toSentTools(request, target);
  return streamText({
    model: toLanguageModel(connection, target, guarded),
    messages,
    ...(system === '' ? {} : { system: { role: 'system', content: system, ...toCacheMark(target) } }),
    ...(schemas.length === 0 ? {} : { tools: toToolSet(schemas, target) }),
    ...(options.maxOutputTokens === undefined ? {} : { maxOutputTokens: options.maxOutputTokens }),
    providerOptions: options.providerOptions,
    maxRetries: 0,
    abortSignal: call.abortSignal,
    onError: () => undefined,
  }).fullStream;
}

/**
 * Where no tool may be called none is sent, so that none can be. But Anthropic refuses a request whose entries hold calls
 * or results and that defines no tools (2026), also where the tools were withdrawn since: there the schemas stay, which
 * keeps the cached prefix too, and what the model calls all the same is not run.
 */
function toSentTools(request: ModelRequest, target: Target): readonly ToolSchema[] {
  const isAnthropic = target.kind === 'anthropic';
  if (request.toolChoice === 'none' && !isAnthropic) return [];
  return request.tools.length === 0 && isAnthropic ? nameUsedTools(request) : request.tools;
}

function nameUsedTools({ entries }: ModelRequest): readonly ToolSchema[] {
  const names = entries.flatMap((entry) =>
    entry.role === 'assistant' ? entry.parts.flatMap((part) => (part.type === 'tool_call' ? [part.name] : [])) : [],
  );
  const inputSchema = { type: 'object' };
  return [...new Set(names)].map((name) => ({ name, description: 'No longer available.', inputSchema }));
}

/** Schemas go out as kept; the cache mark stands on the last one. Arguments are checked by the tool itself, not by the SDK. */
function toToolSet(schemas: readonly ToolSchema[], target: Target): ToolSet {
  const last = schemas.length - 1;
  return Object.fromEntries(
    schemas.map((schema, index) => [
      schema.name,
      tool({
        description: toSendable(schema.description),
        inputSchema: jsonSchema(Object(toSendableJson(schema.inputSchema))),
        ...(index === last ? toCacheMark(target) : {}),
      }),
    ]),
  );
}
