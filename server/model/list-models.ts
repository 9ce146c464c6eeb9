import { APICallError } from 'ai';
import { z } from 'zod';
import type { ListedModel, Listing, ProviderCandidate } from '@/server/ports/model-catalog';
import { classifyError, toTrouble } from './classify-error';
import type { FetchLike } from './guarded-fetch';
import { type JsonAnswer, readJson } from './read-json';

const count = z.number().int().positive().nullish().catch(null);
const openAiList = z.looseObject({
  data: z.array(
    z.looseObject({
      id: z.string().min(1).max(256),
      context_length: count,
      max_model_len: count,
      context_window: count,
      max_completion_tokens: count,
    }),
  ),
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
    return readListing(candidate, answer);
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

function readListing({ kind }: ProviderCandidate, answer: JsonAnswer): Listing {
  const models = kind === 'google' ? readGoogleList(answer.json) : readOpenAiList(answer.json);
  if (models !== null) return { ok: true, models };
  return {
    ok: false,
    trouble: toTrouble('invalid_request', {
      code: 'no_model_list',
      text: 'The address answers, but not with a list of models. Is it the base URL, with /v1?',
    }),
  };
}

/** The list shape that OpenAI began and compatible servers and Anthropic share; null when it is another. */
export function readOpenAiList(json: unknown): readonly ListedModel[] | null {
  const parsed = openAiList.safeParse(json);
  if (!parsed.success) return null;
  return parsed.data.data.map((model) => ({
    id: model.id,
    window: model.max_model_len ?? model.context_length ?? model.context_window ?? null,
    maxOutput: model.max_completion_tokens ?? null,
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
