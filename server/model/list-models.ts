import { APICallError } from 'ai';
import { z } from 'zod';
import type { ListedModel, Listing, ProviderCandidate } from '@/server/ports/model-catalog';
import { classifyError, toTrouble } from './classify-error';
import type { FetchLike } from './guarded-fetch';
import { type JsonAnswer, readJson } from './read-json';
import { addRunningWindows } from './running-windows';

const count = z.number().int().positive().nullish().catch(null);
/**
 * Names of the window and the most output, by who says them (2026-11-30): `max_model_len` vLLM
 * (docs.vllm.ai/en/latest/serving/openai_compatible_server.html), `context_length` and `top_provider` OpenRouter
 * (openrouter.ai/docs/api-reference/list-available-models), `context_window` and `max_completion_tokens` Groq
 * (console.groq.com/docs/models), `max_context_length` Mistral (docs.mistral.ai/api), `max_input_tokens` and `max_tokens`
 * Anthropic (docs.anthropic.com/en/api/models-list), `inputTokenLimit` and `outputTokenLimit` Google
 * (ai.google.dev/api/models). OpenAI's own list says neither.
 */
const openAiList = z.looseObject({
  data: z.array(
    z.looseObject({
      id: z.string().min(1).max(256),
      context_length: count,
      max_model_len: count,
      context_window: count,
      max_context_length: count,
      max_completion_tokens: count,
      top_provider: z.looseObject({ context_length: count, max_completion_tokens: count }).nullish().catch(null),
    }),
  ),
});
const anthropicList = z.looseObject({
  data: z.array(z.looseObject({ id: z.string().min(1).max(256), max_input_tokens: count, max_tokens: count })),
});
const googleList = z.looseObject({
  models: z.array(
    z.looseObject({
      name: z.string(),
      inputTokenLimit: count,
      outputTokenLimit: count,
      supportedGenerationMethods: z.array(z.string()).nullish(),
    }),
  ),
});

/**
 * Lists the models of a provider. Costs nothing, so it also tests a key and an address. Never throws: what went wrong is
 * classified like any other provider trouble.
 */
export async function listModels(
  candidate: ProviderCandidate,
  deps: { readonly fetch: FetchLike; readonly signal: AbortSignal; readonly nowMs: number },
): Promise<Listing> {
  const secrets = candidate.apiKey === null ? [] : [candidate.apiKey];
  try {
    const answer = await readJson(deps.fetch, toListUrl(candidate), {
      headers: toHeaders(candidate),
      signal: deps.signal,
    });
    if (answer.status >= 300)
      return { ok: false, trouble: classifyError(toCallError(answer), { secrets, prompt: [], nowMs: deps.nowMs }) };
    const listing = readListing(candidate, answer);
    if (!listing.ok || candidate.kind !== 'openai-compatible') return listing;
    const ask = {
      fetch: deps.fetch,
      baseUrl: candidate.baseUrl,
      init: { headers: toHeaders(candidate), signal: deps.signal },
    };
    return { ok: true, models: await addRunningWindows({ models: listing.models, json: answer.json }, ask) };
  } catch (error) {
    if (deps.signal.aborted) return { ok: false, trouble: toTrouble('cancelled', { text: 'Stopped.' }) };
    return { ok: false, trouble: classifyError(error, { secrets, prompt: [], nowMs: deps.nowMs }) };
  }
}

function toListUrl({ kind, baseUrl }: ProviderCandidate): string {
  const base = baseUrl.replace(/\/+$/, '');
  if (kind === 'anthropic') return `${base}/models?limit=1000`;
  return kind === 'google' ? `${base}/models?pageSize=1000` : `${base}/models`;
}

/** Keys travel in headers only: an address ends up in logs. */
function toHeaders({ kind, apiKey, headers }: ProviderCandidate): Record<string, string> {
  const own = { accept: 'application/json', ...headers };
  if (apiKey === null || apiKey === '') return own;
  switch (kind) {
    case 'anthropic':
      return { ...own, 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' };
    case 'google':
      return { ...own, 'x-goog-api-key': apiKey };
    default:
      return { ...own, authorization: `Bearer ${apiKey}` };
  }
}

function toCallError(answer: JsonAnswer): APICallError {
  return new APICallError({
    message: `The provider answered ${answer.status}.`,
    url: '',
    requestBodyValues: {},
    statusCode: answer.status,
    responseBody: answer.text,
    responseHeaders: answer.headers,
  });
}

const READERS: Readonly<Record<ProviderCandidate['kind'], (json: unknown) => readonly ListedModel[] | null>> = {
  google: readGoogleList,
  anthropic: readAnthropicList,
  openai: readOpenAiList,
  'openai-compatible': readOpenAiList,
  embedded: readOpenAiList,
};

function readListing({ kind }: ProviderCandidate, answer: JsonAnswer): Listing {
  const models = READERS[kind](answer.json);
  if (models !== null) return { ok: true, models };
  return {
    ok: false,
    trouble: toTrouble('invalid_request', {
      code: 'no_model_list',
      text: 'The address answers, but not with a list of models. Is it the base URL, with /v1?',
    }),
  };
}

/** The list shape that OpenAI began and compatible servers share; null when it is another. The smaller window counts. */
export function readOpenAiList(json: unknown): readonly ListedModel[] | null {
  const parsed = openAiList.safeParse(json);
  if (!parsed.success) return null;
  return parsed.data.data.map((model) => ({
    id: model.id,
    window: smallest([
      model.max_model_len ?? model.context_length ?? model.context_window ?? model.max_context_length,
      model.top_provider?.context_length,
    ]),
    maxOutput: model.max_completion_tokens ?? model.top_provider?.max_completion_tokens ?? null,
  }));
}

function smallest(candidates: readonly (number | null | undefined)[]): number | null {
  const said = candidates.filter((candidate) => typeof candidate === 'number');
  return said.length === 0 ? null : Math.min(...said);
}

function readAnthropicList(json: unknown): readonly ListedModel[] | null {
  const parsed = anthropicList.safeParse(json);
  if (!parsed.success) return null;
  return parsed.data.data.map((model) => ({
    id: model.id,
    window: model.max_input_tokens ?? null,
    maxOutput: model.max_tokens ?? null,
  }));
}

function readGoogleList(json: unknown): readonly ListedModel[] | null {
  const parsed = googleList.safeParse(json);
  if (!parsed.success) return null;
  const talking = parsed.data.models.filter(
    (model) => model.supportedGenerationMethods?.includes('generateContent') ?? true,
  );
  return talking.map((model) => ({
    id: model.name.replace(/^models\//, ''),
    window: model.inputTokenLimit ?? null,
    maxOutput: model.outputTokenLimit ?? null,
  }));
}
