import { describe, expect, it } from 'vitest';
import { summarizerTestSchema } from '@/server/contract/settings';
import { createAnswerLikeAModel, toFakeSummary } from '@/server/model/testing/answer-like-a-model';
import { createGate } from '@/server/model/testing/script';
import { PRACTICE_MODEL } from './model-registry';
import { connect, manageApps, manageProviders, set } from './testing/stories';

const newApp = manageApps();
const newProvider = manageProviders();
const usage = { input: 1_500, output: 200 };

describe('Test order tries each summariser on the built-in sample (S1)', () => {
  it('each row says what became of it, in order, by the checks of a real compaction (C8)', async () => {
    const test = await newApp();
    const good = await newProvider(() => ({ parts: [{ text: toFakeSummary() }], end: { reason: 'stop', usage } }));
    const wrong = await newProvider(() => ({ status: 401, body: { error: { message: 'Incorrect API key' } } }));
    const cut = await newProvider(() => ({ parts: [{ text: toFakeSummary() }], end: { reason: 'length', usage } }));
    const chat = await newProvider(() => ({
      parts: [{ text: 'I would rather not, sorry about that.' }],
      end: { reason: 'stop' },
    }));
    const price = { input: 2, output: 10 };
    const models = [
      connect(test, good, { id: 'good' }),
      connect(test, wrong, { id: 'wrong' }),
      connect(test, cut, { id: 'cut' }),
      connect(test, chat, { id: 'chat' }),
      connect(test, good, { id: 'small', window: 900 }),
      { provider: 'gone', model: 'm' },
    ];
    test.app.registry.patch('good', { models: [{ id: 'm', window: 1_000_000, price }] });
    set(test, { routing: { summarization_models: models } });
    const answer = await test.app.summariserTest.test({}, new AbortController().signal);
    expect(summarizerTestSchema.parse(answer)).toEqual(answer);
    const { rows, sample } = answer;
    expect(rows.map(({ provider, outcome, reason }) => [provider, outcome, reason])).toEqual([
      ['good', 'accepted', null],
      ['wrong', 'failed', 'auth'],
      ['cut', 'rejected', 'incomplete:length'],
      ['chat', 'rejected', expect.stringMatching(/^empty$|^sections:/)],
      ['small', 'failed', 'too_large_for_one_request'],
      ['gone', 'failed', 'unknown_model'],
    ]);
    expect(sample.lines).toBe(20);
    expect(rows[0]).toMatchObject({ usage: { input: 1_500, output: 200 }, cost: 0.005, message: null });
    expect(rows.slice(1).every(({ message }) => message !== null)).toBe(true);
    expect(rows[1]?.detail?.status).toBe(401);
    expect(good.requests).toHaveLength(1);
    expect(wrong.requests).toHaveLength(1);
    expect(good.requests[0]?.text).toContain('TASK summary 1');
    expect(good.requests[0]?.json).not.toHaveProperty('max_tokens');
  });

  it('an empty order tries nothing; a row of its own is tried though it is not stored', async () => {
    const test = await newApp();
    const provider = await newProvider(createAnswerLikeAModel());
    const model = connect(test, provider);
    const { signal } = new AbortController();
    expect((await test.app.summariserTest.test({}, signal)).rows).toEqual([]);
    expect(provider.requests).toEqual([]);
    const { rows } = await test.app.summariserTest.test({ models: [model] }, signal);
    expect(rows.map(({ outcome }) => outcome)).toEqual(['accepted']);
    expect(test.app.settings.read().settings.routing.summarization_models).toEqual([]);
  });

  it('N2: the practice model folds the sample, and is named as no AI model', async () => {
    const test = await newApp();
    const { rows } = await test.app.summariserTest.test({ models: [PRACTICE_MODEL] }, new AbortController().signal);
    expect(rows).toMatchObject([{ outcome: 'accepted', simulated: true, cost: null }]);
  });

  it('no row is retried, and who goes away stops the rest', async () => {
    const test = await newApp();
    const gate = createGate();
    const slow = await newProvider(() => ({ parts: [{ text: 'Half' }, { gate }], end: { reason: 'stop' } }));
    const down = await newProvider(() => ({ status: 503, body: { error: { message: 'overloaded' } } }));
    const models = [
      connect(test, down, { id: 'down' }),
      connect(test, slow, { id: 'slow' }),
      connect(test, down, { id: 'last' }),
    ];
    const leaving = new AbortController();
    const testing = test.app.summariserTest.test({ models }, leaving.signal);
    await gate.reached;
    leaving.abort();
    expect((await testing).rows.map(({ outcome }) => outcome)).toEqual(['failed', 'cancelled', 'cancelled']);
    expect(down.requests).toHaveLength(1);
  });
});
