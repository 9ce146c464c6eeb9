import { describe, expect, it } from 'vitest';
import { openMemorySearch } from '@/db/sqlite/search-index';
import { anApp, type TestApp } from './testing/an-app';
import { aTalk, compact, manageApps, textOf, transcript } from './testing/stories';

const newApp = manageApps();
const page = { limit: 10 };

const found = async ({ app }: TestApp, q: string, more: { readonly archived?: 'true' } = {}) =>
  (await app.sessions.search({ ...page, q, ...more })).sessions.map(({ id }) => id);

const matchesOf = async ({ app }: TestApp, q: string) =>
  (await app.sessions.search({ ...page, q })).sessions.flatMap(({ matches }) => matches ?? []);

describe('a person searches all conversations', () => {
  it('X9: words of messages, any letter case, as far as they are typed; the match names the message', async () => {
    const test = await newApp();
    const id = await aTalk(test);
    await test.say(id, 'The Zeppelin lands at noon');
    const other = await aTalk(test);
    await test.say(other, 'Nothing of the kind');
    expect(await found(test, 'ZEPP')).toEqual([id]);
    expect(await found(test, 'noon zeppelin lan')).toEqual([id]);
    expect(await found(test, 'zeppelin midnight')).toEqual([]);
    const [message] = await transcript(test, id);
    expect((await matchesOf(test, 'zeppelin')).at(-1)).toEqual({
      itemId: message?.id,
      kind: 'user',
      at: message?.at,
      snippet: textOf(message),
    });
  });

  it('X9: newest conversation first, at most three matches of each, in pages', async () => {
    const test = await newApp();
    const ids = [await aTalk(test), await aTalk(test)];
    for (const id of ids) for (const n of [1, 2, 3]) await test.say(id, `walrus ${n}`);
    const first = await test.app.sessions.search({ limit: 1, q: 'walrus' });
    expect(first.sessions.map(({ id, matches }) => [id, matches?.length])).toEqual([[ids[1], 3]]);
    const rest = await test.app.sessions.search({ limit: 1, q: 'walrus', cursor: first.nextCursor ?? '' });
    expect(rest.sessions.map(({ id }) => id)).toEqual([ids[0]]);
  });

  it('X9: what is beyond three is counted, and told page by page, each place once with its kind', async () => {
    const test = await newApp();
    const id = await aTalk(test);
    for (let n = 1; n <= 5; n += 1) await test.say(id, `walrus ${n}`);
    const places = (await transcript(test, id)).flatMap((one) => (one.role === 'user' ? [[one.id, one.role]] : []));
    const [row] = (await test.app.sessions.search({ ...page, q: 'walrus' })).sessions;
    const told = [...(row?.matches ?? [])];
    expect(row?.moreMatches?.count).toBe(places.length - 3);
    for (let cursor = row?.moreMatches?.cursor; cursor !== undefined; ) {
      const next = await test.app.found.matches(id, { q: 'walrus', cursor, limit: 1 });
      expect(next.matches.length).toBe(1);
      told.push(...next.matches);
      expect(next.more?.count ?? 0).toBe(places.length - told.length);
      cursor = next.more?.cursor;
    }
    expect(told.map(({ itemId, kind }) => [itemId, kind]).reverse()).toEqual(places);
    await test.app.sessions.remove(id, 'owner');
    await expect(test.app.found.matches(id, { q: 'walrus', limit: 2 })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('X9, case-C07: where a found message stands: on the path, or what to go back to so that it is', async () => {
    const test = await newApp();
    const id = await aTalk(test);
    await test.say(id, 'help');
    const [, reply] = await transcript(test, id);
    await test.say(id, 'an abandoned pangolin');
    await test.say(id, 'and what came after');
    const left = await transcript(test, id);
    await test.app.travel.revert(id, reply?.id ?? '', 'owner');
    const [match] = (await matchesOf(test, 'abandoned')).filter(({ kind }) => kind === 'user');
    const place = await test.app.found.place(id, match?.itemId ?? '');
    expect(place).toMatchObject({ kind: 'user', onPath: false, snippet: 'an abandoned pangolin', at: match?.at });
    await test.app.travel.revert(id, place.tip, 'owner');
    expect(await transcript(test, id)).toEqual(left);
    expect(await test.app.found.place(id, match?.itemId ?? '')).toMatchObject({ onPath: true });
    await expect(test.app.found.place(id, id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('X9: words inside tool results, and of messages that a summary covers', async () => {
    const test = await newApp();
    const id = await aTalk(test);
    await test.say(id, 'open docs/glossary.md');
    const result = (await transcript(test, id)).find(({ role }) => role === 'tool');
    const word = /\b[A-Za-z]{9,}\b/.exec(outputOf(result))?.[0] ?? '';
    expect((await matchesOf(test, word)).map(({ itemId }) => itemId)).toContain(result?.id);
    await test.say(id, 'the covered quokka');
    await compact(test, id);
    const covered = (await transcript(test, id)).find((message) => textOf(message) === 'the covered quokka');
    expect((await matchesOf(test, 'quokka')).map(({ itemId }) => itemId)).toContain(covered?.id);
    expect((await matchesOf(test, word)).map(({ itemId }) => itemId)).toContain(result?.id);
  });

  it('case-C07, X9: what a revert left is still found, and so is what came instead; a fork has both sides of its own', async () => {
    const test = await newApp();
    const id = await aTalk(test);
    await test.say(id, 'help');
    const [, reply] = await transcript(test, id);
    await test.say(id, 'an abandoned pangolin');
    await test.app.travel.revert(id, reply?.id ?? '', 'owner');
    await test.say(id, 'a new numbat');
    expect(await found(test, 'pangolin')).toEqual([id]);
    const fork = await test.app.travel.fork(id, reply?.id ?? '');
    expect(await found(test, 'help')).toEqual([fork.id, id]);
    expect(await found(test, 'numbat')).toEqual([id]);
    await test.say(fork.id, 'a forked fossa');
    expect(await found(test, 'fossa')).toEqual([fork.id]);
  });

  it('case-C08, X9: a question that was tried again is found once, and both of its replies, each with its place', async () => {
    const test = await newApp();
    const id = await aTalk(test);
    await test.say(id, 'an obstinate okapi');
    const [question, first] = await transcript(test, id);
    await test.app.travel.revert(id, question?.id ?? '', 'owner');
    const skip = test.told.length;
    const { turnId } = await test.app.messages.continue(id);
    await test.untilNew(skip, 'chat.turn', (turn) => turn.turnId === turnId && turn.state === 'finished');
    const again = (await transcript(test, id)).at(-1);
    expect((await matchesOf(test, 'okapi')).map(({ itemId }) => itemId)).toEqual([question?.id]);
    const replies = (await matchesOf(test, 'rules practice')).map(({ itemId }) => itemId);
    expect(replies).toEqual([again?.id, first?.id]);
    expect((await test.app.found.place(id, again?.id ?? '')).onPath).toBe(true);
    const place = await test.app.found.place(id, first?.id ?? '');
    expect(place.onPath).toBe(false);
    await test.app.travel.revert(id, place.tip, 'owner');
    expect((await transcript(test, id)).map((one) => one.id)).toEqual([question?.id, first?.id]);
  });

  it('X9: a title is found by the words a person gave it, the former ones no more', async () => {
    const test = await newApp();
    const id = await aTalk(test);
    await test.app.sessions.patch(id, { title: 'Ärger mit Kähnen' });
    expect(await found(test, 'ärger')).toEqual([id]);
    expect(await found(test, 'KAHN')).toEqual([id]);
    await test.app.sessions.patch(id, { title: 'Peace' });
    expect(await found(test, 'kähnen')).toEqual([]);
    expect(await found(test, 'eac')).toEqual([id]);
  });

  it('X9: archived ones are found where archived ones are asked for', async () => {
    const test = await newApp();
    const id = await aTalk(test);
    await test.say(id, 'an archived axolotl');
    await test.app.sessions.patch(id, { archived: true });
    expect(await found(test, 'axolotl')).toEqual([]);
    expect(await found(test, 'axolotl', { archived: 'true' })).toEqual([id]);
  });

  it('X9: of a deleted one nothing is found, nor kept in the index, until it is restored; its fork is found all along', async () => {
    const search = openMemorySearch();
    const test = await newApp({ search });
    const id = await aTalk(test);
    await test.say(id, 'help');
    await test.say(id, 'a deleted dugong');
    const reply = (await transcript(test, id)).at(-1);
    const fork = await test.app.travel.fork(id, reply?.id ?? '');
    await test.app.sessions.remove(id, 'owner', { force: true });
    expect([await found(test, 'dugong'), await search.find('dugong')]).toEqual([[fork.id], [fork.id]]);
    await test.app.sessions.remove(fork.id, 'owner', { force: true });
    expect([await found(test, 'dugong'), await search.find('dugong')]).toEqual([[], []]);
    await test.app.rebuildIndex();
    expect(await search.find('dugong')).toEqual([]);
    await test.app.trash.restore(id, 'owner');
    expect([await found(test, 'dugong'), await search.find('dugong')]).toEqual([[id], [id]]);
  });

  it('X9: any text is words; none is refused, none finds everything by being a sign', async () => {
    const test = await newApp();
    const id = await aTalk(test);
    await test.say(id, 'plain words');
    for (const q of [
      '"',
      '"plain" OR "x"',
      'plain*',
      'NEAR(plain words)',
      '-plain',
      'title:plain',
      "'; drop table texts; --",
      '\u0000',
      '%',
      '🦊',
    ])
      expect((await test.app.sessions.search({ ...page, q })).sessions.length, q).toBeLessThanOrEqual(1);
    expect(await found(test, 'plain*')).toEqual([id]);
    expect(await found(test, 'plain OR nothing')).toEqual([]);
    expect(await found(test, '%')).toEqual([]);
  });

  it('X9: where full text is not there titles still are', async () => {
    const told: string[] = [];
    const search = openMemorySearch();
    const broken = { ...search, find: () => Promise.reject(new Error('gone')) };
    const test = await newApp({ search: broken, report: (line) => told.push(line) });
    const id = await aTalk(test);
    await test.app.sessions.patch(id, { title: 'Named' });
    expect(await found(test, 'named')).toEqual([id]);
    expect(told).toEqual(['full-text search gave no answer: gone']);
  });
});

describe('the index of texts is derived', () => {
  const questions = ['help', 'pangolin', 'numbat', 'fossa', 'dugong', 'summary', 'README'];
  const all = async (test: TestApp) =>
    Promise.all(questions.map((q) => test.app.sessions.search({ limit: 50, q }).then(({ sessions }) => sessions)));

  /** Forks, a revert, a fold, a deletion and tools, all found in one way. */
  async function aTravelledTalk() {
    const test = await newApp();
    const id = await aTalk(test);
    await test.say(id, 'help');
    const [, reply] = await transcript(test, id);
    await test.say(id, 'a pangolin of README');
    await test.say(id, 'list');
    await compact(test, id);
    await test.app.travel.revert(id, reply?.id ?? '', 'owner');
    await test.say(id, 'a numbat');
    const fork = await test.app.travel.fork(id, reply?.id ?? '');
    await test.say(fork.id, 'a fossa');
    const gone = await aTalk(test);
    await test.say(gone, 'a dugong');
    await test.app.sessions.remove(gone, 'owner');
    return test;
  }

  it('L1: reindex finds what was found before', async () => {
    const test = await aTravelledTalk();
    const before = await all(test);
    expect(before[4]).toEqual([]);
    expect(before.flat().length).toBeGreaterThan(6);
    await test.app.rebuildIndex();
    expect(await all(test)).toEqual(before);
  });

  it('L1: reindex forgets what no log says', async () => {
    const search = openMemorySearch();
    const test = await newApp({ search });
    const id = await aTalk(test);
    const said = { kind: 'user', at: '2026-11-20T08:00:00.000Z' } as const;
    const stray = { itemId: 'stray', shownId: 'stray', point: 1, ...said, text: 'nobody said it' };
    search.add({ sessionId: id, logId: id, title: null, texts: [stray] });
    expect(await found(test, 'nobody')).toEqual([id]);
    await test.app.rebuildIndex();
    expect(await found(test, 'nobody')).toEqual([]);
  });

  it('L1: a start without the index, or with one that is behind, finds the same', async () => {
    const test = await aTravelledTalk();
    const before = await all(test);
    const again = await newApp({ sessionLog: test.sessionLog });
    expect(await all(again)).toEqual(before);
  });

  it('L1: a stop notes the sizes up to which everything is found', async () => {
    const search = openMemorySearch();
    const test = await anApp({ search: { ...search, close: async () => undefined } });
    await test.say(await aTalk(test), 'a noted narwhal');
    const sizes = await test.sessionLog.list();
    await test.stop();
    expect([...(await search.notedSizes())]).toEqual(sizes.map(({ logId, bytes }) => [logId, bytes]));
  });
});

function outputOf(message: Awaited<ReturnType<typeof transcript>>[number] | undefined): string {
  return (message?.parts ?? []).map((part) => (part.type === 'tool_result' ? part.output : '')).join('');
}
