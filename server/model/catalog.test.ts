import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProviderCandidate } from '@/server/ports/model-catalog';
import { createCatalog } from './catalog';
import { discoverLocal } from './discover-local';
import type { FetchLike } from './guarded-fetch';
import { createPracticeFetch } from './practice/practice-fetch';
import { createHandTimers } from './testing/ask';

interface Seen {
  readonly url: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

let server: Server;
let origin = '';
let seen: Seen[] = [];
let answer: { status: number; body: unknown; headers?: Record<string, string> } = { status: 200, body: {} };

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push({ url: request.url ?? '', headers: request.headers });
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const plainFetch: FetchLike = (input, init) => fetch(input, init);
const never = new AbortController().signal;
const catalog = createCatalog({
  fetch: plainFetch,
  embeddedFetch: createPracticeFetch(),
  startTimer: createHandTimers().startTimer,
  nowMs: () => 0,
});

function list(candidate: Partial<ProviderCandidate> & Pick<ProviderCandidate, 'kind'>, given: typeof answer) {
  answer = given;
  seen = [];
  return catalog.list(
    { id: 'p', baseUrl: `${origin}/v1/`, apiKey: 'sk-secret-0001', headers: {}, ...candidate },
    never,
  );
}

describe('the models of a provider are listed, which also tests its key', () => {
  it.each([
    [
      'openai-compatible',
      {
        data: [
          { id: 'a', max_model_len: 8_000 },
          { id: 'b', context_length: 9_000 },
        ],
      },
      [
        { id: 'a', window: 8_000, maxOutput: null },
        { id: 'b', window: 9_000, maxOutput: null },
      ],
      '/v1/models',
      { authorization: 'Bearer sk-secret-0001' },
    ],
    [
      'anthropic',
      { data: [{ id: 'claude-x', display_name: 'X' }] },
      [{ id: 'claude-x', window: null, maxOutput: null }],
      '/v1/models?limit=1000',
      { 'x-api-key': 'sk-secret-0001', 'anthropic-version': '2023-06-01' },
    ],
    [
      'google',
      {
        models: [
          {
            name: 'models/g',
            inputTokenLimit: 10,
            outputTokenLimit: 5,
            supportedGenerationMethods: ['generateContent'],
          },
          { name: 'models/e', supportedGenerationMethods: ['embedContent'] },
        ],
      },
      [{ id: 'g', window: 10, maxOutput: 5 }],
      '/v1/models?pageSize=1000',
      { 'x-goog-api-key': 'sk-secret-0001' },
    ],
  ] as const)('%s', async (kind, body, models, url, headers) => {
    expect(await list({ kind }, { status: 200, body })).toEqual({ ok: true, models });
    expect(seen).toHaveLength(1);
    expect(seen[0]?.url).toBe(url);
    expect(seen[0]?.headers).toMatchObject(headers);
  });

  it('G4: a wrong key, a redirect and an address that is none are told apart; no key comes back', async () => {
    const wrong = await list(
      { kind: 'openai-compatible' },
      { status: 401, body: { error: { message: 'Incorrect API key provided: sk-secret-0001' } } },
    );
    expect(wrong).toMatchObject({ ok: false, trouble: { kind: 'auth', status: 401 } });
    expect(JSON.stringify(wrong)).not.toContain('secret');
    const moved = await list(
      { kind: 'openai-compatible' },
      { status: 307, body: {}, headers: { location: `${origin}/elsewhere` } },
    );
    expect(moved).toMatchObject({ ok: false, trouble: { code: 'redirect_refused' } });
    expect(seen).toHaveLength(1);
    expect(await list({ kind: 'openai-compatible' }, { status: 200, body: { hello: 'world' } })).toMatchObject({
      ok: false,
      trouble: { code: 'no_model_list' },
    });
    expect(
      await list({ kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:1/v1' }, { status: 200, body: {} }),
    ).toMatchObject({ ok: false, trouble: { kind: 'network' } });
  });

  it('the practice model lists itself without leaving the process', async () => {
    expect(
      await catalog.list(
        { id: 'practice', kind: 'embedded', baseUrl: 'http://practice.invalid/v1', apiKey: null, headers: {} },
        never,
      ),
    ).toEqual({ ok: true, models: [{ id: 'rules-1', window: 8_000, maxOutput: null }] });
  });
});

describe('N4: what is found is offered', () => {
  it('keys by the name of their variable, never by value, one a provider', () => {
    const offers = catalog.offerKeys({
      OPENAI_API_KEY: 'sk-live-1',
      GOOGLE_GENERATIVE_AI_API_KEY: 'AIza1',
      GEMINI_API_KEY: 'AIza2',
      ANTHROPIC_API_KEY: ' ',
      PATH: '/bin',
    });
    expect(offers.map((offer) => [offer.variable, offer.kind])).toEqual([
      ['OPENAI_API_KEY', 'openai'],
      ['GOOGLE_GENERATIVE_AI_API_KEY', 'google'],
    ]);
    expect(JSON.stringify(offers)).not.toMatch(/sk-live|AIza/);
  });

  it('local servers whose answer has the right shape, and no other', async () => {
    const answers: Record<string, unknown> = {
      '11434': { models: [{ name: 'qwen3:8b', modified_at: '2026-01-01' }] },
      '1234': { object: 'list', data: [{ id: 'local-a', owned_by: 'organization_owner' }] },
      '8080': { object: 'list', data: [{ id: 'somebody else', owned_by: 'a web shop' }] },
      '8000': { object: 'list', data: [{ id: 'llama', owned_by: 'vllm', max_model_len: 32_768 }] },
    };
    const asked: string[] = [];
    const servers = await discoverLocal({
      fetch: (input, init) => {
        asked.push(input);
        expect(new Headers(init.headers).has('authorization')).toBe(false);
        const body = answers[new URL(input).port];
        return body === undefined
          ? Promise.reject(new TypeError('fetch failed'))
          : Promise.resolve(Response.json(body));
      },
      startTimer: createHandTimers().startTimer,
      signal: never,
    });
    expect(asked.every((url) => new URL(url).hostname === '127.0.0.1')).toBe(true);
    expect(servers).toEqual([
      {
        name: 'Ollama',
        baseUrl: 'http://127.0.0.1:11434/v1',
        models: [{ id: 'qwen3:8b', window: null, maxOutput: null }],
      },
      {
        name: 'LM Studio',
        baseUrl: 'http://127.0.0.1:1234/v1',
        models: [{ id: 'local-a', window: null, maxOutput: null }],
      },
      { name: 'vLLM', baseUrl: 'http://127.0.0.1:8000/v1', models: [{ id: 'llama', window: 32_768, maxOutput: null }] },
    ]);
  });

  it('a port that never answers is given up on after a moment', async () => {
    const timers = createHandTimers();
    const found = discoverLocal({
      fetch: (_input, init) =>
        new Promise((_resolve, reject) =>
          init.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError'))),
        ),
      startTimer: timers.startTimer,
      signal: never,
    });
    timers.fire(700);
    expect(await found).toEqual([]);
    expect(timers.running()).toEqual([]);
  });
});
