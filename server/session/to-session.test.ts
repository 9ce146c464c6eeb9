import { describe, expect, it } from 'vitest';
import { createAnswerLikeAModel } from '@/server/model/testing/answer-like-a-model';
import { createGate } from '@/server/model/testing/script';
import { aTalk, connect, linesOf, manageApps, manageProviders, set } from './testing/stories';

const newApp = manageApps();
const newProvider = manageProviders();
const overloaded = () => ({ status: 503, body: { error: { message: 'overloaded' } } });

describe('a conversation as a tab that opens now sees it (ux 17)', () => {
  it('P7: a compaction that runs is shown with its job and the model it has advanced to', async () => {
    const test = await newApp();
    const talker = await newProvider(() => ({ parts: [{ text: 'Yes. '.repeat(200) }], end: { reason: 'stop' } }));
    const gate = createGate();
    const slow = await newProvider(createAnswerLikeAModel());
    slow.push({ parts: [{ text: '##' }, { gate }], end: { reason: 'stop' } });
    const id = await aTalk(test, connect(test, talker));
    const chain = [connect(test, await newProvider(overloaded), { id: 'down' }), connect(test, slow, { id: 'slow' })];
    set(test, { requests: { tries: 1 }, routing: { summarization_models: chain } });
    for (const text of ['one', 'two', 'three']) await test.say(id, `${text} ${'berth fees '.repeat(100)}`);
    expect((await test.app.sessions.get(id)).activity).toBeNull();
    const { jobId } = await test.app.compactions.request(id, {}, 'owner');
    await gate.reached;
    expect((await test.app.sessions.get(id)).activity).toMatchObject({
      kind: 'compaction',
      jobId,
      model: { provider: 'slow' },
      trigger: 'manual',
    });
    gate.open();
    await test.until('chat.compacted');
  });

  it('C10: an automatic attempt of this turn failed: the meter says that the next waits', async () => {
    const test = await newApp();
    const talker = await newProvider(() => ({ parts: [{ text: 'Yes.' }], end: { reason: 'stop' } }));
    const down = connect(test, await newProvider(overloaded), { id: 'down' });
    set(test, { context_budget: 26_000, requests: { tries: 1 }, routing: { summarization_models: [down] } });
    const id = await aTalk(test, connect(test, talker));
    expect((await test.app.sessions.get(id)).context.deferred).toBe(false);
    for (let count = 0; (await linesOf(test, id, 'compaction.ended')).length === 0 && count < 20; count += 1) {
      await test.say(id, `message ${count}: ${'berth fees. '.repeat(300)}`);
    }
    expect((await linesOf(test, id, 'compaction.ended')).map(({ outcome }) => outcome)).toEqual(['failed']);
    expect((await test.app.sessions.get(id)).context.deferred).toBe(true);
  });
});
