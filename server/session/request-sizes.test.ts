import { describe, expect, it } from 'vitest';
import { createAnswerLikeAModel } from '@/server/model/testing/answer-like-a-model';
import type { FakeReply, FakeUsage } from '@/server/model/testing/script';
import { fillUp, isSummary } from './testing/failure-loop';
import { createHandClock } from './testing/hand-clock';
import { aTalk, compact, connect, linesOf, set, transcript } from './testing/stories';
import { good, long, manageTalks } from './testing/summarised-talks';

/* How large is a request, and does it fit: by our own measure first, by what providers say where they say it. */

const { newApp, newProvider } = manageTalks();

describe('the summariser’s window bounds its requests (R0, R12)', () => {
  it('at two bytes a token it takes segments; once its usage was measured, the same takes one request', async () => {
    const test = await newApp({ startTimer: createHandClock().startTimer });
    const answer = createAnswerLikeAModel();
    const provider = await newProvider(answer);
    const summariser = await newProvider((request) => {
      const usage = { input: Math.ceil(request.bytes / 4.5), output: 90 };
      const reply = answer(request);
      return 'parts' in reply ? { ...reply, end: { reason: 'stop', usage } } : reply;
    });
    const model = connect(test, summariser, { id: 'small', window: 9_000 });
    const id = await aTalk(test, connect(test, provider));
    set(test, { routing: { summarization_models: [model] } });
    for (let count = 0; count < 8; count += 1) await test.say(id, long(`message ${count}`));
    const stagesOf = async () => [
      ...new Set((await linesOf(test, id, 'compaction.attempt')).map(({ stage }) => stage)),
    ];
    const newest = (await transcript(test, id)).at(-1);
    const other = await test.app.travel.fork(id, newest?.id ?? null);
    expect((await compact(test, id)).outcome).toBe('committed');
    expect(await stagesOf()).toContain('map');
    expect((await compact(test, other.id)).outcome).toBe('committed');
    const [entry] = (await test.app.compactions.ledger(other.id)).compactions;
    expect(entry?.attempts.map(({ stage }) => stage)).toEqual(['one_shot']);
    expect(entry?.method).toBe('one_shot');
  });
});

describe('case-D06: a provider that reports no usage, or a wrong one', () => {
  it.each<readonly [string, FakeUsage | null]>([
    ['none', null],
    ['nought', { input: 0, output: 12 }],
    ['far too little', { input: 7, output: 12 }],
    ['cached input apart', { input: 200, output: 12, cachedRead: 180_000 }],
  ])('%s: our own measure meets the trigger before the window is full', async (_name, usage) => {
    const answer = createAnswerLikeAModel();
    const provider = await newProvider((request): FakeReply => {
      const reply = isSummary(request) ? good(request) : answer(request);
      return 'parts' in reply ? { ...reply, end: { reason: 'stop', usage } } : reply;
    });
    const test = await newApp({ startTimer: createHandClock().startTimer });
    const id = await aTalk(test, connect(test, provider, { window: 13_000 }));
    const over = await fillUp(test, id, 2_500);
    expect(await linesOf(test, id, 'compaction.started')).toEqual([]);
    expect((await test.say(id, over)).state).toBe('finished');
    expect((await linesOf(test, id, 'compaction.ended')).map(({ outcome }) => outcome)).toEqual(['committed']);
    for (const { bytes } of provider.requests) expect(bytes).toBeLessThan(26_000);
  });
});
