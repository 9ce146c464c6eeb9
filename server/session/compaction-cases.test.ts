import { describe, expect, it } from 'vitest';
import { AppError } from '@/server/contract/error';
import { createAnswerLikeAModel, toFakeSummary } from '@/server/model/testing/answer-like-a-model';
import type { RecordedRequest } from '@/server/model/testing/fake-server';
import { createGate, type FakeReply } from '@/server/model/testing/script';
import type { TestApp } from './testing/an-app';
import { fillUp } from './testing/failure-loop';
import { createHandClock } from './testing/hand-clock';
import { aTalk, compact, connect, linesOf, roles, set, textOf, transcript } from './testing/stories';
import { good, long, manageTalks, says, usage } from './testing/summarised-talks';

/* Failures that were seen in other programs, each told as a kind (`case-…` in rules.md). */

const { newApp, newProvider, aTalkWith } = manageTalks();

const summaries = async (test: TestApp, id: string) =>
  (await transcript(test, id)).filter((message) => message.role === 'summary').map(textOf);

describe('case-A01: what is always sent is over the limit already', () => {
  it('B2: no summariser is asked, the parts are named with their sizes, and every message gets its answer', async () => {
    const { test, id, asked } = await aTalkWith(good);
    await test.say(id, 'hi');
    const { context } = await test.app.sessions.get(id);
    const floor = context.floor.reduce((sum, part) => sum + part.bytes, 0);
    set(test, { context_budget: Math.max(2_000, Math.floor(floor / 0.9)) });
    for (const text of ['hi again', 'still there?']) expect((await test.say(id, text)).state).toBe('finished');
    expect((await test.say(id, long('over the trigger'))).state).toBe('finished');
    expect(asked()).toEqual([]);
    const notices = test.told.flatMap(({ event }) => (event.event === 'chat.notice' ? [event.data] : []));
    // Once a turn, whatever its calls.
    expect([...new Set(notices.map(({ code }) => code))]).toEqual(['floor_too_large']);
    expect(notices[0]?.data?.parts).toEqual(
      expect.arrayContaining([{ part: expect.any(String), bytes: expect.any(Number) }]),
    );
    const refused = await test.app.compactions.request(id, {}, 'owner').catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'floor_too_large' });
    const parts = refused instanceof AppError ? refused.details.parts : [];
    expect(parts).toEqual(
      expect.arrayContaining([expect.objectContaining({ part: expect.any(String), bytes: expect.any(Number) })]),
    );
    expect((await test.app.compactions.ledger(id)).compactions).toEqual([]);
  });
});

describe('case-A02: two requests for the same compaction, and a message meanwhile', () => {
  it('contract 14: one job, one boundary; the message is visible at once and sent after it', async () => {
    const gate = createGate();
    const { test, id, provider, asked } = await aTalkWith(() => says({ gate }, { text: toFakeSummary() }));
    await test.say(id, long('a'));
    await test.say(id, long('c'));
    const first = await test.app.compactions.request(id, { clientRequestId: 'tab-1' }, 'owner');
    await gate.reached;
    expect(await test.app.compactions.request(id, { clientRequestId: 'tab-2' }, 'owner')).toEqual(first);
    const { turnId, queued } = await test.app.messages.post(id, { text: 'next', clientMessageId: 'n' }, 'owner');
    expect(queued).toBe(true);
    expect((await transcript(test, id)).some((message) => textOf(message) === 'next')).toBe(true);
    gate.open();
    await test.until('chat.turn', (turn) => turn.turnId === turnId && turn.state === 'finished');
    expect(await linesOf(test, id, 'checkpoint.committed')).toHaveLength(1);
    expect(asked()).toHaveLength(1);
    const answered = provider.requests.filter(({ text }) => text.includes('next') && !text.includes('TASK summary'));
    expect(answered).toHaveLength(1);
    expect(answered[0]?.text).toContain('<summary items=');
  });
});

describe('case-A03, case-A04, case-D02: what is no summary never replaces one', () => {
  const decline = 'Sorry, but summarising this material is something I must decline. Feel free to give me another job.';
  it.each([
    ['reasoning alone', says({ reasoning: 'Let me look at what happened first.' }), 'empty'],
    ['blanks', says({ text: '   \n\t' }), 'empty'],
    [
      'reasoning to the end of its output',
      { parts: [{ reasoning: 'hm '.repeat(400) }], end: { reason: 'length', usage } },
      'incomplete:length',
    ],
    ['a polite refusal', says({ text: decline }), 'sections:'],
    ['a refusal by its end', { parts: [{ text: '' }], end: { reason: 'content_filter', usage } }, 'incomplete:refusal'],
    [
      'a stream that ended without its end',
      { parts: [{ text: toFakeSummary() }, { eof: true }] },
      'incomplete:cut_off',
    ],
  ] as const)(
    '%s: the earlier boundary stays the one in force, and the reason is said',
    async (_name, reply, reason) => {
      let isGood = true;
      const { test, id } = await aTalkWith((request) => (isGood ? good(request) : reply));
      await test.say(id, long('one'));
      await test.say(id, long('two'));
      expect((await compact(test, id)).outcome).toBe('committed');
      isGood = false;
      await test.say(id, long('three'));
      const before = await test.app.sessions.context(id, true);
      const end = await compact(test, id);
      expect(['failed', 'rejected']).toContain(end.outcome);
      expect(end.reason).toContain(reason);
      expect(await test.app.sessions.context(id, true)).toEqual(before);
      expect(await summaries(test, id)).toHaveLength(1);
      const entry = (await test.app.compactions.ledger(id)).compactions.at(-1);
      expect(entry?.attempts.every(({ outcome }) => outcome !== 'accepted')).toBe(true);
      expect((await test.say(id, 'go on')).state).toBe('finished');
    },
  );
});

describe('case-A05: the language of a summary', () => {
  it('every request says whose language it is, in one piece or in segments; headings are no language', async () => {
    const wish = 'Por favor responda sempre em português. Renomeie a função soma para total.';
    const asked: string[] = [];
    const answer = createAnswerLikeAModel();
    const provider = await newProvider((request) => {
      if (/TASK (summary|map|reduce) 1/.test(request.text)) asked.push(request.text);
      return answer(request);
    });
    const test = await newApp({ startTimer: createHandClock().startTimer });
    const model = connect(test, provider);
    const small = connect(test, provider, { id: 'small', window: 6_000 });
    const id = await aTalk(test, model);
    await test.say(id, wish);
    await test.say(id, long('Agora atualize os testes'));
    for (const chain of [[], [small]]) {
      set(test, { routing: { summarization_models: chain } });
      for (let count = 0; count < 8; count += 1) await test.say(id, long(`mais ${count}`));
      expect((await compact(test, id)).outcome).toBe('committed');
    }
    const tasks = new Set(asked.map((text) => /TASK (\w+) 1/.exec(text)?.[1]));
    expect([...tasks].sort()).toEqual(['map', 'reduce', 'summary']);
    for (const text of asked) expect(text).toContain("language of the person's own messages");
    await test.say(id, 'e agora?');
    expect(provider.requests.at(-1)?.text).toContain('responda sempre em português');
  });
});

describe('case-A07: the plan after a compaction', () => {
  const plan = (id: string, ...items: readonly (readonly [string, string])[]): FakeReply => {
    const args = { items: items.map(([text, status]) => ({ text, status })) };
    return { parts: [{ call: { id, name: 'update_plan', args } }], end: { reason: 'tool_calls', usage } };
  };

  it('C14: the last write counts, labelled as state; one that is done is not put back as work', async () => {
    const { test, id, provider } = await aTalkWith(good);
    await test.say(id, long('before'));
    provider.push(plan('t1', ['A', 'done'], ['B', 'active'], ['C', 'pending']));
    provider.push(plan('t2', ['A', 'done'], ['B', 'done'], ['C', 'active']));
    await test.say(id, 'Do steps A, B, C');
    expect((await compact(test, id)).outcome).toBe('committed');
    await test.say(id, 'go on');
    const sent = provider.requests.at(-1)?.text ?? '';
    expect(sent).toContain('<plan done=\\"2\\" of=\\"3\\">');
    expect(sent).toContain('Nobody said this.');
    expect(sent).toContain('[x] B');
    expect(sent).toContain('[>] C');
    provider.push(plan('t3', ['A', 'done'], ['B', 'done'], ['C', 'done']));
    await test.say(id, 'finish it');
    await compact(test, id);
    await test.say(id, 'anything left?');
    expect(provider.requests.at(-1)?.text).not.toContain('<plan done=');
  });
});

describe('case-A08: the first message and the system prompt', () => {
  it('C14: both go out byte for byte after two summaries that left the rule out', async () => {
    const { test, id, provider } = await aTalkWith(good);
    const rule = 'Port this to Deno. Hard rule: do NOT change public function names.';
    await test.say(id, rule);
    const system = systemOf(provider.requests.at(-1));
    for (const round of ['one', 'two']) {
      await test.say(id, long(round));
      expect((await compact(test, id)).outcome).toBe('committed');
    }
    await test.say(id, 'and now?');
    const last = provider.requests.at(-1);
    expect(last?.text).toContain(rule);
    expect(systemOf(last)).toBe(system);
    expect(last?.text.match(/<summary items=/g)).toHaveLength(1);
  });
});

function systemOf(request: RecordedRequest | undefined): string {
  const body: { readonly messages?: readonly { readonly role: string; readonly content: unknown }[] } = JSON.parse(
    request?.text ?? '{}',
  );
  return JSON.stringify(body.messages?.find(({ role }) => role === 'system')?.content);
}

describe('case-A09: summaries of summaries', () => {
  it('contract 7: one that repeats the last and adds to it is refused above the cap; one stands, and never a nested one', async () => {
    const caps: number[] = [];
    let previous = '';
    const { test, id, provider } = await aTalkWith(() => {
      previous = `${previous}\n${'All of it once more, and exhaustively. '.repeat(40)}`;
      return says({ text: toFakeSummary(previous) });
    });
    for (let round = 0; round < 6; round += 1) {
      await test.say(id, long(`round ${round}`));
      await compact(test, id);
      const { context } = await test.app.sessions.get(id);
      caps.push(Math.max(1_500, 0.15 * context.roomBytes));
      const shown = (await test.app.sessions.context(id, true)).entries.filter(({ kind }) => kind === 'summary');
      expect(shown.length).toBeLessThanOrEqual(1);
      for (const { bytes } of shown) expect(bytes).toBeLessThanOrEqual(caps.at(-1) ?? 0);
    }
    const reasons = (await test.app.compactions.ledger(id)).compactions.map(({ reason }) => reason);
    expect(reasons).toContain('too_long');
    expect((await test.say(id, 'still here?')).state).toBe('finished');
    expect(provider.requests.at(-1)?.text.match(/<summary items=/g)?.length ?? 0).toBeLessThanOrEqual(1);
  });
});

describe('case-A13, case-A14: every request for a summary fails', () => {
  it('no two requests are alike, they are few, and what is left is a trim that says so, no summary', async () => {
    const refuse: FakeReply = {
      status: 400,
      body: {
        error: { message: 'This model has a maximum context length of 4000 tokens.', code: 'context_length_exceeded' },
      },
    };
    const answer = createAnswerLikeAModel();
    const summariser = await newProvider(() => refuse);
    const provider = await newProvider(answer);
    const test = await newApp({ startTimer: createHandClock().startTimer });
    set(test, { context_budget: 26_000 });
    const id = await aTalk(test, connect(test, provider));
    set(test, { routing: { summarization_models: [connect(test, summariser, { id: 'full' })] } });
    const over = await fillUp(test, id, 2_500);
    expect((await test.say(id, over)).state).toBe('finished');
    const bodies = summariser.requests.map(({ text }) => text);
    expect(new Set(bodies).size).toBe(bodies.length);
    expect(bodies.length).toBeLessThanOrEqual(20);
    const [entry] = (await test.app.compactions.ledger(id)).compactions;
    expect(entry?.outcome).toBe('failed');
    expect(entry?.attempts.every(({ detail }) => detail?.text?.includes('4000 tokens'))).toBe(true);
    for (let count = 0; count < 3; count += 1) await test.say(id, over);
    const shown = roles(await transcript(test, id));
    expect(shown).toContain('trim');
    expect(shown).not.toContain('summary');
  });

  it('nothing before the tail: no call, no line but the request’s own, and it is said', async () => {
    const { test, id, asked } = await aTalkWith(good);
    await test.say(id, 'hi');
    expect(await compact(test, id)).toMatchObject({ outcome: 'skipped', reason: 'too_short' });
    expect(asked()).toEqual([]);
  });
});
