import { describe, expect, it } from 'vitest';
import { createDiskRoom } from './disk-room';
import { aTalk, lines, manageApps } from './testing/stories';

const newApp = manageApps();

describe('rel-S28: the disk is nearly full', () => {
  it('is said 500 MB before anything is refused, with the size', () => {
    const notice = (free: number | null) => createDiskRoom(() => free).notice();
    expect(notice(null)).toBeNull();
    expect(notice(564_000_000)).toBeNull();
    expect(notice(563_999_999)).toContain('Only 563 MB are free');
    expect(notice(0)).toContain('Only 0 MB are free');
  });

  it('where anybody asks whether the server is well; it answers all the same', async () => {
    const test = await newApp({ freeBytes: () => 300_000_000 });
    const { ready, checks } = test.app.server.ready();
    expect(ready).toBe(true);
    expect(checks.find(({ name }) => name === 'disk')).toEqual({
      name: 'disk',
      ok: true,
      text: expect.stringContaining('300 MB'),
    });
  });

  it('a compaction is refused before it begins, with both sizes, and nothing is written; messages still go', async () => {
    const test = await newApp({ freeBytes: () => 20_000_000 });
    const id = await aTalk(test);
    expect((await test.say(id, 'help')).state).toBe('finished');
    const before = await lines(test, id);
    await expect(test.app.compactions.request(id, {}, 'owner')).rejects.toMatchObject({
      code: 'storage_full',
      message: expect.stringMatching(/64 MB.*20 MB/),
    });
    expect(await lines(test, id)).toEqual(before);
  });
});
