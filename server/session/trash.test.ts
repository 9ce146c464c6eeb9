import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createMemorySessionLog } from '@/db/memory/session-log';
import { openMemorySqlite } from '@/db/sqlite/open';
import { openMemorySearch } from '@/db/sqlite/search-index';
import { createSessionIndex } from '@/db/sqlite/session-index';
import { createDraftStore, createLeftoverStore } from '@/db/sqlite/small-stores';
import { createIds } from '@/server/core/ids';
import { createSignal } from '@/server/model/testing/script';
import type { SessionLog } from '@/server/ports/session-log';
import type { TestApp } from './testing/an-app';
import { aTalk, manageApps, set, transcript } from './testing/stories';

const DAY = 86_400_000;
const newApp = manageApps();

/** An application whose day is the test's, with what outlives it, and what it wrote into the server's log. */
async function atDay(kept: { readonly sessionLog?: SessionLog } = {}) {
  const time = { ms: Date.parse('2026-03-01T00:00:00.000Z') };
  // Each look at the clock is a moment later, as in the world.
  const clock = { now: () => (time.ms += 1) };
  const sqlite = openMemorySqlite(fileURLToPath(new URL('../../db/migrations', import.meta.url)));
  const memory = createMemorySessionLog();
  const log: SessionLog = kept.sessionLog ?? { ...memory, close: async () => undefined };
  const lines: string[] = [];
  const timers: { readonly ms: number; readonly act: () => void; stopped: boolean }[] = [];
  const drivers = {
    sessionLog: log,
    clock,
    ids: createIds({ clock, drawBytes: randomBytes }),
    index: createSessionIndex(sqlite.db),
    drafts: createDraftStore(sqlite.db),
    leftovers: createLeftoverStore(sqlite.db),
    search: { ...openMemorySearch(), close: async () => undefined },
    report: (line: string) => void lines.push(line),
    startTimer: (ms: number, act: () => void) => {
      const timer = { ms, act, stopped: false };
      // Only the round of each day is this test's to wind on; the rest is real.
      if (ms === DAY) timers.push(timer);
      const real = ms === DAY ? undefined : setTimeout(act, ms);
      return () => {
        timer.stopped = true;
        clearTimeout(real);
      };
    },
  };
  const test = await newApp(drivers);
  return { test, drivers, time, lines, timers, ids: () => idsOf(test, log) };
}

const idsOf = async (_: TestApp, log: SessionLog) => (await log.list()).map(({ logId }) => logId);

/** A conversation with a word in it that nobody else says. */
async function aTalkAbout(test: TestApp, word: string): Promise<string> {
  const id = await aTalk(test);
  await test.say(id, `something of ${word}`);
  return id;
}

const goneAtOf = ({ app }: TestApp, id: string) =>
  Date.parse(app.trash.list().sessions.find((row) => row.id === id)?.goneAt ?? '');

describe('what is past its time in the trash (ux 4, contract 17)', () => {
  it('L1: goes for good one moment beyond it and not at it: file, row, words, draft; each is said by its id', async () => {
    const { test, drivers, time, lines, ids } = await atDay();
    const [old, young, alive] = [
      await aTalkAbout(test, 'quagga'),
      await aTalkAbout(test, 'thylacine'),
      await aTalkAbout(test, 'walrus'),
    ];
    await test.app.sessions.saveDraft(old, 'half a word', 'owner');
    await test.app.sessions.remove(old, 'owner');
    const sizes = await drivers.sessionLog.list();
    drivers.index.noteSizes(sizes);
    await drivers.search.noteSizes(sizes);
    const { deletedAt } = test.app.trash.list().sessions[0] ?? { deletedAt: '' };
    time.ms += DAY;
    await test.app.sessions.remove(young, 'owner');

    // The next look at the clock says the very end of its time: nothing goes.
    time.ms = goneAtOf(test, old) - 1;
    expect(await test.app.sweepTrash()).toEqual([]);
    expect(await ids()).toEqual([old, young, alive]);
    time.ms = goneAtOf(test, old);
    expect(await test.app.sweepTrash()).toEqual([old]);

    expect(await ids()).toEqual([young, alive]);
    expect(drivers.index.get(old)).toBeNull();
    expect([...drivers.index.notedSizes().keys(), ...(await drivers.search.notedSizes()).keys()]).not.toContain(old);
    expect(drivers.drafts.read(old, 'owner').text).toBe('');
    expect(test.app.trash.list().sessions.map(({ id }) => id)).toEqual([young]);
    expect(lines).toEqual([`trash: conversation ${old} is removed for good, deleted ${deletedAt}`]);
    await expect(test.app.trash.restore(old, 'owner')).rejects.toMatchObject({ code: 'not_found' });
    await expect(test.app.sessions.get(old)).rejects.toMatchObject({ code: 'not_found' });
    expect((await test.app.trash.restore(young, 'owner')).id).toBe(young);
    expect((await test.say(alive, 'help')).state).toBe('finished');
  });

  it('L3: lines that a fork stands on stay as long as it lives, and the list says so', async () => {
    const { test, time, ids } = await atDay();
    const id = await aTalkAbout(test, 'quagga');
    const [, reply] = await transcript(test, id);
    const fork = await test.app.travel.fork(id, reply?.id ?? '');
    await test.app.sessions.remove(id, 'owner', { force: true });
    expect(test.app.trash.list().sessions).toMatchObject([{ id, goneAt: null }]);
    time.ms += 100 * DAY;
    expect(await test.app.sweepTrash()).toEqual([]);
    await test.app.sessions.remove(fork.id, 'owner');
    // They go together, by the time of the younger one.
    expect(goneAtOf(test, id)).toBe(goneAtOf(test, fork.id));
    time.ms = goneAtOf(test, id);
    expect(await test.app.sweepTrash()).toEqual([id, fork.id]);
    expect(await ids()).toEqual([]);
  });

  it('L3: whichever of both was deleted first, the list gives them the time of the younger one', async () => {
    const { test, time } = await atDay();
    const id = await aTalkAbout(test, 'quagga');
    const [, reply] = await transcript(test, id);
    const fork = await test.app.travel.fork(id, reply?.id ?? '');
    await test.app.sessions.remove(fork.id, 'owner');
    time.ms += 10 * DAY;
    await test.app.sessions.remove(id, 'owner');
    const { sessions } = test.app.trash.list();
    const younger = Date.parse(sessions.find((row) => row.id === id)?.deletedAt ?? '');
    expect(sessions.map(({ goneAt }) => Date.parse(goneAt ?? ''))).toEqual(Array(2).fill(younger + 30 * DAY));
    time.ms = younger + 29 * DAY;
    expect(await test.app.sweepTrash()).toEqual([]);
  });

  it('contract-19: the days are those of the setting', async () => {
    const { test, time } = await atDay();
    set(test, { trash: { keep_days: 1 } });
    const id = await aTalkAbout(test, 'quagga');
    await test.app.sessions.remove(id, 'owner');
    time.ms += DAY + 1;
    expect(await test.app.sweepTrash()).toEqual([id]);
  });

  it('contract-17: a round is made at the start and once a day, and none after a stop', async () => {
    const { test, drivers, time, timers } = await atDay();
    const id = await aTalkAbout(test, 'quagga');
    await test.app.sessions.remove(id, 'owner');
    time.ms += 31 * DAY;
    expect(timers).toHaveLength(1);
    timers[0]?.act();
    await expect.poll(() => drivers.index.get(id)).toBeNull();
    await expect.poll(() => timers.length).toBe(2);
    const other = await aTalkAbout(test, 'thylacine');
    await test.app.sessions.remove(other, 'owner');
    await test.app.stop();
    expect(timers[1]?.stopped).toBe(true);
    time.ms += 31 * DAY;
    await newApp(drivers);
    await expect.poll(() => drivers.index.get(other)).toBeNull();
  });

  it('L7: whoever restores it in the last moment keeps it, whoever comes after the removal finds nothing', async () => {
    const { test, time, ids } = await atDay();
    const [kept, late] = [await aTalkAbout(test, 'quagga'), await aTalkAbout(test, 'thylacine')];
    for (const id of [kept, late]) await test.app.sessions.remove(id, 'owner');
    time.ms += 31 * DAY;
    const [restored, gone] = await Promise.all([test.app.trash.restore(kept, 'owner'), test.app.sweepTrash()]);
    expect([restored.id, gone]).toEqual([kept, [late]]);
    await test.app.sessions.remove(kept, 'owner');
    time.ms += 31 * DAY;
    const sweep = test.app.sweepTrash();
    const outcome = await Promise.allSettled([sweep, test.app.trash.restore(kept, 'owner')]);
    // Either of the two was first; never both, and never a conversation that is there and cannot be read.
    const isGone = (await ids()).length === 0;
    expect(outcome[1].status).toBe(isGone ? 'rejected' : 'fulfilled');
    if (!isGone) expect((await test.say(kept, 'help')).state).toBe('finished');
  });
});

describe('a removal that is cut short', () => {
  it('contract-20: a stop waits for the log in hand, takes no other, and no further round comes', async () => {
    const log = createMemorySessionLog();
    const held = createSignal();
    const asked = createSignal();
    const sessionLog: SessionLog = {
      ...log,
      remove: async (logId) => {
        asked.resolve();
        await held.promise;
        await log.remove(logId);
      },
      close: async () => undefined,
    };
    const { test, time, timers, ids } = await atDay({ sessionLog });
    const [first, second] = [await aTalkAbout(test, 'quagga'), await aTalkAbout(test, 'thylacine')];
    for (const id of [first, second]) await test.app.sessions.remove(id, 'owner');
    time.ms += 31 * DAY;
    timers[0]?.act();
    await asked.promise;
    const stopped = test.app.stop();
    held.resolve();
    await stopped;
    expect(await ids()).toEqual([second]);
    expect(timers).toHaveLength(1);
  });

  it('L8: a disk that refuses keeps that log whole and no other one, and the next round tries again', async () => {
    const log = createMemorySessionLog();
    let broken: string | null = null;
    const sessionLog: SessionLog = {
      ...log,
      remove: async (logId) => (logId === broken ? Promise.reject(new Error('EIO')) : log.remove(logId)),
      close: async () => undefined,
    };
    const { test, time, lines } = await atDay({ sessionLog });
    const [stuck, other] = [await aTalkAbout(test, 'quagga'), await aTalkAbout(test, 'thylacine')];
    for (const id of [stuck, other]) await test.app.sessions.remove(id, 'owner');
    time.ms += 31 * DAY;
    broken = stuck;
    expect(await test.app.sweepTrash()).toEqual([other]);
    expect(lines).toContain(`trash: log ${stuck} could not be removed: EIO`);
    expect((await test.app.trash.restore(stuck, 'owner')).id).toBe(stuck);
    expect((await test.say(stuck, 'help')).state).toBe('finished');
    await test.app.sessions.remove(stuck, 'owner');
    broken = null;
    time.ms += 31 * DAY;
    expect(await test.app.sweepTrash()).toEqual([stuck]);
  });

  it('L8: where the file went and only its name could not be synced, the next round forgets the rest', async () => {
    const log = createMemorySessionLog();
    let isUnsynced = true;
    const sessionLog: SessionLog = {
      ...log,
      remove: async (logId) => {
        await log.remove(logId);
        if (isUnsynced) throw new Error('EIO');
      },
      close: async () => undefined,
    };
    const { test, drivers, time } = await atDay({ sessionLog });
    const id = await aTalkAbout(test, 'quagga');
    await test.app.sessions.remove(id, 'owner');
    time.ms += 31 * DAY;
    expect(await test.app.sweepTrash()).toEqual([]);
    isUnsynced = false;
    expect(await test.app.sweepTrash()).toEqual([id]);
    expect(drivers.index.get(id)).toBeNull();
  });

  it('L1: cut off between the file and what was derived from it, the next start forgets the rest and reads all others', async () => {
    const { test, drivers, time } = await atDay();
    const [gone, alive] = [await aTalkAbout(test, 'quagga'), await aTalkAbout(test, 'thylacine')];
    await test.app.sessions.remove(gone, 'owner');
    await test.app.stop();
    time.ms += 31 * DAY;
    await drivers.sessionLog.remove(gone);
    const next = await newApp(drivers);
    expect(drivers.index.get(gone)).toBeNull();
    expect([...drivers.index.notedSizes().keys()]).toEqual([alive]);
    expect([...(await drivers.search.notedSizes()).keys()]).toEqual([alive]);
    expect(next.app.trash.list().sessions).toEqual([]);
    expect((await next.app.sessions.search({ limit: 10, q: 'thylacine' })).sessions.map(({ id }) => id)).toEqual([
      alive,
    ]);
    expect((await next.say(alive, 'help')).state).toBe('finished');
  });
});
