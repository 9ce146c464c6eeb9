import { z } from 'zod';
import type { ListedModel, OfferedServer } from '@/server/ports/model-catalog';
import type { FetchLike } from './guarded-fetch';
import { readOpenAiList } from './list-models';
import { readJson } from './read-json';
import { addRunningWindows } from './running-windows';
import type { StartTimer } from './stall-guard';

/** A kind of server that people run on their own machine, how to ask it, and how to know it. */
interface LocalKind {
  readonly name: string;
  readonly port: number;
  readonly path: string;
  readonly read: (json: unknown) => readonly ListedModel[] | null;
}

const ollamaTags = z.looseObject({
  models: z.array(z.looseObject({ name: z.string().min(1), modified_at: z.string() })),
});
const ownedList = z.looseObject({
  object: z.literal('list'),
  data: z.array(z.looseObject({ id: z.string(), owned_by: z.string().nullish() })),
});

/** Ports 8080 and 8000 belong to anything, so there the answer must name its maker. */
export const LOCAL_KINDS: readonly LocalKind[] = [
  { name: 'Ollama', port: 11_434, path: '/api/tags', read: readOllama },
  { name: 'LM Studio', port: 1_234, path: '/v1/models', read: (json) => readOwned(json, /./) },
  { name: 'llama.cpp', port: 8_080, path: '/v1/models', read: (json) => readOwned(json, /^llamacpp$/) },
  { name: 'vLLM', port: 8_000, path: '/v1/models', read: (json) => readOwned(json, /^vllm$/) },
  { name: 'Jan', port: 1_337, path: '/v1/models', read: (json) => readOwned(json, /./) },
];
const PATIENCE_MS = 700;

/**
 * Looks for local model servers on the loopback (N4) and returns what may be offered. Asks nothing but listings, follows
 * no redirect, sends no key, believes no answer of another shape; a port that is closed or slow is passed over.
 */
export async function discoverLocal(deps: {
  readonly fetch: FetchLike;
  readonly startTimer: StartTimer;
  readonly signal: AbortSignal;
  readonly portOf?: (kind: LocalKind) => number;
}): Promise<readonly OfferedServer[]> {
  const found = await Promise.all(LOCAL_KINDS.map((kind) => askLocal(kind, deps)));
  return found.filter((server) => server !== null);
}

async function askLocal(kind: LocalKind, deps: Parameters<typeof discoverLocal>[0]): Promise<OfferedServer | null> {
  const origin = `http://127.0.0.1:${deps.portOf?.(kind) ?? kind.port}`;
  const controller = new AbortController();
  const stop = () => controller.abort();
  const stopTimer = deps.startTimer(PATIENCE_MS, stop);
  deps.signal.addEventListener('abort', stop, { once: true });
  try {
    const answer = await readJson(deps.fetch, `${origin}${kind.path}`, {
      signal: controller.signal,
      headers: { accept: 'application/json' },
    });
    const models = answer.status === 200 ? kind.read(answer.json) : null;
    if (models === null) return null;
    const ask = { fetch: deps.fetch, baseUrl: origin, init: { signal: controller.signal } };
    const json = kind.name === 'Ollama' ? OLLAMA_OWNED : answer.json;
    return { name: kind.name, baseUrl: `${origin}/v1`, models: await addRunningWindows({ models, json }, ask) };
  } catch {
    // Nobody listens there, or not in time: not an error, only no offer.
    return null;
  } finally {
    stopTimer();
    deps.signal.removeEventListener('abort', stop);
  }
}

/** What Ollama's own list does not say and its list for others does: who runs these. */
const OLLAMA_OWNED = { data: [{ owned_by: 'library' }] };

/** Ollama names the trained window here, not the one it runs with, so none is taken over. */
function readOllama(json: unknown): readonly ListedModel[] | null {
  const parsed = ollamaTags.safeParse(json);
  return parsed.success ? parsed.data.models.map((model) => ({ id: model.name, window: null, maxOutput: null })) : null;
}

function readOwned(json: unknown, owner: RegExp): readonly ListedModel[] | null {
  const parsed = ownedList.safeParse(json);
  if (!parsed.success || !parsed.data.data.every((model) => owner.test(model.owned_by ?? 'unnamed'))) return null;
  return parsed.data.data.length === 0 && owner.source !== '.' ? null : readOpenAiList(json);
}
