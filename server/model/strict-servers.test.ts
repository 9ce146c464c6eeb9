import { APICallError } from 'ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TroubleKind } from '@/server/ports/model';
import { classifyError } from './classify-error';
import { BROKEN, type SentBody, SOUND, TABLE_LIMITS } from './testing/broken-requests';
import { startFakeAnthropic } from './testing/fake-anthropic';
import { startFakeChatCompletions } from './testing/fake-chat-completions';
import { startFakeGemini } from './testing/fake-gemini';
import { startFakeResponses } from './testing/fake-responses';
import type { FakeServer } from './testing/fake-server';
import { type FakeKind, hello } from './testing/fakes';
import { STRICT_ANTHROPIC } from './testing/strict-anthropic';
import { STRICT_CHAT_COMPLETIONS } from './testing/strict-chat-completions';
import { STRICT_GEMINI } from './testing/strict-gemini';
import type { StrictProtocol } from './testing/strict-request';
import { STRICT_RESPONSES } from './testing/strict-responses';

const PROTOCOLS: readonly (readonly [FakeKind, typeof startFakeAnthropic, StrictProtocol, string])[] = [
  ['openai-compatible', startFakeChatCompletions, STRICT_CHAT_COMPLETIONS, '/chat/completions'],
  ['openai', startFakeResponses, STRICT_RESPONSES, '/responses'],
  ['anthropic', startFakeAnthropic, STRICT_ANTHROPIC, '/messages'],
  ['google', startFakeGemini, STRICT_GEMINI, '/models/MODEL:streamGenerateContent?alt=sse'],
];

/** What the application makes of each answer (G4); whatever is not named here is a request that is wrong by itself. */
const MEANINGS: Readonly<Record<string, TroubleKind>> = {
  window: 'context',
  body_limit: 'too_large',
  image_bytes: 'too_large',
};

describe.each(PROTOCOLS)('G3: the fake of %s', (kind, start, strict, path) => {
  let server: FakeServer;
  beforeAll(async () => {
    server = await start({ respond: () => hello(kind), limits: TABLE_LIMITS });
    for (const model of ['m', 'gpt-5', 'gemini-2.5-pro']) server.issue(model, 'OWN', 'own');
  });
  afterAll(() => server.close());

  const send = async (sent: SentBody) => {
    const url = `${server.baseUrl}${path.replace('MODEL', sent.model ?? 'm')}`;
    const response = await fetch(url, { method: 'POST', body: sent.text ?? JSON.stringify(sent.body) });
    return { status: response.status, text: await response.text() };
  };

  it.each(SOUND[kind].map((sent) => [sent]))('takes a sound request', async (sent) => {
    const before = server.refused.length;
    expect([(await send(sent)).status, server.refused.slice(before)]).toEqual([200, []]);
  });

  it.each(BROKEN[kind])('refuses %s, and the answer is understood', async (id, sent) => {
    const before = server.refused.length;
    const answer = await send(sent);
    expect(server.refused.slice(before).map((refused) => refused.id)).toEqual([id]);
    const facts = { message: 'failed', url: '', requestBodyValues: {}, statusCode: answer.status };
    const trouble = classifyError(new APICallError({ ...facts, responseBody: answer.text }), {
      secrets: [],
      prompt: [],
      nowMs: 0,
    });
    expect(trouble.kind).toBe(MEANINGS[id] ?? 'invalid_request');
    if (id === 'window' && kind !== 'openai') expect(trouble.reportedWindowTokens).toBe(TABLE_LIMITS.windowTokens);
    if (id === 'ceiling' && answer.text.includes('1001'))
      expect(trouble.reportedMaxOutputTokens).toBe(TABLE_LIMITS.maxOutputTokens);
  });

  it('refuses nothing that no row shows, and says of each where it was seen and when', () => {
    const shown = new Set(BROKEN[kind].map(([id]) => id));
    expect(strict.refusals.filter(({ id }) => !shown.has(id)).map(({ id }) => id)).toEqual([]);
    for (const { source, seen } of strict.refusals) {
      expect(source.length).toBeGreaterThan(4);
      expect(seen).toMatch(/^20\d\d-\d\d-\d\d$/);
    }
  });
});
