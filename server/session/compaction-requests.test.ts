import { describe, expect, it } from 'vitest';
import { createJobStore } from '@/db/sqlite/job-store';
import { openMemorySqlite } from '@/db/sqlite/open';
import { AppError } from '@/server/contract/error';
import type { JobStore } from '@/server/ports/job-store';
import { createCompactionRequests } from './compaction-requests';
import { COMPACT_JOB } from './session-jobs';
import { MIGRATIONS, type TestApp } from './testing/an-app';
import { compact, connect, linesOf } from './testing/stories';
import { good, long, manageTalks } from './testing/summarised-talks';

const { aTalkWith } = manageTalks();

/** A store that does not take the end of the first compaction until it is freed: it runs in there all the while. */
function aStoreThatHolds(onClaim: () => void = () => undefined) {
  const store = createJobStore(openMemorySqlite(MIGRATIONS).db);
  let held: string | null = null;
  let isFree = false;
  const jobs: JobStore = {
    ...store,
    claim: (...given) => {
      const job = store.claim(...given);
      if (job?.kind !== COMPACT_JOB) return job;
      onClaim();
      held ??= job.id;
      return job;
    },
    end: (...given) => {
      if (given[0] === held && !isFree) throw new AppError('storage_full', 'The disk is full.');
      store.end(...given);
    },
  };
  return {
    jobs,
    free: () => {
      isFree = true;
    },
  };
}

/** Three requests after the end of one was told, the first while its job is not over. Gives their ids. */
async function askedThrice({ app }: TestApp, id: string, free: () => void): Promise<readonly string[]> {
  const ask = async () => (await app.compactions.request(id, {}, 'owner')).jobId;
  const running = app.server.jobs({ state: 'running', limit: 1 }).jobs.map((job) => job.id);
  const asked = [await ask(), await ask()];
  // What a page that opens now draws is the one that waits.
  expect((await app.sessions.get(id)).activity).toMatchObject({ kind: 'compaction', jobId: asked[0] });
  free();
  return [...running, ...asked, await ask()];
}

describe('a request after chat.compacted, before the job is over (contract 14)', () => {
  it('is a job of its own, which later ones join, and its end is told', async () => {
    const store = aStoreThatHolds();
    const { test, id } = await aTalkWith(good, { jobs: store.jobs });
    await test.say(id, long('one'));
    await test.say(id, long('two'));
    expect((await compact(test, id)).outcome).toBe('committed');
    const before = test.told.length;
    const [ended, ...asked] = await askedThrice(test, id, store.free);
    expect(new Set(asked).size).toBe(1);
    expect(asked).not.toContain(ended);
    expect((await test.untilNew(before, 'chat.compacted')).outcome).toBe('skipped');
    expect(await linesOf(test, id, 'compaction.ended')).toHaveLength(2);
  });

  it('P7: the same where no model could be asked and no line tells of the end', async () => {
    let forget = () => {};
    const store = aStoreThatHolds(() => forget());
    const { test, id, provider } = await aTalkWith(good, { jobs: store.jobs });
    await test.say(id, long('one'));
    // Gone between a click and its job.
    forget = () => test.app.registry.remove('fake');
    expect((await compact(test, id)).outcome).toBe('failed');
    connect(test, provider);
    const before = test.told.length;
    const [ended, ...asked] = await askedThrice(test, id, store.free);
    expect(asked).not.toContain(ended);
    expect((await test.untilNew(before, 'chat.compacted')).outcome).toBe('failed');
    expect(await linesOf(test, id, 'compaction.started')).toEqual([]);
  });
});

it('contract 14: a job whose compaction has not begun has told nothing', () => {
  const requests = createCompactionRequests();
  expect(requests.hasTold('job', [])).toBe(false);
  requests.begin({ sessionId: 's', jobId: 'job', compactionId: 'c' }, new AbortController().signal);
  expect(requests.hasTold('job', [])).toBe(false);
  requests.endUnstarted('job');
  expect(requests.hasTold('job', [])).toBe(true);
});
