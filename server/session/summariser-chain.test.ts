import { describe, expect, it } from 'vitest';
import { openMemorySqlite } from '@/db/sqlite/open';
import { createModelFactStore } from '@/db/sqlite/small-stores';
import type { Model } from '@/server/contract/shapes';
import { createAnswerLikeAModel, toFakeSummary } from '@/server/model/testing/answer-like-a-model';
import type { FakeReply } from '@/server/model/testing/script';
import { MIGRATIONS, type TestApp } from './testing/an-app';
import { createHandClock } from './testing/hand-clock';
import { aTalk, compact, connect, linesOf, manageApps, manageProviders, set } from './testing/stories';

const newApp = manageApps();
const newProvider = manageProviders();

const readLog = async ({ app }: TestApp, id: string) => (await app.exports.log(id)).text();
const long = (name: string) => `${name}: ${'berth fees and the monthly print. '.repeat(90)}`;
const says = (
  status: number,
  message: string,
  more: Partial<Extract<FakeReply, { status: number }>> = {},
): FakeReply => ({
  status,
  body: { error: { message } },
  ...more,
});
const good = (): FakeReply => ({
  parts: [{ text: toFakeSummary() }],
  end: { reason: 'stop', usage: { input: 900, output: 90 } },
});

/** A talk of two long exchanges whose summariser is a chain of fakes, `first` before `second`, all waits in the hand. */
async function aChain({ holds = null }: { readonly holds?: number | null } = {}) {
  const clock = createHandClock({ holds });
  const test = await newApp({ startTimer: clock.startTimer });
  const agent = await newProvider(createAnswerLikeAModel());
  const first = await newProvider();
  const second = await newProvider(good);
  const id = await aTalk(test, connect(test, agent));
  const chain = [connect(test, first, { id: 'first' }), connect(test, second, { id: 'second' })];
  set(test, { context_budget: 26_000, routing: { summarization_models: chain } });
  await test.say(id, long('one'));
  await test.say(id, long('two'));
  const attempts = async () => {
    const { compactions } = await test.app.compactions.ledger(id);
    return (compactions.at(-1)?.attempts ?? []).map(
      ({ model, outcome, reason }) => `${model.provider} ${outcome}${reason === null ? '' : ` ${reason}`}`,
    );
  };
  return { test, id, agent, first, second, clock, attempts };
}

describe('bounded retries come before the next summariser (S2, contract 10)', () => {
  it('three tries, as long apart as the provider asks in header or body; then the next, which writes', async () => {
    const { test, id, first, second, clock, attempts } = await aChain();
    first.push(
      says(429, 'Too many requests', { headers: { 'retry-after': '2' } }),
      says(429, 'Rate limit reached. Please try again in 3.5s.'),
      says(429, 'Too many requests', { headers: { 'retry-after': '1' } }),
    );
    expect((await compact(test, id)).outcome).toBe('committed');
    expect(clock.waits).toEqual([2_000, 3_500]);
    expect([first.requests.length, second.requests.length]).toEqual([3, 1]);
    expect(await attempts()).toEqual([
      'first failed rate_limit',
      'first failed rate_limit',
      'first failed rate_limit',
      'second accepted',
    ]);
  });

  it('without a word of when: one second, then four', async () => {
    const { test, id, first, clock } = await aChain();
    first.push(says(503, 'overloaded'), says(500, 'oops'), says(503, 'overloaded'));
    expect((await compact(test, id)).outcome).toBe('committed');
    expect(clock.waits).toEqual([1_000, 4_000]);
  });

  it('a provider that asks for longer than the limit is left at once', async () => {
    const { test, id, first, clock, attempts } = await aChain();
    first.push(says(429, 'Too many requests', { headers: { 'retry-after': '90' } }));
    expect((await compact(test, id)).outcome).toBe('committed');
    expect([clock.waits, first.requests.length]).toEqual([[], 1]);
    expect(await attempts()).toEqual(['first failed rate_limit', 'second accepted']);
  });

  it('G4: a quota that is used up is told from a rate limit by its words, and is not waited for', async () => {
    const { test, id, first, clock, attempts } = await aChain();
    first.push({
      status: 429,
      body: { error: { message: 'You exceeded your current quota, check your plan.', code: 'insufficient_quota' } },
      headers: { 'retry-after': '1' },
    });
    expect((await compact(test, id)).outcome).toBe('committed');
    expect([clock.waits, first.requests.length]).toEqual([[], 1]);
    expect(await attempts()).toEqual(['first failed quota', 'second accepted']);
  });

  it.each([
    ['401 is not retried', says(401, 'key expired'), 1, []],
    ['429 waits as told', says(429, 'slow down', { headers: { 'retry-after': '2' } }), 3, [2_000, 2_000]],
    ['500 is retried a bounded number of times', says(500, 'oops'), 3, [1_000, 4_000]],
  ] as const)(
    'case-A06: %s; nothing is lost, and the next message has the same context',
    async (_, reply, requests, waits) => {
      const { test, id, first, second, clock, agent } = await aChain();
      set(test, { routing: { summarization_models: [{ provider: 'first', model: 'm' }] } });
      const before = await test.app.sessions.context(id, true);
      const bytes = await readLog(test, id);
      first.push(reply, reply, reply);
      expect((await compact(test, id)).outcome).toBe('failed');
      expect([first.requests.length, clock.waits]).toEqual([requests, waits]);
      expect(second.requests).toEqual([]);
      expect(await test.app.sessions.context(id, true)).toEqual(before);
      expect((await test.say(id, 'continue')).state).toBe('finished');
      const sent = agent.requests.at(-1)?.text ?? '';
      expect(['one: berth', 'two: berth', 'continue'].every((word) => sent.includes(word))).toBe(true);
      expect(['key expired', 'slow down', 'oops'].some((word) => sent.includes(word))).toBe(false);
      const after = await readLog(test, id);
      expect(after.startsWith(bytes)).toBe(true);
      expect(await linesOf(test, id, 'checkpoint.committed')).toEqual([]);
    },
  );
});

describe('each attempt is named (S4, X3)', () => {
  it('in a notice as it fails, in the row as the next begins, and in the ledger with its usage', async () => {
    const { test, id, first } = await aChain();
    const usage = { input: 700, output: 3 };
    first.push(
      { parts: [{ text: 'Half of a' }], end: { reason: 'length', usage } },
      { parts: [{ text: 'No headings at all in this text, and none to come.' }], end: { reason: 'stop', usage } },
    );
    const told = test.told.length;
    expect((await compact(test, id)).outcome).toBe('committed');
    const events = test.told.slice(told).map(({ event }) => event);
    const notices = events.flatMap((event) => (event.event === 'chat.notice' ? [event.data] : []));
    expect(notices.map(({ code, level, text }) => [code, level, text])).toEqual([
      ['summariser_attempt', 'info', 'm (first) wrote no summary: its answer broke off.'],
      ['summariser_attempt', 'info', 'm (first) wrote no summary: headings were missing or doubled.'],
    ]);
    const rows = events.flatMap((event) => (event.event === 'chat.compacting' ? [event.data] : []));
    const asked = rows.filter(({ attempt }) => attempt !== undefined);
    expect(asked.map(({ model, attempt }) => [model?.provider, attempt?.n, attempt?.of])).toEqual([
      ['first', 1, 2],
      ['first', 1, 2],
      ['second', 2, 2],
    ]);
    const [entry] = (await test.app.compactions.ledger(id)).compactions;
    expect(entry?.attempts.map(({ usage: one }) => [one?.input, one?.output])).toEqual([
      [700, 3],
      [700, 3],
      [900, 90],
    ]);
    expect(entry?.usage).toMatchObject({ input: 2_300, output: 96 });
    expect(entry).toMatchObject({ outcome: 'committed', model: { provider: 'second' }, trigger: 'manual' });
  });

  it('C10: a chain that is spent ends failed, says so once, and its ledger is the same after a restart', async () => {
    const { test, id, first, second } = await aChain();
    first.push(says(401, 'wrong key'));
    for (let count = 0; count < 3; count += 1) second.push(says(500, 'oops'));
    const end = await compact(test, id);
    expect([end.outcome, end.reason]).toEqual(['failed', 'server']);
    const before = await test.app.compactions.ledger(id);
    expect(before.compactions[0]?.attempts).toHaveLength(4);
    const again = await newApp({ sessionLog: test.sessionLog });
    expect(await again.app.compactions.ledger(id)).toEqual(before);
  });
});

describe('C11: cancelling stops the chain', () => {
  it('while it waits as a provider asked: within a second, and nobody else is asked', async () => {
    const { test, id, first, second, clock, attempts } = await aChain({ holds: 50_000 });
    first.push(says(429, 'slow down', { headers: { 'retry-after': '50' } }));
    await test.app.compactions.request(id, {}, 'owner');
    await clock.held;
    const before = performance.now();
    await test.app.compactions.cancel(id, 'compaction');
    expect((await test.until('chat.compacted')).outcome).toBe('cancelled');
    expect(performance.now() - before).toBeLessThan(1_000);
    expect([first.requests.length, second.requests.length]).toEqual([1, 0]);
    expect(await attempts()).toEqual(['first failed rate_limit']);
  });
});

describe('the automatic choice (S3)', () => {
  async function underAuto() {
    const test = await newApp({ startTimer: createHandClock().startTimer });
    const down = await newProvider(() => says(401, 'wrong key'));
    const up = await newProvider(createAnswerLikeAModel());
    const spare = await newProvider(createAnswerLikeAModel());
    const chain = [connect(test, down, { id: 'down' }), connect(test, up, { id: 'up' })];
    const fallback = connect(test, spare, { id: 'spare' });
    set(test, { context_budget: 26_000, routing: { auto_chain: chain } });
    const agent = test.app.agents.list().agents[0];
    if (!agent) throw new Error('an agent is there from the start');
    test.app.agents.patch(agent.id, { fallbacks: [fallback] });
    test.app.agents.publish(agent.id, {});
    const id = await aTalk(test, { provider: 'auto', model: 'auto' });
    return { test, id, up, spare, chain };
  }
  const chainsOf = async (test: Awaited<ReturnType<typeof newApp>>, id: string) =>
    (await linesOf(test, id, 'compaction.started')).map(({ trigger, chain }) => [trigger, names(chain)]);
  const names = (chain: readonly Model[]) => chain.map(({ provider }) => provider).join(' ');

  it('between turns the configured chain is asked, and not the agent’s fallbacks', async () => {
    const { test, id, spare } = await underAuto();
    await test.say(id, long('one'));
    await test.say(id, long('two'));
    expect((await compact(test, id)).outcome).toBe('committed');
    expect(await chainsOf(test, id)).toEqual([['manual', 'down up']]);
    expect(spare.requests).toEqual([]);
  });

  it('in a turn it is the one that the router chose, and nobody else', async () => {
    const { test, id, up } = await underAuto();
    for (let count = 0; count < 9; count += 1) await test.say(id, long(`message ${count}`));
    const chains = await chainsOf(test, id);
    expect(chains.length).toBeGreaterThan(0);
    expect(new Set(chains.map(([, chain]) => chain))).toEqual(new Set(['down']));
    expect(up.requests.some(({ text }) => text.includes('TASK summary'))).toBe(false);
  });
});

describe('a summariser’s window is its own (S5, R12, B7)', () => {
  it('what it reports bounds its requests from then on, also after a restart, and never the agent', async () => {
    const sqlite = openMemorySqlite(MIGRATIONS);
    const { startTimer } = createHandClock();
    const drivers = { facts: createModelFactStore(sqlite.db), startTimer };
    const test = await newApp(drivers);
    const agent = await newProvider(createAnswerLikeAModel());
    const tight = await newProvider(() =>
      says(400, "This model's maximum context length is 2048 tokens. However, your messages resulted in 3400 tokens."),
    );
    const id = await aTalk(test, connect(test, agent));
    const model = connect(test, tight, { id: 'tight' });
    set(test, { routing: { summarization_models: [model] } });
    await test.say(id, long('one'));
    await test.say(id, long('two'));
    const budget = (await test.app.sessions.get(id)).context.budgetBytes;
    const windowOf = async (app: typeof test.app) =>
      (await app.providers.models({ provider: 'tight', limit: 10 })).models.find(({ model }) => model === 'm')
        ?.windowTokens;
    expect(await windowOf(test.app)).toBe(1_000_000);
    expect((await compact(test, id)).outcome).not.toBe('committed');
    expect(await windowOf(test.app)).toBe(2_048);
    const after = await test.app.sessions.get(id);
    expect(after.context.budgetBytes).toBe(budget);
    expect(after.model).toEqual({ provider: 'fake', model: 'm' });
    const bodies = tight.requests.map(({ text }) => text);
    expect(new Set(bodies).size).toBe(bodies.length);

    const again = await newApp({ ...drivers, sessionLog: test.sessionLog });
    connect(again, agent);
    connect(again, tight, { id: 'tight' });
    expect(await windowOf(again.app)).toBe(2_048);
    sqlite.close();
  });
});

describe('a summariser that fails is passed over for a while (G4)', () => {
  it('by compactions that nobody asked for; who asks gets the whole order', async () => {
    const { test, id, first } = await aChain();
    for (let count = 0; count < 3; count += 1) first.push(says(503, 'overloaded'));
    expect((await compact(test, id)).outcome).toBe('committed');
    for (let count = 0; count < 9; count += 1) await test.say(id, long(`more ${count}`));
    first.push(says(401, 'wrong key'));
    await compact(test, id);
    const started = await linesOf(test, id, 'compaction.started');
    const named = started.map(({ trigger, chain }) => `${trigger}: ${chain.map(({ provider }) => provider).join(' ')}`);
    expect(named[0]).toBe('manual: first second');
    expect(named.slice(1, -1).every((row) => row === 'auto: second')).toBe(true);
    expect(named.length).toBeGreaterThan(2);
    expect(named.at(-1)).toBe('manual: first second');
  });
});
