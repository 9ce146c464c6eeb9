import type { CompactionEntry } from '@/server/contract/compactions';
import { COMPACTION_POLICY, type CompactionPolicy } from '@/server/core/compaction/policy';
import { createAnswerLikeAModel, toFakeSummary } from '@/server/model/testing/answer-like-a-model';
import { startFakeChatCompletions } from '@/server/model/testing/fake-chat-completions';
import type { FakeServer, RecordedRequest } from '@/server/model/testing/fake-server';
import type { FakeReply } from '@/server/model/testing/script';
import { anApp, type TestApp } from './an-app';

/*
 * The loop of E2 as it was reported: one model answers and summarises, its window holds a million tokens, the history is
 * just over the automatic trigger (about 164,000 tokens), and whenever a ceiling is sent the summary runs into it and
 * ends with `length`. Then the turn calls a small tool, twice.
 */

/**
 * The policy that was replaced: one-shot summaries borrow a ceiling of 2,000 tokens, and each tool call brings a fresh
 * budget of tries. Nothing but this run ever has it.
 */
export const POLICY_BEFORE: CompactionPolicy = { oneShotCeilingTokens: 2_000, defersAfterFailure: false };
/** Requests a compaction makes of one model there before it gives up. */
const TRIES_BEFORE = 3;

export const REPORTED_WINDOW_TOKENS = 1_000_000;
const TOOL_CALLS = 2;
const MODEL = { provider: 'one', model: 'flash' };

/** What one run of the loop made; requests are those for summaries alone. */
export interface LoopCount {
  readonly requests: number;
  /** Ceilings those requests carried, in tokens; null: none. */
  readonly ceilings: readonly (number | null)[];
  /** Failures that were shown to the person. */
  readonly toasts: number;
  readonly outcomes: readonly CompactionEntry['outcome'][];
  readonly reasons: readonly (string | null)[];
  /** Of the conversation when the turn began, in the estimate of two bytes a token. */
  readonly historyTokens: number;
  readonly turn: string;
}

/** Whether the request is one for a summary. */
export const isSummary = ({ text }: Pick<RecordedRequest, 'text'>) => text.includes('TASK summary 1');

/** The output ceiling a request carries under whatever name, or null. */
export function ceilingOf({ json }: Pick<RecordedRequest, 'json'>): number | null {
  const body: Readonly<Record<string, unknown>> = typeof json === 'object' && json !== null ? { ...json } : {};
  const found = [body.max_tokens, body.max_completion_tokens].find((value) => typeof value === 'number');
  return typeof found === 'number' ? found : null;
}

/** The automatic path: a turn of two tool calls over a history past the trigger. */
export function runLoop(when: 'before' | 'after'): Promise<LoopCount> {
  return onServer(when, async (test, { id, server, text }) => {
    await test.say(id, text);
    return countOf(test, { id, server });
  });
}

/** The manual path on the same history, under the policy that holds. */
export function runManual(): Promise<LoopCount> {
  return onServer('after', async (test, { id, server }) => {
    await test.app.compactions.request(id, {}, 'owner');
    await test.until('chat.compacted');
    return countOf(test, { id, server });
  });
}

interface Scene {
  readonly id: string;
  readonly server: FakeServer;
  /** The message that takes the conversation over the trigger. */
  readonly text: string;
}

async function onServer(
  when: 'before' | 'after',
  act: (test: TestApp, scene: Scene) => Promise<LoopCount>,
): Promise<LoopCount> {
  const policy = when === 'before' ? POLICY_BEFORE : COMPACTION_POLICY;
  const model = createLoopingModel();
  const server = await startFakeChatCompletions({ respond: model.respond });
  const test = await anApp({ policy, fetch: (input, init) => fetch(input, init) });
  try {
    const models = [{ id: MODEL.model, window: REPORTED_WINDOW_TOKENS }];
    const { baseUrl } = server;
    test.app.registry.create({ id: MODEL.provider, kind: 'openai-compatible', baseUrl, apiKey: 'sk-x', models });
    const { revision } = test.app.settings.read();
    const tries = when === 'before' ? { content_tries: TRIES_BEFORE } : {};
    test.app.settings.patch({ revision, settings: { compaction: tries } });
    const { id } = await test.app.sessions.create({ model: MODEL }, 'owner');
    const text = await fillUp(test, id, MESSAGE_BYTES);
    model.arm();
    return await act(test, { id, server, text });
  } finally {
    await test.stop();
    await server.close();
  }
}

const LINE = 'The ledger of the harbour was copied by hand until nobody could read it. ';
const MESSAGE_BYTES = 54_000;

/** Talks in messages of this size until one more passes the trigger; gives that one, a hundredth over it. */
export async function fillUp(test: TestApp, id: string, messageBytes: number): Promise<string> {
  for (;;) {
    const { context } = await test.app.sessions.get(id);
    const floor = context.floor.reduce((sum, part) => sum + part.bytes, 0);
    const missing = 0.85 * context.roomBytes - (context.usedBytes - floor);
    if (missing < messageBytes) return longer(missing + 0.01 * context.roomBytes);
    await test.say(id, longer(messageBytes));
  }
}

const longer = (bytes: number) => LINE.repeat(Math.ceil(bytes / LINE.length));

/** Ends with `length` whenever a ceiling is sent; else writes a whole summary. Once armed, two tool calls come first. */
function createLoopingModel() {
  const answer = createAnswerLikeAModel();
  let callsLeft = 0;
  const respond = (request: RecordedRequest): FakeReply => {
    if (isSummary(request)) return ceilingOf(request) === null ? answer(request) : cutOff();
    if (callsLeft === 0) return answer(request);
    callsLeft -= 1;
    const call = { id: `call_${callsLeft}`, name: 'list_files', args: { path: '' } };
    const usage = { input: Math.ceil(request.bytes / 2), output: 20 };
    return { parts: [{ call }], end: { reason: 'tool_calls', usage } };
  };
  return {
    respond,
    arm: () => {
      callsLeft = TOOL_CALLS;
    },
  };
}

/** Headings begun over and over, as the report's boxes held them, and cut at the ceiling. */
function cutOff(): FakeReply {
  const text = toFakeSummary().split('## Code anchors')[0] ?? '';
  return {
    parts: [{ text: `${text}and then the` }],
    end: { reason: 'length', usage: { input: 164_000, output: 2_000 } },
  };
}

async function countOf(test: TestApp, { id, server }: Pick<Scene, 'id' | 'server'>): Promise<LoopCount> {
  const asked = server.requests.filter(isSummary);
  const ledger = await test.app.compactions.ledger(id);
  const compactions = ledger.compactions.filter(({ outcome }) => outcome !== 'deferred');
  const shown = test.told.flatMap(({ event }) => (event.event === 'chat.compacted' ? [event.data.outcome] : []));
  const turns = test.told.flatMap(({ event }) => (event.event === 'chat.turn' ? [event.data.state] : []));
  return {
    requests: asked.length,
    ceilings: asked.map(ceilingOf),
    toasts: shown.filter((outcome) => outcome === 'failed' || outcome === 'rejected').length,
    outcomes: compactions.map(({ outcome }) => outcome),
    reasons: compactions.map(({ reason }) => reason),
    historyTokens: Math.round((compactions[0]?.numbers.view ?? 0) / 2),
    turn: turns.at(-1) ?? 'none',
  };
}
