import { createAnswerLikeAModel } from '@/server/model/testing/answer-like-a-model';
import type { FakeServer, RecordedRequest, Respond } from '@/server/model/testing/fake-server';
import type { FakeReply } from '@/server/model/testing/script';
import type { TestApp } from './an-app';
import { aTalk, connect, set } from './stories';

/** Words for stories of summaries in segments, told over fake providers that speak HTTP and SSE. */

/** Tokens: small beside the talks of these stories. */
export const SMALL_WINDOW = 8_000;

export type SegmentTask = 'summary' | 'map' | 'reduce' | 'audit' | 'correction';

/** Which stage a request asks for; null: an ordinary turn. */
export function taskOf({ text }: RecordedRequest): SegmentTask | null {
  const task = /TASK (summary|map|reduce|audit|correction) 1/.exec(text)?.[1];
  return task === 'summary' || task === 'map' || task === 'reduce' || task === 'audit' || task === 'correction'
    ? task
    : null;
}

/** The text of the only message of a request, as the model reads it. */
export function askedOf(request: RecordedRequest | undefined): string {
  const body: unknown = request?.json;
  const messages = typeof body === 'object' && body !== null && 'messages' in body ? body.messages : [];
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : null;
  const content = typeof last === 'object' && last !== null && 'content' in last ? last.content : '';
  return typeof content === 'string' ? content : JSON.stringify(content);
}

/** A natural reply. */
export const reply = (text: string): FakeReply => ({
  parts: [{ text }],
  end: { reason: 'stop', usage: { input: 900, output: 60 } },
});

/** What a provider says of a request that is too long, with or without its numbers. */
export const tooLong = (window?: number): FakeReply => ({
  status: 400,
  body: {
    error: {
      message:
        window === undefined
          ? 'The input is too long for this model.'
          : `This model's maximum context length is ${window} tokens. However, your messages resulted in 9000 tokens.`,
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
    },
  },
});

export type Answers = Partial<Record<SegmentTask, (request: RecordedRequest, nth: number) => FakeReply | null>>;

/** Answers by task, `nth` from 1; where nothing is said as an obliging model does. */
export function answerTasks(answers: Answers): Respond {
  const oblige = createAnswerLikeAModel();
  const counts = new Map<string, number>();
  return (request) => {
    const task = taskOf(request);
    if (task === null) return oblige(request);
    const nth = (counts.get(task) ?? 0) + 1;
    counts.set(task, nth);
    return answers[task]?.(request, nth) ?? oblige(request);
  };
}

/** How many requests of each task a summariser got. */
export function countTasks({ requests }: Pick<FakeServer, 'requests'>): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const request of requests) {
    const task = taskOf(request) ?? 'turn';
    counts[task] = (counts[task] ?? 0) + 1;
  }
  return counts;
}

export interface SmallSummariser {
  readonly test: TestApp;
  readonly talker: Pick<FakeServer, 'baseUrl'>;
  readonly summariser: Pick<FakeServer, 'baseUrl'>;
  readonly window?: number;
}

/** A long talk with a model of a large window, and a summariser of a small one; gives the conversation's id. */
export async function aLongTalk(
  { test, talker, summariser, window = SMALL_WINDOW }: SmallSummariser,
  turns = 12,
): Promise<string> {
  const id = await aTalk(test, connect(test, talker, { id: 'talker' }));
  const small = connect(test, summariser, { id: 'small', window });
  set(test, { routing: { summarization_models: [small] }, requests: { tries: 1 } });
  for (let turn = 1; turn <= turns; turn += 1) await test.say(id, aMessage(turn));
  return id;
}

/** About 2,700 bytes that begin with their number. */
export const aMessage = (turn: number): string =>
  `Berth ${turn}: ${'the fee is due on the first of the month. '.repeat(64)}`;
