import { describe, expect, it } from 'vitest';
import { createAnswerLikeAModel, toFakeSummary } from '@/server/model/testing/answer-like-a-model';
import type { RecordedRequest } from '@/server/model/testing/fake-server';
import { createGate } from '@/server/model/testing/script';
import type { TestApp } from './testing/an-app';
import {
  aTalk,
  compact,
  connect,
  lines,
  linesOf,
  manageApps,
  manageProviders,
  roles,
  set,
  textOf,
  transcript,
} from './testing/stories';

const newApp = manageApps();
const newProvider = manageProviders();

const isSummary = ({ text }: RecordedRequest) => text.includes('TASK summary 1');
const long = (name: string) => `${name}: ${'berth fees and the monthly print. '.repeat(90)}`;

/** A conversation with a budget so small that a few long messages fill it. */
async function aSmallTalk(respond = createAnswerLikeAModel()) {
  const provider = await newProvider(respond);
  const test = await newApp();
  set(test, { context_budget: 26_000, requests: { tries: 1 } });
  const id = await aTalk(test, connect(test, provider));
  return { test, id, provider };
}

/** Sends long messages until a compaction has begun; gives how many it took. */
async function fill(test: TestApp, id: string): Promise<number> {
  for (let count = 1; count <= 12; count += 1) {
    await test.say(id, long(`message ${count}`));
    if ((await linesOf(test, id, 'compaction.started')).length > 0) return count;
  }
  throw new Error('the conversation never filled its budget');
}

describe('a conversation outgrows its budget', () => {
  it('C1, C2: it is compacted before the model call and keeps a raw tail of a fifth of the room', async () => {
    const { test, id, provider } = await aSmallTalk();
    await fill(test, id);
    const all = await lines(test, id);
    const types = all.map((line) => line.type);
    const at = (type: (typeof types)[number]) => types.lastIndexOf(type);
    const order = [
      'turn.started',
      'compaction.started',
      'checkpoint.committed',
      'compaction.ended',
      'message.assistant',
    ];
    const places = order.map((type) => at(type as (typeof types)[number]));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    const [started] = await linesOf(test, id, 'compaction.started');
    const [committed] = await linesOf(test, id, 'checkpoint.committed');
    expect(started?.trigger).toBe('auto');
    expect(started?.numbers.view).toBeGreaterThan(started?.numbers.trigger ?? 0);
    const tail = all.slice(
      all.findIndex((line) => line.id === committed?.covers.through) + 1,
      at('compaction.started'),
    );
    const bytes = tail.reduce((sum, line) => sum + (line.type === 'message.assistant' ? line.bytes : 0), 0);
    expect(tail.length).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual((started?.numbers.room ?? 0) * 0.2);
    expect(provider.requests.map(isSummary).indexOf(true)).toBe(provider.requests.length - 2);
    expect(provider.requests.at(-1)?.text).toContain('<summary items=');
  });

  it('C16, P7: it is announced as it starts and as it lands, and drawn where it ends', async () => {
    const { test, id } = await aSmallTalk();
    await fill(test, id);
    const names = test.told.map(({ event }) => event.event);
    const [start, land] = [names.indexOf('chat.compacting'), names.indexOf('chat.compacted')];
    expect(start).toBeGreaterThan(-1);
    expect(land).toBeGreaterThan(start);
    const shown = await transcript(test, id);
    const at = shown.findIndex((message) => message.role === 'summary');
    const boundary = shown[at];
    expect(boundary?.role === 'summary' && boundary.metadata.summary_through).toBe(shown[at - 1]?.id);
    expect(shown.at(-1)?.role).toBe('assistant');
  });

  it('B2, C10: with automatic compaction off the trim serves, and no summariser is asked', async () => {
    const { test, id, provider } = await aSmallTalk();
    set(test, { compaction: { auto: false } });
    for (let count = 1; count <= 8; count += 1)
      expect((await test.say(id, long(`message ${count}`))).state).toBe('finished');
    expect(provider.requests.some(isSummary)).toBe(false);
    expect(roles(await transcript(test, id))).toContain('trim');
  });
});

describe('the summariser fails (walk 5)', () => {
  async function aTalkWithABrokenSummariser() {
    const made = await aSmallTalk();
    const summariser = await newProvider(() => ({ status: 401, body: { error: { message: 'Incorrect API key' } } }));
    const model = connect(made.test, summariser, { id: 'wrong', apiKey: 'sk-wrong' });
    set(made.test, { routing: { summarization_models: [model] } });
    return { ...made, summariser };
  }

  it('B5, B6: the trim floor answers all the same, and the transcript says what was left out', async () => {
    const { test, id, summariser } = await aTalkWithABrokenSummariser();
    await fill(test, id);
    const end = await test.until('chat.compacted');
    expect([end.outcome, end.reason]).toEqual(['failed', 'auth']);
    expect(summariser.requests).toHaveLength(1);
    for (let count = 0; count < 4; count += 1) expect((await test.say(id, long('more'))).state).toBe('finished');
    const shown = await transcript(test, id);
    expect(shown.at(-1)?.role).toBe('assistant');
    const trim = shown.find((message) => message.role === 'trim');
    expect(trim?.role === 'trim' && trim.metadata.items.length).toBeGreaterThan(0);
    expect(shown.some((message) => message.role === 'summary')).toBe(false);
  });

  it('C10: nothing is tried again in that turn; the next message gets a fresh attempt', async () => {
    const { test, id, provider, summariser } = await aTalkWithABrokenSummariser();
    await fill(test, id);
    const asked = summariser.requests.length;
    const call = { id: 'call_1', name: 'list_files', args: { path: '' } };
    provider.push({ parts: [{ call }], end: { reason: 'tool_calls' } });
    await test.say(id, long('with a tool, so two calls of the model'));
    expect(summariser.requests.length).toBe(asked + 1);
    await test.say(id, long('a new message'));
    expect(summariser.requests.length).toBe(asked + 2);
  });

  it('C8, S2: a refused text keeps its usage, the next model of the list is asked, nothing else is', async () => {
    const { test, id, provider } = await aSmallTalk();
    const usage = { input: 700, output: 30 };
    const bad = await newProvider(() => ({
      parts: [{ text: 'I cannot write that summary, sorry about it.' }],
      end: { reason: 'stop', usage },
    }));
    const cut = await newProvider(() => ({ parts: [{ text: toFakeSummary() }], end: { reason: 'length', usage } }));
    const good = await newProvider(createAnswerLikeAModel());
    const chain = [
      connect(test, bad, { id: 'bad' }),
      connect(test, cut, { id: 'cut' }),
      connect(test, good, { id: 'good' }),
    ];
    set(test, { routing: { summarization_models: chain } });
    await test.say(id, long('one'));
    await test.say(id, long('two'));
    expect((await compact(test, id)).outcome).toBe('committed');
    const [entry] = (await test.app.compactions.ledger(id)).compactions;
    expect(entry?.attempts.map(({ model, outcome }) => `${model.provider} ${outcome}`)).toEqual([
      'bad rejected',
      'bad rejected',
      'cut rejected',
      'cut rejected',
      'good accepted',
    ]);
    expect(entry?.attempts.map((attempt) => attempt.usage?.input ?? null).slice(0, 4)).toEqual([700, 700, 700, 700]);
    expect(provider.requests.some(isSummary)).toBe(false);
  });

  it('C8: when every text is refused, the view stays as it was', async () => {
    const { test, id } = await aSmallTalk();
    const bad = await newProvider(() => ({
      parts: [{ text: 'No headings here, and never any, whatever I am told.' }],
      end: { reason: 'stop' },
    }));
    set(test, { routing: { summarization_models: [connect(test, bad, { id: 'bad' })] } });
    await test.say(id, long('one'));
    await test.say(id, long('two'));
    const before = await test.app.sessions.context(id, true);
    const end = await compact(test, id);
    expect(end.outcome).toBe('rejected');
    expect(end.reason).toContain('sections');
    expect(await test.app.sessions.context(id, true)).toEqual(before);
  });
});

describe('a provider says that the request is too long', () => {
  it('G4, C10: the conversation is compacted, and the same turn goes on', async () => {
    const { test, id, provider } = await aSmallTalk();
    await test.say(id, long('one'));
    await test.say(id, long('two'));
    provider.push({
      status: 400,
      body: {
        error: {
          message:
            "This model's maximum context length is 8000 tokens. However, your messages resulted in 9000 tokens.",
          type: 'invalid_request_error',
          code: 'context_length_exceeded',
        },
      },
    });
    const end = await test.say(id, long('three'));
    expect(end.state).toBe('finished');
    const [started] = await linesOf(test, id, 'compaction.started');
    expect(started?.trigger).toBe('overflow');
    expect(roles(await transcript(test, id)).at(-1)).toBe('assistant');
  });
});

describe('a compaction is stopped (C11)', () => {
  it('between turns: nothing is committed, and a message typed meanwhile is sent', async () => {
    const { test, id, provider } = await aSmallTalk();
    await test.say(id, long('one'));
    await test.say(id, long('two'));
    const gate = createGate();
    provider.push({ parts: [{ text: 'Half a summary' }, { gate }], end: { reason: 'stop' } });
    await test.app.compactions.request(id, {}, 'owner');
    await gate.reached;
    const { turnId, queued } = await test.app.messages.post(id, { text: 'meanwhile', clientMessageId: 'm' }, 'owner');
    expect(queued).toBe(true);
    await test.app.compactions.cancel(id, 'compaction');
    expect((await test.until('chat.compacted')).outcome).toBe('cancelled');
    const end = await test.until('chat.turn', (turn) => turn.turnId === turnId && turn.state !== 'started');
    expect(end.state).toBe('finished');
    expect(await linesOf(test, id, 'checkpoint.committed')).toEqual([]);
  });

  it('within a turn: the compaction alone stops, the trim serves, and the reply comes', async () => {
    const { test, id } = await aSmallTalk();
    const gate = createGate();
    const slow = await newProvider(() => ({ parts: [{ text: 'Half' }, { gate }], end: { reason: 'stop' } }));
    set(test, { routing: { summarization_models: [connect(test, slow, { id: 'slow' })] } });
    const filling = fill(test, id);
    await gate.reached;
    const before = performance.now();
    await test.app.compactions.cancel(id, 'compaction');
    const ended = await test.until('chat.compacted');
    expect(performance.now() - before).toBeLessThan(1_000);
    expect(ended.outcome).toBe('cancelled');
    await filling;
    expect((await transcript(test, id)).at(-1)?.role).toBe('assistant');
    expect((await linesOf(test, id, 'turn.ended')).at(-1)?.outcome).toBe('finished');
  });

  it('P7: one that had not begun is told as cancelled, though no line of the log speaks of it', async () => {
    const { test, id, provider } = await aSmallTalk();
    const gate = createGate();
    provider.push({ parts: [{ text: 'Begun' }, { gate }], end: { reason: 'stop' } });
    await test.app.messages.post(id, { text: 'first', clientMessageId: '1' }, 'owner');
    await gate.reached;
    await test.app.compactions.request(id, { clientRequestId: 'click' }, 'owner');
    await test.app.compactions.cancel(id, 'compaction');
    expect((await test.until('chat.compacted')).outcome).toBe('cancelled');
    gate.open();
    expect((await test.until('chat.turn', (turn) => turn.state !== 'started')).state).toBe('finished');
    expect(await linesOf(test, id, 'compaction.started')).toEqual([]);
  });

  it('contract 14: a second request while one runs is the same job', async () => {
    const { test, id, provider } = await aSmallTalk();
    await test.say(id, long('one'));
    await test.say(id, long('two'));
    const gate = createGate();
    provider.push({ parts: [{ gate }, { text: toFakeSummary() }], end: { reason: 'stop' } });
    const first = await test.app.compactions.request(id, {}, 'owner');
    await gate.reached;
    expect(await test.app.compactions.request(id, {}, 'owner')).toEqual(first);
    gate.open();
    expect((await test.until('chat.compacted')).outcome).toBe('committed');
    expect(textOf((await transcript(test, id)).find((message) => message.role === 'summary'))).toContain('Objective');
  });
});
