import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCatalog } from './catalog';
import { findKnownLimits } from './known-windows';
import { createHandTimers } from './testing/ask';

let server: Server;
let origin = '';
let answers: Readonly<Record<string, unknown>> = {};
let asked: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const body = answers[path];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
});
beforeEach(() => {
  asked = [];
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const catalog = createCatalog({
  fetch: (input, init) => fetch(input, init),
  embeddedFetch: () => Promise.reject(new Error('nobody is embedded here')),
  startTimer: createHandTimers().startTimer,
  nowMs: () => 0,
});

async function windowsOf(kind: 'openai-compatible' | 'anthropic', given: typeof answers) {
  answers = given;
  const candidate = { id: 'p', kind, baseUrl: `${origin}/v1`, apiKey: 'sk-1', headers: {} };
  const listing = await catalog.list(candidate, new AbortController().signal);
  return listing.ok ? listing.models.map(({ id, window, maxOutput }) => [id, window, maxOutput]) : listing.trouble.kind;
}

const list = (owner: string, ...models: readonly Readonly<Record<string, unknown>>[]) => ({
  object: 'list',
  data: models.map((model) => ({ object: 'model', owned_by: owner, ...model })),
});

describe('B7: the window a model runs with, by who runs it', () => {
  it.each([
    [
      'Ollama says it of what is loaded, not of what it was trained with',
      {
        '/v1/models': list('library', { id: 'qwen3:8b' }, { id: 'gemma' }, { id: 'cold' }),
        '/api/ps': {
          models: [
            { name: 'qwen3:8b', context_length: 4_096 },
            { name: 'gemma:latest', context_length: 8_192 },
          ],
        },
      },
      [
        ['qwen3:8b', 4_096, null],
        ['gemma', 8_192, null],
        ['cold', null, null],
      ],
      ['/v1/models', '/api/ps'],
    ],
    [
      'LM Studio says it of what is loaded, beside the most it could have',
      {
        '/v1/models': list('organization_owner', { id: 'a' }, { id: 'b' }),
        '/api/v0/models': {
          data: [
            { id: 'a', max_context_length: 131_072, loaded_context_length: 4_096 },
            { id: 'b', max_context_length: 32_768 },
          ],
        },
      },
      [
        ['a', 4_096, null],
        ['b', null, null],
      ],
      ['/v1/models', '/api/v0/models'],
    ],
    [
      'llama.cpp says it in its properties; its list has the trained one',
      {
        '/v1/models': list('llamacpp', { id: 'x.gguf', meta: { n_ctx_train: 262_144 } }),
        '/props': { default_generation_settings: { n_ctx: 65_536 }, total_slots: 4 },
      },
      [['x.gguf', 65_536, null]],
      ['/v1/models', '/props'],
    ],
    [
      'vLLM says it in its list',
      { '/v1/models': list('vllm', { id: 'v', max_model_len: 32_768 }) },
      [['v', 32_768, null]],
      ['/v1/models'],
    ],
    [
      'OpenRouter: what the best provider runs counts, where it is less',
      {
        '/v1/models': {
          data: [
            {
              id: 'a/b',
              context_length: 200_000,
              top_provider: { context_length: 131_072, max_completion_tokens: 8_192 },
            },
          ],
        },
      },
      [['a/b', 131_072, 8_192]],
      ['/v1/models'],
    ],
    [
      'a server nobody knows is asked nothing more',
      { '/v1/models': list('somebody', { id: 's' }) },
      [['s', null, null]],
      ['/v1/models'],
    ],
    [
      'an answer of another shape leaves it unknown',
      { '/v1/models': list('llamacpp', { id: 'x' }), '/props': { n_ctx: 'many' } },
      [['x', null, null]],
      ['/v1/models', '/props'],
    ],
    [
      'no answer leaves it unknown',
      { '/v1/models': list('library', { id: 'x' }) },
      [['x', null, null]],
      ['/v1/models', '/api/ps'],
    ],
  ])('%s', async (_name, given, models, paths) => {
    expect(await windowsOf('openai-compatible', given)).toEqual(models);
    expect(asked).toEqual(paths);
  });

  it('Anthropic says both in its list', async () => {
    const data = [{ type: 'model', id: 'claude-x', max_input_tokens: 1_000_000, max_tokens: 128_000 }];
    expect(await windowsOf('anthropic', { '/v1/models?limit=1000': { data } })).toEqual([
      ['claude-x', 1_000_000, 128_000],
    ]);
  });
});

describe('B7: the table of well-known models', () => {
  it.each([
    ['claude-sonnet-4-5-20250929', 200_000, 64_000],
    ['anthropic/claude-opus-4-1', 200_000, 32_000],
    ['claude-opus-4-6', 1_000_000, 128_000],
    ['claude-sonnet-5-5', 1_000_000, 128_000],
    ['gpt-5', 400_000, 128_000],
    ['gpt-5.1-codex-mini', 400_000, 128_000],
    ['openai/gpt-5.5', 1_050_000, 128_000],
    ['o3-mini', 200_000, 100_000],
    ['gemini-3-pro-preview', 1_048_576, 65_536],
    ['rules-1', 8_000, null],
  ])('%s', (id, window, maxOutput) => {
    expect(findKnownLimits(id)).toMatchObject({ window, maxOutput });
  });

  it.each(['gpt-9', 'gpt-5.9', 'claude-opus-9', 'claude-next', 'llama-3-8b', 'qwen3:8b', 'o5', 'gemini-9-pro', ''])(
    'nothing is guessed from a family: %s',
    (id) => {
      expect(findKnownLimits(id)).toBeNull();
    },
  );
});
