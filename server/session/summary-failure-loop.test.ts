import { describe, expect, it } from 'vitest';
import type { CompactionEntry } from '@/server/contract/compactions';
import { createAnswerLikeAModel, toFakeSummary } from '@/server/model/testing/answer-like-a-model';
import type { RecordedRequest } from '@/server/model/testing/fake-server';
import type { FakeReply } from '@/server/model/testing/script';
import { ceilingOf, fillUp, isSummary, runLoop, runManual } from './testing/failure-loop';
import { createHandClock } from './testing/hand-clock';
import { aTalk, compact, connect, linesOf, manageApps, manageProviders, set } from './testing/stories';

const newApp = manageApps();
const newProvider = manageProviders();

describe('E2: streamed summary, error, one tool call, and again', () => {
  it('before: two small tool calls make three failed compactions and nine requests with a ceiling of 2,000', async () => {
    const before = await runLoop('before');
    expect(before).toMatchObject({
      requests: 9,
      ceilings: Array.from({ length: 9 }, () => 2_000),
      toasts: 3,
      outcomes: ['rejected', 'rejected', 'rejected'],
      reasons: Array.from({ length: 3 }, () => 'incomplete:length'),
      turn: 'finished',
    });
    expect(before.historyTokens).toBeGreaterThan(155_000);
    expect(before.historyTokens).toBeLessThan(175_000);
  });

  it('R11: after: one request, no ceiling, no toast, for the automatic and for the manual path', async () => {
    const once = { requests: 1, ceilings: [null], toasts: 0, outcomes: ['committed'], turn: 'finished' };
    expect(await runLoop('after')).toMatchObject(once);
    expect(await runManual()).toMatchObject(once);
  });
});

const says = (text: string): FakeReply => ({
  parts: [{ text }],
  end: { reason: 'stop', usage: { input: 900, output: 90 } },
});
const cut = (): FakeReply => ({
  parts: [{ text: toFakeSummary() }],
  end: { reason: 'length', usage: { input: 900, output: 90 } },
});
const callFile = (n: number): FakeReply => ({
  parts: [{ call: { id: `call_${n}`, name: 'read_file', args: { path: 'docs/letters.md' } } }],
  end: { reason: 'tool_calls', usage: { input: 900, output: 9 } },
});

/** A talk that one more message, `over`, takes past its trigger. Summaries are answered by `summary`, the rest by `calls`, then by words. */
async function nearlyFull(summary: (request: RecordedRequest) => FakeReply, calls: readonly FakeReply[] = []) {
  const answer = createAnswerLikeAModel();
  const left: FakeReply[] = [];
  const provider = await newProvider((request) =>
    isSummary(request) ? summary(request) : (left.shift() ?? answer(request)),
  );
  const test = await newApp({ startTimer: createHandClock().startTimer });
  set(test, { context_budget: 26_000 });
  const id = await aTalk(test, connect(test, provider));
  const over = await fillUp(test, id, 2_500);
  left.push(...calls);
  return { test, id, over, asked: () => provider.requests.filter(isSummary) };
}

const filesRead = (count: number) => Array.from({ length: count }, (_, n) => callFile(n));
const outcomesOf = (entries: readonly CompactionEntry[]) => entries.map(({ outcome }) => outcome);

describe('E2: a summariser that always fails is not called again and again', () => {
  it('C10: tries are spent at turn entry, none is made for the tool calls; the next message gets its own', async () => {
    const { test, id, over, asked } = await nearlyFull(cut, filesRead(2));
    expect((await test.say(id, over)).state).toBe('finished');
    expect(asked()).toHaveLength(2);
    expect((await test.app.compactions.ledger(id)).compactions.at(-1)?.deferral?.calls).toBe(2);
    expect((await test.say(id, 'a fresh turn')).state).toBe('finished');
    expect(asked()).toHaveLength(4);
    const { compactions, guards } = await test.app.compactions.ledger(id);
    expect(outcomesOf(compactions)).toEqual(['rejected', 'deferred', 'rejected']);
    expect(compactions.map(({ attempts }) => attempts.length)).toEqual([2, 0, 2]);
    expect(guards).toMatchObject({ failuresInARow: 2, state: 'ready' });
    expect(asked().map(ceilingOf)).toEqual([null, null, null, null]);
  });

  it('C10: tries are spent in mid-turn, where tool results pass the trigger', async () => {
    const { test, id, asked } = await nearlyFull(cut, filesRead(6));
    expect((await test.say(id, 'read the letters, six times')).state).toBe('finished');
    const started = await linesOf(test, id, 'compaction.started');
    expect(started).toHaveLength(1);
    expect((await linesOf(test, id, 'turn.started')).at(-1)?.seq).toBeLessThan(started[0]?.seq ?? 0);
    expect((await linesOf(test, id, 'tool.result')).some(({ seq }) => seq < (started[0]?.seq ?? 0))).toBe(true);
    expect(asked()).toHaveLength(2);
  });

  it('C8: an oversized summary is refused for its size, twice, and defers like any failure', async () => {
    const huge = toFakeSummary(`note ${'n'.repeat(9_000)}`);
    const { test, id, over, asked } = await nearlyFull(() => says(huge), filesRead(1));
    expect((await test.say(id, over)).state).toBe('finished');
    const [entry] = (await test.app.compactions.ledger(id)).compactions;
    expect(entry).toMatchObject({ outcome: 'rejected', reason: 'too_long' });
    expect(asked()).toHaveLength(2);
    expect(await linesOf(test, id, 'checkpoint.committed')).toEqual([]);
  });

  it('C10: who asks by hand is answered though the automatic ones wait', async () => {
    let fails = true;
    const { test, id, over, asked } = await nearlyFull(() => (fails ? cut() : says(toFakeSummary())));
    await test.say(id, over);
    expect(asked()).toHaveLength(2);
    fails = false;
    expect((await compact(test, id)).outcome).toBe('committed');
    expect(asked()).toHaveLength(3);
    expect((await test.app.compactions.ledger(id)).guards.failuresInARow).toBe(0);
  });

  it('C10: a real overflow is still recovered from while the automatic ones wait, once a turn', async () => {
    const refused: FakeReply = {
      status: 400,
      body: {
        error: { message: 'This model has a maximum context length of 9000 tokens.', code: 'context_length_exceeded' },
      },
    };
    const { test, id, over, asked } = await nearlyFull(cut, [callFile(1), refused]);
    expect((await test.say(id, over)).state).toBe('finished');
    const started = await linesOf(test, id, 'compaction.started');
    expect(started.map(({ trigger }) => trigger)).toEqual(['auto', 'overflow']);
    expect(asked()).toHaveLength(4);
    expect((await test.app.compactions.ledger(id)).guards.overflowUsed).toBe(true);
  });

  it('C10: successful ones may follow each other in one turn, where new content really fills the budget', async () => {
    const { test, id, asked } = await nearlyFull(() => says(toFakeSummary()), filesRead(24));
    expect((await test.say(id, 'read it again and again')).state).toBe('finished');
    const committed = await linesOf(test, id, 'checkpoint.committed');
    expect(committed.length).toBeGreaterThan(1);
    expect(asked()).toHaveLength(committed.length);
    const turns = (await linesOf(test, id, 'compaction.started')).map(({ turnId }) => turnId);
    expect([new Set(turns).size, turns.includes(null)]).toEqual([1, false]);
    expect((await linesOf(test, id, 'note')).map(({ kind }) => kind)).not.toContain('refill_stop');
  });
});
