import { afterEach } from 'vitest';
import { connectTo, type Reply, readReply, toRequest } from './ask';
import { startFakeAnthropic } from './fake-anthropic';
import { startFakeChatCompletions } from './fake-chat-completions';
import { startFakeGemini } from './fake-gemini';
import { startFakeResponses } from './fake-responses';
import type { FakeServer } from './fake-server';
import type { FakeReply } from './script';

const STARTERS = {
  'openai-compatible': startFakeChatCompletions,
  openai: startFakeResponses,
  anthropic: startFakeAnthropic,
  google: startFakeGemini,
} as const;

/** The raw word by which each protocol ends naturally. */
export const NATURAL_REASONS = {
  'openai-compatible': 'stop',
  openai: 'completed',
  anthropic: 'end_turn',
  google: 'STOP',
} as const;
export const KINDS = ['openai-compatible', 'openai', 'anthropic', 'google'] as const;
export type FakeKind = (typeof KINDS)[number];
export const MODEL = { provider: 'p', model: 'm' };

/** Starts fakes and closes them after each test. */
export function manageFakes(): (kind?: FakeKind) => Promise<FakeServer> {
  const running: FakeServer[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((server) => server.close()));
  });
  return async (kind = 'openai-compatible') => {
    const server = await STARTERS[kind]();
    running.push(server);
    return server;
  };
}

/** The plainest natural reply of a protocol. */
export function hello(kind: FakeKind = 'openai-compatible'): FakeReply {
  return { parts: [{ text: 'Hello.' }], end: { reason: NATURAL_REASONS[kind], usage: { input: 10, output: 2 } } };
}

/** One call of the real adapter against a fake, read to its end. */
export function ask(
  server: FakeServer,
  more: Partial<Parameters<typeof connectTo>[1]> & { readonly request?: Partial<Parameters<typeof toRequest>[0]> } = {},
): Promise<Reply> {
  const { request, ...connection } = more;
  const port = connectTo(server, { kind: 'openai-compatible', ...connection });
  return readReply(port.stream(toRequest({ model: MODEL, ...request }), new AbortController().signal));
}
