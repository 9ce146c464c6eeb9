import { describe, expect, it } from 'vitest';
import { createAnswerLikeAModel } from '@/server/model/testing/answer-like-a-model';
import { SEED_IDS } from './seeds';
import type { TestApp } from './testing/an-app';
import { aTalk, compact, connect, linesOf, manageApps, manageProviders, textOf, transcript } from './testing/stories';

const newApp = manageApps();
const newProvider = manageProviders();

async function aTalkAlreadyBegun() {
  const provider = await newProvider(createAnswerLikeAModel());
  const test = await newApp();
  const id = await aTalk(test, connect(test, provider));
  for (const text of ['one', 'two']) await test.say(id, `${text}: ${'berths, fees, invoices. '.repeat(40)}`);
  return { test, id, provider };
}

/** A new published version of a skill that the first agent names. */
function publishNotes({ app }: TestApp, instructions: string) {
  app.skills.patch(SEED_IDS.notes, { instructions });
  return app.skills.publish(SEED_IDS.notes, { note: 'Changed.' });
}

describe('a skill moves on while a conversation is open', () => {
  it('P1, P3, P4: the open conversation is told within the same tick, and its prompt names the change', async () => {
    const { test, id } = await aTalkAlreadyBegun();
    expect(await test.app.sessions.prompt(id, 'owner')).toMatchObject({ current: true, skills: [] });
    const before = test.told.length;
    publishNotes(test, 'Write in full sentences.');
    const told = test.told.slice(before).map(({ event }) => event);
    expect(told).toContainEqual({ event: 'prompt.behind', data: { sessionId: id, current: false } });
    const prompt = await test.app.sessions.prompt(id, 'owner');
    expect([prompt.current, prompt.instructionsChanged]).toEqual([false, false]);
    expect(prompt.skills).toEqual([{ id: SEED_IDS.notes, name: 'House notes', change: 'newer', from: 1, to: 2 }]);
    expect(test.app.sessions.list({ limit: 10 }).sessions.map((row) => [row.id, row.behind])).toEqual([[id, true]]);
  });

  it('P1: a draft alone changes nothing, and a new conversation has the new version at once', async () => {
    const { test, id } = await aTalkAlreadyBegun();
    test.app.skills.patch(SEED_IDS.notes, { instructions: 'Only a draft.' });
    expect((await test.app.sessions.prompt(id, 'owner')).current).toBe(true);
    test.app.skills.publish(SEED_IDS.notes, {});
    const fresh = await aTalk(test);
    expect(await test.app.sessions.prompt(fresh, 'owner')).toMatchObject({ current: true, composedAt: null });
    await test.say(fresh, 'help');
    const [kept] = await linesOf(test, fresh, 'prompt.kept');
    expect(kept?.text).toContain('Only a draft.');
  });

  it('P1, P5: the running prefix stays as it was until a compaction, which is written against the new prompt', async () => {
    const { test, id, provider } = await aTalkAlreadyBegun();
    publishNotes(test, 'Write in full sentences, version two.');
    await test.say(id, 'still the old prompt');
    expect(provider.requests.at(-1)?.text).not.toContain('version two');
    const before = test.told.length;
    expect((await compact(test, id)).outcome).toBe('committed');
    expect(provider.requests.at(-1)?.text).toContain('version two');
    const summary = (await transcript(test, id)).find((message) => message.role === 'summary');
    expect(summary?.role === 'summary' && summary.metadata.promptRecomposed).toBe(true);
    expect((await test.app.sessions.prompt(id, 'owner')).current).toBe(true);
    const rows = test.told
      .slice(before)
      .flatMap(({ event }) => (event.event === 'session.updated' ? [event.data] : []));
    expect(rows.at(-1)?.behind).toBe(false);
    await test.say(id, 'and now');
    expect(provider.requests.at(-1)?.text).toContain('version two');
  });

  it('P4: a skill added or removed and instructions changed are named; a dismissed set stays dismissed until it changes', async () => {
    const { test, id } = await aTalkAlreadyBegun();
    const { app } = test;
    app.agents.patch(SEED_IDS.guide, {
      skills: [{ id: SEED_IDS.notes, version: 'latest' }],
      instructions: 'Be brief.',
    });
    app.agents.publish(SEED_IDS.guide, {});
    const prompt = await app.sessions.prompt(id, 'owner');
    expect(prompt.skills.map(({ name, change }) => [name, change])).toEqual([['Careful reading', 'removed']]);
    expect([prompt.instructionsChanged, prompt.dismissed]).toEqual([true, false]);
    await app.sessions.dismiss(id, prompt.hash ?? '', 'owner');
    expect((await app.sessions.prompt(id, 'owner')).dismissed).toBe(true);
    publishNotes(test, 'Changed once more.');
    expect((await app.sessions.prompt(id, 'owner')).dismissed).toBe(false);
  });

  it('contract 15: a deleted agent leaves the kept copy, and the conversation goes on', async () => {
    const { test, id } = await aTalkAlreadyBegun();
    const other = test.app.agents.create({ name: 'Another' });
    test.app.agents.publish(other.id, {});
    await test.app.sessions.create({ agentId: other.id }, 'owner');
    await expect(async () => test.app.agents.remove(SEED_IDS.guide)).rejects.toMatchObject({ code: 'conflict' });
    const talk = await test.app.sessions.create(
      { agentId: other.id, model: { provider: 'fake', model: 'm' } },
      'owner',
    );
    await test.say(talk.id, 'begin');
    test.app.agents.remove(other.id);
    expect((await test.say(talk.id, 'go on')).state).toBe('finished');
    expect((await test.app.sessions.prompt(id, 'owner')).agent.deleted).toBe(false);
  });
});

describe('carry-overs (K1)', () => {
  it('those that fit go along word for word, those beyond the bound are named on the boundary', async () => {
    const { test, id } = await aTalkAlreadyBegun();
    const { app } = test;
    const { boundBytes } = await app.small.carryOvers(id);
    const large = 'x'.repeat(Math.floor(boundBytes * 0.7));
    const old = await app.small.carry(id, { text: `old ${large}` }, 'owner');
    await app.small.carry(id, { text: 'never touch the year tables' }, 'owner');
    await app.small.carry(id, { text: `new ${large.slice(0, boundBytes / 2)}` }, 'owner');
    await expect(app.small.carry(id, { text: 'y'.repeat(boundBytes + 1) }, 'owner')).rejects.toMatchObject({
      message: expect.stringContaining(String(boundBytes)),
    });
    const ended = await compact(test, id);
    expect(ended.dropped?.map((each) => each.id)).toEqual([old.id]);
    const boundary = (await transcript(test, id)).find((message) => message.role === 'summary');
    const carried = boundary?.role === 'summary' ? boundary.metadata.carryOver : null;
    expect(carried?.kept.map(({ text }) => text.slice(0, 12))).toEqual([`new ${'x'.repeat(8)}`, 'never touch ']);
    expect(carried?.dropped).toMatchObject([{ id: old.id, reason: 'bound' }]);
    const view = await app.sessions.context(id, true);
    expect(JSON.stringify(view.entries)).toContain('never touch the year tables');
    expect((await app.small.carryOvers(id)).carryOvers.find((each) => each.id === old.id)?.droppedBy).toHaveLength(1);
  });
});

describe('the one-shot request of the agent’s own model (C7)', () => {
  it('begins with the very bytes of the conversation, so that its cache is shared', async () => {
    const { test, id, provider } = await aTalkAlreadyBegun();
    const talk = provider.requests.at(-1)?.json;
    await compact(test, id, { focus: 'the fees' });
    const summary = provider.requests.at(-1)?.json;
    const read = (request: unknown) => {
      const { messages, ...rest } = request as { messages: readonly unknown[] };
      return { messages: messages.map((message) => JSON.stringify(message)), rest: JSON.stringify(rest) };
    };
    const [before, after] = [read(talk), read(summary)];
    expect(after.messages.slice(0, before.messages.length)).toEqual(before.messages);
    expect(after.rest).toBe(before.rest);
    expect(after.messages.at(-1)).toContain('TASK summary 1');
    expect(after.messages.at(-1)).toContain('the fees');
    expect(textOf((await transcript(test, id)).at(-1))).toContain('Objective');
  });
});
