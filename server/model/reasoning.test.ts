import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '@/server/ports/model';
import { mendPairs } from './mend-pairs';
import { leastEffort } from './reasoning';
import { ask, hello, manageFakes } from './testing/fakes';
import { createLearntMemory } from './testing/learnt-memory';

const start = manageFakes();
const CHOICES: readonly ModelRequest['reasoning'][] = ['default', 'off', 'low', 'medium', 'high'];

describe('G3: the least that a model of OpenAI can be told to think', () => {
  it.each([
    ['gpt-5', 'minimal'],
    ['gpt-5-mini', 'minimal'],
    ['gpt-5-2025-08-07', 'minimal'],
    ['gpt-5.1', 'none'],
    ['gpt-5.4-mini', 'none'],
    ['gpt-5.1-codex-max', 'low'],
    ['gpt-5-pro', null],
    ['gpt-5.1-chat-latest', null],
    ['gpt-6-sol', 'none'],
    ['gpt-6', 'low'],
    ['o3-mini', 'low'],
    ['gpt-4.1', null],
    ['somebody-elses', null],
  ])('%s: %s', (model, effort) => {
    expect(leastEffort(model)).toBe(effort);
  });
});

describe('G3: no choice of reasoning is refused by the model it is sent to', () => {
  it.each([
    ['openai', ['gpt-5', 'gpt-5.1', 'gpt-5.4-mini', 'gpt-5.1-codex', 'o3', 'gpt-4.1', 'gpt-4o']],
    ['anthropic', ['claude-opus-4-1', 'claude-sonnet-4-5', 'claude-sonnet-4-6', 'claude-opus-4-7', 'claude-opus-5-5']],
    ['google', ['gemini-2.5-pro', 'gemini-2.5-flash', 'gemini-3-pro-preview', 'gemini-3-flash', 'gemini-2.0-flash']],
  ] as const)('%s', async (kind, models) => {
    const server = await start(kind);
    for (const model of models) {
      for (const reasoning of CHOICES) {
        server.push(hello(kind));
        const { end } = await ask(server, { kind, request: { model: { provider: 'p', model }, reasoning } });
        expect([model, reasoning, end.natural, server.refused]).toEqual([model, reasoning, true, []]);
      }
    }
  });

  it('a budget that the ceiling does not leave is none', async () => {
    const server = await start('anthropic');
    server.push(hello('anthropic'));
    const request = { reasoning: 'high', ceilingTokens: 1_500 } as const;
    const { end } = await ask(server, { kind: 'anthropic', request });
    expect([end.natural, end.ceiling, server.refused]).toEqual([true, 1_500, []]);
    expect(server.requests[0]?.json).toMatchObject({ max_tokens: 1_500, thinking: { type: 'disabled' } });
  });

  it('a model nobody knows that refuses the choice gets none, once and from then on', async () => {
    const server = await start();
    const memory = createLearntMemory();
    const message = "Unsupported parameter: 'reasoning_effort' is not supported with this model.";
    server.push({ status: 400, body: { error: { message, type: 'invalid_request_error' } } }, hello(), hello());
    const request = { reasoning: 'high' } as const;
    expect((await ask(server, { memory, request })).end.natural).toBe(true);
    expect((await ask(server, { memory, request })).end.natural).toBe(true);
    expect(server.requests.map(({ text }) => text.includes('reasoning_effort'))).toEqual([true, false, false]);
  });
});

describe('contract-10: call ids', () => {
  const talk = (id: string): Partial<ModelRequest> => ({
    entries: [
      { role: 'user', parts: [{ type: 'text', text: 'list' }] },
      { role: 'assistant', parts: [{ type: 'tool_call', callId: id, name: 'ls', args: {}, artifacts: [] }] },
      { role: 'tool', results: [{ callId: id, name: 'ls', isError: false, text: 'a.txt' }] },
    ],
  });
  const SHORT = /"tool_calls":\[\{"id":"[A-Za-z0-9]{9}"/;

  it('an id of another provider that is too long is rewritten, the same way each time', async () => {
    const server = await start();
    server.push(hello(), hello());
    await ask(server, { request: talk(`toolu_${'x'.repeat(50)}`) });
    await ask(server, { request: talk(`toolu_${'x'.repeat(50)}`) });
    expect(server.refused).toEqual([]);
    expect(server.requests[0]?.text).toBe(server.requests[1]?.text);
  });

  it('case-B01: an id made to tell two calls apart is never one that another call has', () => {
    const used = ['same', 'same_2', 'same', 'same_2', 'same'];
    const entries = used.flatMap((id) => (talk(id).entries ?? []).slice(1));
    const mended = mendPairs(entries.map((message) => ({ message, inTurn: false, isCacheEnd: false })));
    const ids = mended.flatMap(({ message }) =>
      message.role === 'tool' ? message.results.map(({ callId }) => callId) : [],
    );
    expect(ids).toEqual(['same', 'same_2', 'same_3', 'same_2_2', 'same_4']);
  });

  it('a server that wants nine letters and digits gets them, once it has said so', async () => {
    const server = await start();
    const memory = createLearntMemory();
    const message = 'Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.';
    server.push({ status: 400, body: { object: 'error', message, type: 'invalid_function_call' } }, hello(), hello());
    expect((await ask(server, { memory, request: talk('call_1') })).end.natural).toBe(true);
    await ask(server, { memory, request: talk('call_1') });
    expect(server.requests.map(({ text }) => SHORT.test(text))).toEqual([false, true, true]);
  });
});
