import { expect, test } from '@playwright/test';
import { type Api, aTalk, say as converse, listSessions, textOf, transcript } from '../api/api-server';
import { manageOneDirectory } from '../api/one-directory';
import { createFaultDisk, type FaultDisk } from './fault-disk';

/** A disk that does not give back what was written on it. */

const here = manageOneDirectory();
let disk: FaultDisk;
let api: Api;

test.beforeEach(() => {
  disk = createFaultDisk(here.dataDir);
});

const start = async () => {
  api = await here.start(disk.env);
};

async function twoTalks(): Promise<readonly [string, string]> {
  await start();
  const ids = [await aTalk(api, here.provider.model), await aTalk(api, here.provider.model)] as const;
  for (const id of ids) await converse(api, id, `Good morning, ${id}.`);
  return ids;
}

for (const { when, before } of [
  { when: 'after a kill', before: () => api.kill() },
  { when: 'after a stop', before: () => api.stop() },
]) {
  test(`rel-S13: a log that cannot be read ${when} is listed and says why, the others work, and it is back without a restart`, async ({
    page,
  }) => {
    const [broken, well] = await twoTalks();
    await before();
    disk.plan({ match: `${broken}.jsonl`, call: 'read', from: 1, times: 1_000_000, does: { errno: 'EIO' } });
    await start();
    expect((await listSessions(api)).map(({ id }) => id).sort()).toEqual([broken, well].sort());
    for (const path of ['', '/messages', '/context', '/log']) {
      const { status, body } = await api.call('GET', `/agent-sessions/${broken}${path}`);
      expect([path, status, JSON.stringify(body)]).toEqual([
        path,
        503,
        expect.stringContaining('could not read this conversation (EIO)'),
      ]);
    }
    expect(await converse(api, well, 'hi')).toBe('finished');
    expect(await api.get('/health')).toMatchObject({ status: 'ok' });
    await page.goto(`${api.origin}/c/${broken}`);
    await expect(page.getByText('could not read this conversation').first()).toBeVisible();
    disk.plan();
    expect(await converse(api, broken, 'hi')).toBe('finished');
    expect((await transcript(api, broken)).map(textOf)[0]).toBe(`Good morning, ${broken}.`);
  });
}

test('rel-S13: a disk that gives a few bytes at a time gives the same conversation', async () => {
  const [one, other] = await twoTalks();
  const before = await transcript(api, one);
  await api.kill();
  disk.plan({ match: '.jsonl', call: 'read', from: 1, times: 1_000_000, does: { short: 7 } });
  await start();
  expect(await transcript(api, one)).toEqual(before);
  expect(await converse(api, other, 'hi')).toBe('finished');
});
