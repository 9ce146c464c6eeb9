import { jsonSchema, streamText, type ToolSet, tool } from 'ai';
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
  const tools = toToolSet(request, target);
  return streamText({
    model: toLanguageModel(connection, target, guarded),
    messages,
    ...(system === '' ? {} : { system: { role: 'system', content: system, ...toCacheMark(target) } }),
    ...(request.tools.length === 0 ? {} : { tools }),
    ...(options.maxOutputTokens === undefined ? {} : { maxOutputTokens: options.maxOutputTokens }),
    providerOptions: options.providerOptions,
    maxRetries: 0,
    abortSignal: call.abortSignal,
    onError: () => undefined,
  }).fullStream;
}

/** Schemas go out as kept; the cache mark stands on the last one. Arguments are checked by the tool itself, not by the SDK. */
function toToolSet(request: ModelRequest, target: Target): ToolSet {
  const last = request.tools.length - 1;
  return Object.fromEntries(
    request.tools.map((schema, index) => [
      schema.name,
      tool({
        description: toSendable(schema.description),
        inputSchema: jsonSchema(Object(toSendableJson(schema.inputSchema))),
        ...(index === last ? toCacheMark(target) : {}),
      }),
    ]),
  );
}
