import { z } from 'zod';
import type { ListedModel } from '@/server/ports/model-catalog';
import type { FetchLike } from './guarded-fetch';
import { readJson } from './read-json';

/**
 * Servers whose list of models does not say which window a model *runs* with, where they do say it, and how to read it.
 * Known by `owned_by` in their list. Read on 2026-11-30:
 * - Ollama: github.com/ollama/ollama docs/api.md "List Running Models" and docs/context-length.mdx: `GET /api/ps` gives
 *   `context_length` of what is loaded; `/api/tags` and `/api/show` name the trained window, which is another.
 * - LM Studio: github.com/lmstudio-ai/docs 1_developer/2_rest/endpoints.mdx: `GET /api/v0/models` gives
 *   `loaded_context_length` of what is loaded beside the `max_context_length` it could have.
 * - llama.cpp: tools/server/README.md "GET /props": `default_generation_settings.n_ctx` is the window of one slot;
 *   `meta.n_ctx_train` of its list is the trained one.
 * vLLM (`max_model_len`) and OpenRouter (`context_length`, openrouter.ai/docs/api-reference/list-available-models) say it
 * in the list itself.
 */
const RUNNERS: readonly { readonly owner: RegExp; readonly path: string; readonly read: (json: unknown) => Windows }[] =
  [
    { owner: /^library$/, path: '/api/ps', read: readOllama },
    { owner: /^organization_owner$/, path: '/api/v0/models', read: readLmStudio },
    { owner: /^llamacpp$/, path: '/props', read: readLlamaCpp },
  ];

/** The window a model runs with, in tokens; null: not known, it may not be loaded. */
type Windows = (modelId: string) => number | null;

const NOBODY: Windows = () => null;
const tokens = z.number().int().min(256).max(100_000_000);
const running = z.looseObject({
  models: z.array(z.looseObject({ name: z.string(), context_length: tokens.nullish().catch(null) })),
});
const loaded = z.looseObject({
  data: z.array(z.looseObject({ id: z.string(), loaded_context_length: tokens.nullish().catch(null) })),
});
const props = z.looseObject({ default_generation_settings: z.looseObject({ n_ctx: tokens }) });
const owned = z.looseObject({ data: z.array(z.looseObject({ owned_by: z.string().nullish() })).min(1) });

function readOllama(json: unknown): Windows {
  const parsed = running.safeParse(json);
  if (!parsed.success) return NOBODY;
  const found = new Map(parsed.data.models.map((model) => [model.name, model.context_length ?? null]));
  return (id) => found.get(id) ?? found.get(`${id}:latest`) ?? null;
}

function readLmStudio(json: unknown): Windows {
  const parsed = loaded.safeParse(json);
  if (!parsed.success) return NOBODY;
  const found = new Map(parsed.data.data.map((model) => [model.id, model.loaded_context_length ?? null]));
  return (id) => found.get(id) ?? null;
}

function readLlamaCpp(json: unknown): Windows {
  const parsed = props.safeParse(json);
  return parsed.success ? () => parsed.data.default_generation_settings.n_ctx : NOBODY;
}

export interface Listed {
  readonly models: readonly ListedModel[];
  /** The list as it came: it names who runs the models. */
  readonly json: unknown;
}

/**
 * The listed models with the windows they run with, where their server is one that says so elsewhere; else as they came.
 * One more request at most, to the same origin, and none where the list has the windows. Never throws: an answer of
 * another shape, or none, leaves the window unknown.
 */
export async function addRunningWindows(
  { models, json }: Listed,
  ask: { readonly fetch: FetchLike; readonly baseUrl: string; readonly init: RequestInit },
): Promise<readonly ListedModel[]> {
  const owners = owned.safeParse(json);
  const owner = owners.success ? (owners.data.data[0]?.owned_by ?? '') : '';
  const runner = RUNNERS.find((candidate) => candidate.owner.test(owner));
  if (runner === undefined || models.every(({ window }) => window !== null)) return models;
  try {
    const answer = await readJson(ask.fetch, `${new URL(ask.baseUrl).origin}${runner.path}`, ask.init);
    const windowOf = answer.status === 200 ? runner.read(answer.json) : NOBODY;
    return models.map((model) => ({ ...model, window: model.window ?? windowOf(model.id) }));
  } catch {
    // The list stands without it; the first "window full" teaches the rest (B7).
    return models;
  }
}
