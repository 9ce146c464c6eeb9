import { describe, expect, it } from 'vitest';
import { createAnswerLikeAModel } from '@/server/model/testing/answer-like-a-model';
import { aTalk, compact, manageApps, manageProviders } from './testing/stories';

const newApp = manageApps();
const newProvider = manageProviders();

describe('what a conversation costs', () => {
  it('X3: with prices known, a compaction and the conversation say what they cost; without, nothing is guessed', async () => {
    const test = await newApp();
    const server = await newProvider(createAnswerLikeAModel());
    const price = { input: 2, output: 10 };
    test.app.registry.create({
      id: 'priced',
      kind: 'openai-compatible',
      baseUrl: server.baseUrl,
      models: [{ id: 'm', window: 1_000_000, price }],
    });
    const id = await aTalk(test, { provider: 'priced', model: 'm' });
    const words = 'The berths on the west quay are let by the season, and guests pay at the desk by the night. '.repeat(
      20,
    );
    await test.say(id, words);
    await test.say(id, `${words} And then?`);
    expect((await compact(test, id)).outcome).toBe('committed');
    const [entry] = (await test.app.compactions.ledger(id)).compactions;
    const usage = entry?.attempts[0]?.usage;
    const expected = ((usage?.input ?? 0) * price.input + (usage?.output ?? 0) * price.output) / 1_000_000;
    expect(entry?.cost).toBeCloseTo(expected, 9);
    expect(expected).toBeGreaterThan(0);
    expect((await test.app.sessions.get(id)).cost ?? 0).toBeGreaterThan(expected);

    const free = await aTalk(test, { provider: 'practice', model: 'rules-1' });
    await test.say(free, 'help');
    expect((await test.app.sessions.get(free)).cost).toBeNull();
  });
});
