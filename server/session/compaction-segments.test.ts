import { describe, expect, it } from 'vitest';
import { toFakeSummary } from '@/server/model/testing/answer-like-a-model';
import { createGate } from '@/server/model/testing/script';
import {
  type Answers,
  aLongTalk,
  aMessage,
  answerTasks,
  askedOf,
  countTasks,
  reply,
  taskOf,
  tooLong,
} from './testing/segment-stories';
import { compact, connect, linesOf, manageApps, manageProviders, set, transcript } from './testing/stories';

const newApp = manageApps();
const newProvider = manageProviders();

async function aStory(answers: Answers = {}, { turns = 12, window = 8_000 } = {}) {
  const talker = await newProvider(answerTasks({}));
  const summariser = await newProvider(answerTasks(answers));
  const test = await newApp();
  const id = await aLongTalk({ test, talker, summariser, window }, turns);
  return { test, id, talker, summariser };
}

const verdict = 'FAIL\n- the fee of berth 3 is wrong (item 5)';

describe('a conversation larger than the window of its summariser', () => {
  it('R1, X6: is summarised in segments, seen as they come, and the card says how', async () => {
    const { test, id, summariser } = await aStory();
    const end = await compact(test, id);
    expect([end.outcome, end.reason ?? null]).toEqual(['committed', null]);
    const { map = 0, reduce, audit } = countTasks(summariser);
    expect([map > 4, reduce, audit]).toEqual([true, 1, 1]);
    const [entry] = (await test.app.compactions.ledger(id)).compactions;
    expect(entry?.method).toBe('map_reduce');
    expect(entry?.segments.map(({ n, state }) => [n, state])).toEqual(
      Array.from({ length: map }, (_, at) => [at + 1, 'done']),
    );
    expect(entry?.attempts.map(({ stage }) => stage)).toEqual([
      ...Array.from({ length: map }, () => 'map'),
      'reduce',
      'audit',
    ]);
    const told = test.told.flatMap(({ event }) => (event.event === 'chat.compacting' ? [event.data] : []));
    const during = told.find(({ segments }) => segments !== undefined && segments.done > 0 && segments.running > 0);
    expect(during).toMatchObject({ stage: 'map', model: { provider: 'small', model: 'm' } });
    expect(during?.reading?.length).toBe(during?.segments?.running);
    expect((await transcript(test, id)).filter(({ role }) => role === 'summary')).toHaveLength(1);
  });

  it('R2, R11: each request holds whole items and carries the reserve as its ceiling, the summary none', async () => {
    const { test, id, summariser } = await aStory();
    await compact(test, id);
    for (const request of summariser.requests) {
      const asked = askedOf(request);
      expect(asked.match(/<item n=/g)?.length ?? 0).toBe(asked.match(/<\/item>/g)?.length ?? 0);
      expect(request.text.includes('"max_tokens":800')).toBe(taskOf(request) !== 'reduce');
    }
  });

  it('C5: a second compaction reads the first summary and what came since, not what it covers', async () => {
    const { test, id, summariser } = await aStory();
    expect((await compact(test, id)).outcome).toBe('committed');
    for (let turn = 13; turn <= 24; turn += 1) await test.say(id, aMessage(turn));
    const before = summariser.requests.length;
    expect((await compact(test, id)).outcome).toBe('committed');
    const maps = summariser.requests
      .slice(before)
      .map(askedOf)
      .filter((text) => text.startsWith('TASK map'));
    expect(maps[0]).toContain('<previous_summary>\n## Objective');
    expect(maps.join('\n')).not.toContain('<item n="1"');
    expect(maps.join('\n')).toContain('Berth 24:');
    expect(await linesOf(test, id, 'checkpoint.committed')).toHaveLength(2);
  });

  it('R6: maps that come back in any order are reduced in theirs', async () => {
    const gates = Array.from({ length: 4 }, () => createGate());
    const note = (text: string) => `- "first is ${/<item n="(\d+)"/.exec(text)?.[1]}" (item 1)`;
    const { test, id, summariser } = await aStory({
      map: (request, nth) => {
        const gate = gates[nth - 1];
        const parts = [{ text: note(askedOf(request)) }];
        return { parts: gate === undefined ? parts : [{ gate }, ...parts], end: { reason: 'stop' } };
      },
    });
    const ending = compact(test, id);
    await Promise.all(gates.map(({ reached }) => reached));
    // The fourth first, the first last; each before the next is let through.
    for (const gate of gates.reverse()) {
      const seen = test.told.length;
      gate.open();
      await test.untilNew(seen, 'chat.compacting');
    }
    expect((await ending).outcome).toBe('committed');
    const reduced = askedOf(summariser.requests.find((request) => taskOf(request) === 'reduce'));
    const order = [...reduced.matchAll(/first is (\d+)/g)].map(([, number]) => Number(number));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    const staged = (await linesOf(test, id, 'staging.map')).map(({ text }) => text);
    expect(staged[0]).not.toContain('first is 1"');
  });
});

describe('trouble on the way', () => {
  it('R6, case-A11: a provider failure lets those under way finish, then one at a time; nothing is paid twice', async () => {
    const { test, id, summariser } = await aStory({
      map: (_request, nth) => (nth === 2 ? { status: 500, body: { error: { message: 'down' } } } : null),
    });
    set(test, { requests: { tries: 2 } });
    expect((await compact(test, id)).outcome).toBe('committed');
    expect(await linesOf(test, id, 'staging.mode')).toMatchObject([{ mode: 'sequential', reason: 'server' }]);
    const maps = await linesOf(test, id, 'staging.map');
    expect(new Set(maps.map(({ fingerprint }) => fingerprint)).size).toBe(maps.length);
    expect(countTasks(summariser).map).toBe(maps.length + 1);
  });

  it('R3, case-A15: an item that no request takes is named, and nothing is sent or cut', async () => {
    const { test, id, summariser } = await aStory({}, { turns: 3 });
    await test.say(id, `REQ-START ${'The export must keep column order. '.repeat(600)}`);
    const end = await compact(test, id);
    expect([end.outcome, end.reason]).toEqual(['failed', 'item_too_large:7']);
    expect(summariser.requests).toHaveLength(0);
    expect((await test.say(id, 'and the conversation goes on')).state).toBe('finished');
  });

  it('B7, R7: a smaller window that the provider reports is remembered; accepted maps stay', async () => {
    const { test, id } = await aStory({ map: (_request, nth) => (nth === 1 ? tooLong(5_000) : null) });
    expect((await compact(test, id)).outcome).toBe('committed');
    const plans = await linesOf(test, id, 'staging.planned');
    expect(plans.map(({ round, windowTokens }) => [round, windowTokens])).toEqual([
      [0, 8_000],
      [1, 5_000],
    ]);
    const maps = await linesOf(test, id, 'staging.map');
    expect(new Set(maps.map(({ fingerprint }) => fingerprint)).size).toBe(maps.length);
  });

  it('case-A14: a provider that always overflows gets no request twice, and the run ends by itself', async () => {
    const { test, id, summariser } = await aStory({ map: () => tooLong() });
    expect((await compact(test, id)).outcome).toBe('failed');
    const bodies = summariser.requests.map(({ text }) => text);
    expect(new Set(bodies).size).toBe(bodies.length);
    expect(bodies.length).toBeLessThanOrEqual(16);
  });

  it('R8: a reread is answered with the items asked for, and goes into the line of that reduction', async () => {
    const { test, id, summariser } = await aStory({
      reduce: (_request, nth) => (nth === 1 ? reply('REREAD: 3-4') : null),
    });
    expect((await compact(test, id)).outcome).toBe('committed');
    const again = askedOf(summariser.requests.findLast((request) => taskOf(request) === 'reduce'));
    expect(again).toContain('<reread from="3" through="4">\n<item n="3" role="user">\nBerth 2:');
    expect((await linesOf(test, id, 'staging.reduce'))[0]?.rereads).toEqual([{ from: 3, through: 4 }]);
  });

  it('R8: one behind an older checkpoint too', async () => {
    const { test, id, summariser } = await aStory({
      reduce: (_request, nth) => (nth === 2 ? reply('REREAD: 1-1') : null),
    });
    await compact(test, id);
    for (let turn = 13; turn <= 24; turn += 1) await test.say(id, aMessage(turn));
    expect((await compact(test, id)).outcome).toBe('committed');
    const again = askedOf(summariser.requests.findLast((request) => taskOf(request) === 'reduce'));
    expect(again).toContain('<reread from="1" through="1">\n<item n="1" role="user">\nBerth 1:');
  });

  it.each([
    ['REREAD: 3 to 4', 'reread_malformed'],
    ['REREAD: 3-400', 'reread_unavailable'],
    ['REREAD: 1-24', 'reread_oversized'],
  ])('R8: %s ends the run as %s, with source and maps intact', async (wish, reason) => {
    const { test, id } = await aStory({ reduce: () => reply(wish) });
    const before = await test.app.sessions.context(id, true);
    const end = await compact(test, id);
    expect([end.outcome, end.reason]).toEqual(['failed', reason]);
    expect(await test.app.sessions.context(id, true)).toEqual(before);
    expect((await linesOf(test, id, 'staging.map')).length).toBeGreaterThan(4);
  });

  it('R9: what an audit finds is corrected and audited again; corrections that never end fail the run', async () => {
    const corrected = toFakeSummary('The fee of berth 3 is 40 EUR.');
    const once = await aStory({
      audit: (_request, nth) => (nth === 1 ? reply(verdict) : null),
      correction: () => reply(corrected),
    });
    expect((await compact(once.test, once.id)).outcome).toBe('committed');
    expect((await linesOf(once.test, once.id, 'checkpoint.committed'))[0]?.text).toBe(corrected);
    const correction = askedOf(once.summariser.requests.find((request) => taskOf(request) === 'correction'));
    expect(correction).toContain('<findings>\n- the fee of berth 3 is wrong (item 5)\n</findings>');

    const never = await aStory({ audit: () => reply(verdict) });
    const end = await compact(never.test, never.id);
    expect([end.outcome, end.reason]).toEqual(['failed', 'audit_failed']);
    expect(countTasks(never.summariser)).toMatchObject({ audit: 3, correction: 2 });
    // Asked for again it does not call a failing summariser; another choice of models goes on from the maps.
    const asked = never.summariser.requests.length;
    expect((await compact(never.test, never.id)).reason).toBe('audit_failed');
    expect(never.summariser.requests).toHaveLength(asked);
    const better = await newProvider(answerTasks({}));
    const model = connect(never.test, better, { id: 'better', window: 8_000 });
    set(never.test, { routing: { summarization_models: [model] } });
    expect((await compact(never.test, never.id)).outcome).toBe('committed');
    expect(countTasks(better)).toEqual({ reduce: 1, audit: 1 });
  });

  it('S4, R10: the next model of the chain goes on with the maps of the first, and is named', async () => {
    const { test, id, summariser } = await aStory({
      reduce: () => ({ status: 401, body: { error: { message: 'no key' } } }),
    });
    const second = await newProvider(answerTasks({}));
    const chain = [{ provider: 'small', model: 'm' }, connect(test, second, { id: 'second', window: 8_000 })];
    set(test, { routing: { summarization_models: chain } });
    expect((await compact(test, id)).outcome).toBe('committed');
    expect(countTasks(second)).toEqual({ reduce: 1, audit: 1 });
    expect(countTasks(summariser).reduce).toBe(1);
    const [committed] = await linesOf(test, id, 'checkpoint.committed');
    expect(committed?.model).toEqual({ provider: 'second', model: 'm' });
    const said = test.told.flatMap(({ event }) =>
      event.event === 'chat.compacting' ? [event.data.model?.provider] : [],
    );
    expect(said).toContain('second');
  });
});
