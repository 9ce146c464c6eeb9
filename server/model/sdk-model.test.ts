import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ModelPart } from '@/server/ports/model';
import { connectTo, createHandTimers, readReply, toRequest, userSays } from './testing/ask';
import { ask, hello, KINDS, MODEL, manageFakes, NATURAL_REASONS } from './testing/fakes';
import { createLearntMemory } from './testing/learnt-memory';
import { createGate, inChunks } from './testing/script';

const start = manageFakes();
const never = new AbortController().signal;
afterEach(() => vi.unstubAllEnvs());

const D01 = [
  '646174613a207b226964223a2278222c226f626a656374223a22636861742e636f6d706c6574696f6e2e6368756e6b222c2263686f69636573223a5b7b22696e646578223a302c2264656c7461223a7b22636f6e74656e74223a2268c3a96c6c6f20e5',
  '8c97e4baac20f09f',
  '9a80227d2c2266696e6973685f726561736f6e223a6e756c6c7d5d7d0a0a646174613a207b226964223a2278222c226f626a656374223a22636861742e636f6d706c6574696f6e2e6368756e6b222c2263686f69636573223a5b7b22696e646578223a302c2264656c7461223a7b7d2c2266696e6973685f726561736f6e223a2273746f70227d5d7d0a0a646174613a205b444f4e455d0a0a',
].map((hex) => Buffer.from(hex, 'hex'));

describe('bytes from the network', () => {
  it('case-D01: a chunk may end inside a character, even after every byte', async () => {
    const server = await start();
    server.push(
      { parts: D01.map((raw) => ({ raw })) },
      { parts: [...Buffer.concat(D01)].map((byte) => ({ raw: Buffer.of(byte) })) },
    );
    expect((await ask(server)).text).toBe('héllo 北京 🚀');
    const slow = await ask(server);
    expect({ text: slow.text, natural: slow.end.natural }).toEqual({ text: 'héllo 北京 🚀', natural: true });
  });

  it('case-D01: a broken byte gives one U+FFFD and the stream goes on', async () => {
    const server = await start();
    const head = Buffer.from('data: {"id":"x","choices":[{"index":0,"delta":{"content":"a');
    server.push({
      parts: [{ raw: Buffer.concat([head, Buffer.of(0xff), Buffer.from('b"}}]}\n\n')]) }, { text: 'c' }],
      end: { reason: 'stop' },
    });
    expect(await ask(server)).toMatchObject({ text: 'a\uFFFDbc', end: { natural: true } });
  });

  it('case-D03: keep-alives of every kind are no content and no error', async () => {
    const server = await start();
    const raw =
      ': WAITING\n\n: WAITING\n\ndata: : keepalive\n\ndata:\n\ndata: \n\nevent: ping\ndata: {"type":"ping"}\n\n';
    server.push({ parts: [{ raw }, { text: 'ok' }, { raw: ': x\r\n\r\n' }], end: { reason: 'stop' } });
    expect(await ask(server)).toMatchObject({ text: 'ok', end: { natural: true, trouble: null } });
  });

  it('case-D06: usage of nothing is none, and a cached part is counted in the input', async () => {
    const server = await start();
    server.push(
      { parts: [{ text: 'a' }], end: { reason: 'stop', usage: { input: 0, output: 12 } } },
      { parts: [{ text: 'a' }], end: { reason: 'stop', usage: { input: 900, output: 12, cachedRead: 800 } } },
    );
    expect((await ask(server)).end.usage).toMatchObject({ input: null, output: 12 });
    expect((await ask(server)).end.usage).toMatchObject({ input: 900, cachedRead: 800 });
    const claude = await start('anthropic');
    claude.push({
      parts: [{ text: 'a' }],
      end: { reason: 'end_turn', usage: { input: 20_000, output: 12, cachedRead: 180_000 } },
    });
    expect((await ask(claude, { kind: 'anthropic' })).end.usage).toMatchObject({ input: 200_000, cachedRead: 180_000 });
  });
});

describe.each(KINDS)('%s: stopping', (kind) => {
  it('case-E07: a stop leaves the provider at once, keeps what came, and says cancelled', async () => {
    const server = await start(kind);
    const gate = createGate();
    server.push({
      parts: [{ text: 'One ' }, { gate }, ...inChunks('two three four five', 2)],
      end: { reason: NATURAL_REASONS[kind] },
    });
    const controller = new AbortController();
    const seen: ModelPart[] = [];
    for await (const part of connectTo(server, { kind }).stream(toRequest({ model: MODEL }), controller.signal)) {
      seen.push(part);
      if (part.type === 'text') {
        await gate.reached;
        controller.abort();
      }
    }
    await server.clientLeft();
    const written = server.framesWritten();
    gate.open();
    expect(seen.map((part) => part.type)).toEqual(['text', 'end']);
    expect(seen.at(-1)).toMatchObject({ end: 'cancelled', natural: false, trouble: { kind: 'cancelled' } });
    expect(server.framesWritten()).toBe(written);
  });

  it('a reader that walks away stops the provider too', async () => {
    const server = await start(kind);
    const gate = createGate();
    server.push({ parts: [{ text: 'One ' }, { gate }, { text: 'two' }], end: { reason: NATURAL_REASONS[kind] } });
    for await (const part of connectTo(server, { kind }).stream(toRequest({ model: MODEL }), never))
      if (part.type === 'text') break;
    await server.clientLeft();
    gate.open();
  });
});

describe('a provider that falls silent', () => {
  it('C11: a call stopped before it began sends nothing that counts', async () => {
    const server = await start();
    const controller = new AbortController();
    controller.abort();
    const reply = await readReply(
      connectTo(server, { kind: 'openai-compatible' }).stream(toRequest({ model: MODEL }), controller.signal),
    );
    expect(reply.end).toMatchObject({ end: 'cancelled', natural: false });
  });

  it('no byte for the stall time: the call ends as a stall, with what came', async () => {
    const server = await start();
    const timers = createHandTimers();
    const gate = createGate();
    server.push({ parts: [{ text: 'One ' }, { gate }], end: { reason: 'stop' } });
    const parts: ModelPart[] = [];
    for await (const part of connectTo(server, { kind: 'openai-compatible', timers }).stream(
      toRequest({ model: MODEL }),
      never,
    )) {
      parts.push(part);
      if (part.type !== 'text') continue;
      await gate.reached;
      expect(timers.running().toSorted((one, other) => one - other)).toEqual([1_000, 5_000]);
      timers.fire(1_000);
    }
    expect(parts.at(-1)).toMatchObject({
      end: 'error',
      natural: false,
      trouble: { kind: 'stall', text: 'The provider sent nothing for 1 s.' },
    });
    expect(timers.running()).toEqual([]);
    gate.open();
  });

  it('case-D03: keep-alives put the silence off, but not for ever while no content comes', async () => {
    const server = await start();
    const timers = createHandTimers();
    const gate = createGate();
    server.push({ parts: [{ raw: ': still here\n\n' }, { gate }], end: { reason: 'stop' } });
    const reply = readReply(
      connectTo(server, { kind: 'openai-compatible', timers }).stream(toRequest({ model: MODEL }), never),
    );
    await gate.reached;
    expect([...timers.running()].sort()).toEqual([1_000, 5_000]);
    timers.fire(5_000);
    expect((await reply).end.trouble).toMatchObject({ kind: 'stall', text: 'The provider sent no content for 5 s.' });
    gate.open();
  });
});

describe('a key goes to its own provider only', () => {
  it('a redirect is refused and nobody is asked there', async () => {
    const [server, elsewhere] = [await start(), await start()];
    server.push({ status: 307, body: '', headers: { location: `${elsewhere.baseUrl}/chat/completions` } });
    expect((await ask(server)).end.trouble).toMatchObject({ kind: 'invalid_request', code: 'redirect_refused' });
    expect(elsewhere.requests).toHaveLength(0);
  });

  it.each(['openai', 'anthropic', 'google'] as const)(
    'N4: without a stored key %s is not asked, though the environment holds one',
    async (kind) => {
      for (const name of ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'])
        vi.stubEnv(name, 'sk-from-environment');
      const server = await start(kind);
      expect((await ask(server, { kind, apiKey: null })).end.trouble).toMatchObject({ kind: 'auth', code: 'no_key' });
      expect(server.requests).toHaveLength(0);
    },
  );

  it('a compatible server without a key gets no authorization at all', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-from-environment');
    const server = await start();
    server.push(hello());
    await ask(server, { apiKey: null });
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });

  it('an unknown provider is a classified trouble, not a throw', async () => {
    const server = await start();
    expect((await ask(server, { request: { model: { provider: 'gone', model: 'm' } } })).end.trouble).toMatchObject({
      kind: 'invalid_request',
      code: 'unknown_provider',
    });
  });

  it('G4: neither key nor prompt comes back in the detail', async () => {
    const server = await start();
    const prompt = 'The combination of the safe in the back office is 4711-0815, tell nobody.';
    server.push({ status: 400, body: { error: { message: `Bad request with Bearer sk-test-key-1234: ${prompt}` } } });
    const { end } = await ask(server, { request: { entries: [userSays(prompt)] } });
    expect(end.trouble?.text).toBe('Bad request with [key] […]');
  });
});

describe('what a server refuses is left out and remembered', () => {
  it('case-D06: the usage option', async () => {
    const server = await start();
    const memory = createLearntMemory();
    server.push(
      { status: 400, body: { error: { message: 'Unrecognized request argument supplied: stream_options' } } },
      hello(),
      hello(),
    );
    expect((await ask(server, { memory })).text).toBe('Hello.');
    await ask(server, { memory });
    expect(server.requests.map((request) => request.text.includes('stream_options'))).toEqual([true, false, false]);
  });

  it('case-D07: a ceiling above the model’s own', async () => {
    const server = await start('anthropic');
    const memory = createLearntMemory();
    server.push(
      {
        status: 400,
        body: {
          type: 'error',
          error: {
            type: 'invalid_request_error',
            message: 'max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for this model',
          },
        },
      },
      hello('anthropic'),
    );
    const { end } = await ask(server, { kind: 'anthropic', memory });
    expect(server.requests.map((request) => request.json)).toMatchObject([
      { max_tokens: 32_000 },
      { max_tokens: 8_192 },
    ]);
    expect(end).toMatchObject({ natural: true, ceiling: 8_192 });
  });

  it('case-B03: a user message right after results', async () => {
    const server = await start();
    server.push({ status: 400, body: { error: { message: "Unexpected role 'user' after role 'tool'" } } }, hello());
    await ask(server, {
      request: {
        entries: [
          userSays('go'),
          { role: 'assistant', parts: [{ type: 'tool_call', callId: 'c', name: 'ls', args: {}, artifacts: [] }] },
          { role: 'tool', results: [{ callId: 'c', name: 'ls', text: 'x', isError: false }] },
          userSays('next'),
        ],
      },
    });
    const roles = server.requests.map((request) =>
      (request.json as { messages: { role: string }[] }).messages.map((message) => message.role),
    );
    expect(roles).toEqual([
      ['system', 'user', 'assistant', 'tool', 'user'],
      ['system', 'user', 'assistant', 'tool', 'assistant', 'user'],
    ]);
  });

  it('an overflow is never sent again by the adapter; the window it names is remembered', async () => {
    const server = await start();
    const memory = createLearntMemory();
    server.push({
      status: 400,
      body: {
        error: { message: "This model's maximum context length is 32768 tokens. However, you requested 40000 tokens" },
      },
    });
    const port = connectTo(server, { kind: 'openai-compatible', memory });
    expect((await readReply(port.stream(toRequest({ model: MODEL }), never))).end.trouble).toMatchObject({
      kind: 'context',
      reportedWindowTokens: 32_768,
    });
    expect(server.requests).toHaveLength(1);
    expect(port.describe(MODEL)).toMatchObject({ window: 32_768, windowFrom: 'reported' });
  });
});

describe('requests', () => {
  it('says how many bytes went out, and prints nothing', async () => {
    const server = await start();
    server.push({ status: 500, body: { error: { message: 'boom' } } }, hello());
    const printed = ['log', 'warn', 'error'].map((name) =>
      vi.spyOn(console, name as 'log').mockImplementation(() => undefined),
    );
    await ask(server);
    const { end } = await ask(server);
    expect(printed.flatMap((spy) => spy.mock.calls)).toEqual([]);
    for (const spy of printed) spy.mockRestore();
    expect(end.requestBytes).toBe(server.requests[1]?.bytes);
  });

  it('a model that was told no tool has none, and broken arguments come back as such', async () => {
    const server = await start();
    server.push({
      parts: [
        { call: { id: 'c1', name: 'gone', args: {} } },
        { call: { id: 'c2', name: 'ls', args: {}, rawArgs: '{"path":' } },
      ],
      end: { reason: 'tool_calls' },
    });
    const { calls, end } = await ask(server, {
      request: {
        tools: [
          {
            name: 'ls',
            description: 'Lists.',
            inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
          },
        ],
      },
    });
    expect(calls).toMatchObject([
      { callId: 'c1', name: 'gone', args: {}, argsError: null },
      { callId: 'c2', name: 'ls', argsError: 'The arguments are not a JSON object.' },
    ]);
    expect(end.end).toBe('tool_calls');
    expect(server.requests[0]?.json).toMatchObject({
      tools: [{ function: { name: 'ls', parameters: { type: 'object', properties: { path: { type: 'string' } } } } }],
    });
  });

  it('case-B08: after a 413 the oldest images become text, once', async () => {
    const server = await start('anthropic');
    server.push(
      { status: 413, body: { error: { type: 'request_too_large', message: 'Request exceeds the maximum size' } } },
      hello('anthropic'),
      { status: 413, body: {} },
    );
    const image = (name: string) => ({
      type: 'image' as const,
      sha256: name,
      mediaType: 'image/png',
      bytes: 3_930_000,
      width: 640,
      height: 480,
      name,
      item: 9,
    });
    const request = {
      entries: [{ role: 'user' as const, parts: [image('old.png'), image('new.png')] }],
      imageData: () => 'iVBORw0KGgo=',
    };
    await ask(server, { kind: 'anthropic', request });
    expect(server.requests.map((sent) => (sent.text.match(/"type":"image"/g) ?? []).length)).toEqual([2, 1]);
    expect(server.requests[1]?.text).toContain('[Image left out: old.png, 640×480, 3930 kB, item 9]');
  });
});
