import { describe, expect, it } from 'vitest';
import type { FileOps } from './file-ops';
import type { DiskCall, Fault, MemoryDisk } from './memory-disk';
import type { Random } from './power-cut';
import { cutPower, seededRandom } from './power-cut';
import type { RunOptions } from './recorded-run';
import { findLosses, recordRun } from './recorded-run';

interface Tally {
  images: number;
  nameless: number;
  readonly losses: string[];
}

/** Cuts the power at every moment of a recorded run, several times each. */
async function cutEverywhere(options: Omit<RunOptions, 'random'>, seed: number, each: number, tally: Tally) {
  const random = seededRandom(seed);
  const run = await recordRun({ ...options, random });
  for (const moment of run.moments) {
    for (let count = 0; count < each; count += 1) {
      const image = cutPower(run.bytes, moment, random);
      tally.images += 1;
      if (image === null) tally.nameless += 1;
      const losses =
        image === null || image.length === 0
          ? moment.acknowledged.map((event) => `lost with its file: ${event.type}`)
          : await findLosses(run, image, moment.acknowledged);
      tally.losses.push(...losses.map((loss) => `seed ${seed}, ${loss}`));
    }
  }
  return run;
}

const newTally = (): Tally => ({ images: 0, nameless: 0, losses: [] });

/** Every call now and then, so that runs hold failed syncs, short writes and full disks. */
function faultsOf(random: Random) {
  return (call: DiskCall, nth: number): Fault => {
    // The first two name the directories themselves: without them no server starts.
    const spared = call === 'read' || call === 'open' || (call === 'syncDirectory' && nth <= 2);
    if (spared || random() > 0.08) return null;
    if (call === 'write' && random() < 0.5) return { short: 1 + Math.floor(random() * 200) };
    return { errno: random() < 0.5 ? 'EIO' : 'ENOSPC' };
  };
}

/** A disk whose handles are changed in one way. */
function spoilHandles(change: (file: Awaited<ReturnType<FileOps['openAppend']>>) => Partial<typeof file>) {
  return (disk: MemoryDisk): FileOps => {
    const wrap = async (opening: ReturnType<FileOps['openRead']>) => {
      const file = await opening;
      return { ...file, ...change(file) };
    };
    return {
      openAppend: (path) => wrap(disk.openAppend(path)),
      openNew: (path) => wrap(disk.openNew(path)),
      rename: (from, to) => disk.rename(from, to),
      remove: (path) => disk.remove(path),
      openRead: (path) => wrap(disk.openRead(path)),
      syncDirectory: (path) => disk.syncDirectory(path),
      makeDirectory: () => disk.makeDirectory(),
      list: (path, ending) => disk.list(path, ending),
    };
  };
}

describe('rel-S3: power cuts at every moment of recorded runs', () => {
  it('lose nothing acknowledged in 10,000 images, and the next append is intact', async () => {
    const tally = newTally();
    for (let seed = 1; tally.images < 10_000; seed += 1) await cutEverywhere({ calls: 6 }, seed, 6, tally);
    expect(tally.losses).toEqual([]);
    expect(tally.images).toBeGreaterThanOrEqual(10_000);
  }, 240_000);

  it('rel-S12: lose nothing acknowledged when writes and syncs fail on the way', async () => {
    const tally = newTally();
    let refused = 0;
    for (let seed = 1; tally.images < 3000; seed += 1) {
      const run = await cutEverywhere({ calls: 8, fault: faultsOf(seededRandom(seed * 7)) }, seed, 4, tally);
      refused += run.refused.length;
      expect(
        run.refused.filter((code) => !['storage_full', 'storage_failed', 'not_found', 'conflict'].includes(code)),
      ).toEqual([]);
    }
    expect(tally.losses).toEqual([]);
    expect(refused).toBeGreaterThan(0);
  }, 240_000);

  it('rel-S16: a file whose name may be lost was never acknowledged, in 500 images', async () => {
    const tally = newTally();
    for (let seed = 1; tally.nameless < 500; seed += 1) await cutEverywhere({ calls: 0 }, seed, 40, tally);
    expect(tally.losses).toEqual([]);
  }, 240_000);
});

describe('the same check falls for a driver that breaks the rule', () => {
  const lossesOf = async (spoil: RunOptions['spoil'], fault?: RunOptions['fault']) => {
    const tally = newTally();
    for (let seed = 1; seed <= 8; seed += 1) {
      await cutEverywhere({ calls: 8, ...(spoil ? { spoil } : {}), ...(fault ? { fault } : {}) }, seed, 3, tally);
    }
    return tally.losses.length;
  };
  const fourthSyncFails = (call: DiskCall, nth: number): Fault =>
    call === 'syncData' && nth === 4 ? { errno: 'EIO' } : null;

  it('L6: one that never syncs loses what it acknowledged', async () => {
    const noSync = spoilHandles(() => ({ syncData: async () => undefined, syncAll: async () => undefined }));
    expect(await lossesOf(noSync)).toBeGreaterThan(0);
  }, 60_000);

  it('rel-S16: one that never syncs the directory loses whole files', async () => {
    const noName = (disk: MemoryDisk): FileOps => ({
      ...spoilHandles(() => ({}))(disk),
      syncDirectory: async () => undefined,
    });
    expect(await lossesOf(noName)).toBeGreaterThan(0);
  }, 60_000);

  it('rel-S16: one that writes a new log under its final name leaves half a conversation', async () => {
    const straight = (disk: MemoryDisk): FileOps => ({
      ...spoilHandles(() => ({}))(disk),
      openNew: (path) => disk.openNew(path.replace(/\.new$/, '.jsonl')),
      rename: async () => undefined,
    });
    expect(await lossesOf(straight)).toBeGreaterThan(0);
  }, 60_000);

  it('L8: one that syncs again after a failed sync, and believes it, loses what it acknowledged', async () => {
    const believing = spoilHandles((file) => ({ syncData: () => file.syncData().catch(() => file.syncData()) }));
    expect(await lossesOf(believing, fourthSyncFails)).toBeGreaterThan(0);
    expect(await lossesOf(undefined, fourthSyncFails)).toBe(0);
  }, 60_000);
});
