import type { Model } from '@/server/contract/shapes';
import { toFakeSummary } from '@/server/model/testing/answer-like-a-model';
import { startFakeAnthropic } from '@/server/model/testing/fake-anthropic';
import { startFakeChatCompletions } from '@/server/model/testing/fake-chat-completions';
import { startFakeGemini } from '@/server/model/testing/fake-gemini';
import { startFakeResponses } from '@/server/model/testing/fake-responses';
import type { FakeServer, Respond } from '@/server/model/testing/fake-server';
import type { FakeKind } from '@/server/model/testing/fakes';
import type { FakeReply } from '@/server/model/testing/script';
import { countFakeTokens } from '@/server/model/testing/strict-request';
import type { TestApp } from './an-app';
import { toMoodReply } from './moods';

/** A strict server of one protocol, made known to an application, with the models behind it. */
export interface Station {
  readonly kind: FakeKind;
  readonly server: FakeServer;
  readonly models: readonly Model[];
}

const PLANS = [
  { kind: 'openai-compatible', start: startFakeChatCompletions, window: 8_000, models: ['m'] },
  { kind: 'openai', start: startFakeResponses, window: 12_000, models: ['gpt-5', 'gpt-5.1'] },
  { kind: 'anthropic', start: startFakeAnthropic, window: 16_000, models: ['claude-opus-4-1', 'claude-sonnet-4-5'] },
  { kind: 'google', start: startFakeGemini, window: 200_000, models: ['gemini-3-pro-preview', 'gemini-2.5-pro'] },
] as const;
const MOST_OUTPUT = 4_000;

/** One server of each protocol. Summaries are written at once; everything else is answered in the mood that comes next. */
export async function openStations(test: TestApp, nextMood: () => string): Promise<readonly Station[]> {
  const opened: Station[] = [];
  let count = 0;
  for (const { kind, start, window, models } of PLANS) {
    const respond: Respond = (request) => {
      count += 1;
      const reply = toTaskReply(kind, request.text) ?? toMoodReply({ kind, mood: nextMood(), count, window });
      return withUsage(reply, countFakeTokens(request.text));
    };
    const server = await start({ respond, limits: { windowTokens: window, maxOutputTokens: MOST_OUTPUT } });
    test.app.registry.create({
      id: kind,
      kind,
      baseUrl: server.baseUrl,
      apiKey: 'sk-right-1234',
      models: models.map((id) => ({ id, window, maxOutput: MOST_OUTPUT })),
    });
    opened.push({ kind, server, models: models.map((model) => ({ provider: kind, model })) });
  }
  return opened;
}

function toTaskReply(kind: FakeKind, text: string): FakeReply | null {
  if (/TASK audit \d/.test(text)) return toMoodReply({ kind, mood: 'passes', count: 0, window: 0 });
  if (!/TASK (?:summary|map|reduce|correction) \d/.test(text)) return null;
  const plain = toMoodReply({ kind, mood: 'says', count: 0, window: 0 });
  return 'parts' in plain ? { ...plain, parts: [{ text: toFakeSummary() }] } : plain;
}

function withUsage(reply: FakeReply, input: number): FakeReply {
  return 'parts' in reply && reply.end ? { ...reply, end: { ...reply.end, usage: { input, output: 20 } } } : reply;
}
