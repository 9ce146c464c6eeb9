import { describe, expect, it } from 'vitest';
import { connectTo, readReply, toRequest } from './testing/ask';
import { ask, hello, manageFakes } from './testing/fakes';
import { createLearntMemory } from './testing/learnt-memory';

const start = manageFakes();
const never = new AbortController().signal;

describe('R11: ceilings', () => {
  it.each(['openai-compatible', 'openai', 'google'] as const)('%s gets none unless one is configured', async (kind) => {
    const server = await start(kind);
    server.push(hello(kind), hello(kind));
    expect((await ask(server, { kind })).end.ceiling).toBeNull();
    expect(server.requests[0]?.text).not.toMatch(/max_?(output_?)?(completion_?)?tokens/i);
    expect((await ask(server, { kind, request: { ceilingTokens: 777 } })).end.ceiling).toBe(777);
    expect(server.requests[1]?.text).toContain('777');
  });

  it.each([
    ['a known model, much room', 'claude-sonnet-4-5', 10_000, null, 64_000],
    ['what the window leaves', 'claude-sonnet-4-5', 380_000, null, 200_000 - 190_000 - 512],
    ['never under 1,024', 'claude-sonnet-4-5', 400_000, null, 1_024],
    ['an unknown model', 'new-model', 10_000, null, 32_000],
    ['a configured one', 'claude-sonnet-4-5', 10_000, 500, 500],
  ])('anthropic: %s', async (_name, model, measureBytes, ceilingTokens, ceiling) => {
    const server = await start('anthropic');
    server.push(hello('anthropic'));
    const port = connectTo(server, { kind: 'anthropic' });
    const request = toRequest({ model: { provider: 'p', model }, measureBytes, ceilingTokens });
    const { end } = await readReply(port.stream(request, never));
    expect(server.requests[0]?.json).toMatchObject({ max_tokens: ceiling });
    expect(end.ceiling).toBe(ceiling);
    expect(port.ceiling({ provider: 'p', model }, { measureBytes, bytesPerToken: 2, configured: ceilingTokens })).toBe(
      ceiling,
    );
  });

  it('thinking fits under the ceiling: what goes out is the ceiling, not more', async () => {
    const server = await start('anthropic');
    server.push(hello('anthropic'));
    await ask(server, {
      kind: 'anthropic',
      request: { model: { provider: 'p', model: 'claude-sonnet-4-5' }, reasoning: 'medium' },
    });
    expect(server.requests[0]?.json).toMatchObject({
      max_tokens: 64_000,
      thinking: { type: 'enabled', budget_tokens: 8_192 },
    });
  });

  it('an output at its ceiling was cut, whatever the server calls it', async () => {
    const server = await start();
    server.push({ parts: [{ text: 'Hel' }], end: { reason: 'stop', usage: { input: 10, output: 50 } } });
    expect((await ask(server, { request: { ceilingTokens: 50 } })).end).toMatchObject({
      natural: false,
      end: 'length',
    });
  });
});

describe('case-D09: a length end because the window is full', () => {
  const models = [{ id: 'm', window: 8_192, maxOutput: null, vision: null }];
  it.each([
    ['reported input near the window', { input: 8_180, output: 12 }, 2_000, 2_000, 'context'],
    ['no usage, estimate near the window', null, 16_200, 2_000, 'context'],
    ['no ceiling sent', { input: 8_100, output: 40 }, 2_000, null, 'context'],
    ['a real ceiling hit', { input: 8_000, output: 2_000 }, 2_000, 2_000, undefined],
    ['far from the window', { input: 400, output: 12 }, 2_000, 2_000, undefined],
  ])('%s', async (_name, usage, measureBytes, ceilingTokens, kind) => {
    const server = await start();
    server.push({ parts: [{ text: 'It' }], end: { reason: 'length', usage } });
    const { end } = await ask(server, { models, request: { measureBytes, ceilingTokens } });
    expect({ end: end.end, natural: end.natural, kind: end.trouble?.kind }).toEqual({
      end: 'length',
      natural: false,
      kind,
    });
  });

  it.each([
    ['measured: what it counted is the window it runs with', 2.5, { input: 4_096, output: 12 }, 4_108],
    ['only assumed: nothing is concluded', 2, { input: 4_096, output: 12 }, null],
    ['near the window: that is the one we know', 2.5, { input: 8_000, output: 12 }, null],
    ['no number of tokens is no window', 2.5, { input: 4, output: 2 }, null],
    ['no usage: nothing is concluded', 2.5, null, null],
  ])('the server cut the prompt in silence; %s', async (_name, bytesPerToken, usage, window) => {
    const server = await start();
    server.push({ parts: [{ text: 'It' }], end: { reason: 'length', usage } });
    const memory = createLearntMemory();
    const request = { measureBytes: Math.ceil(8_100 * bytesPerToken), bytesPerToken, ceilingTokens: 2_000 };
    const { end } = await ask(server, { models, memory, request });
    expect([end.trouble?.kind, end.trouble?.reportedWindowTokens ?? null]).toEqual(['context', window]);
    expect(memory.read({ provider: 'p', model: 'm' }).window ?? null).toBe(window);
  });
});
