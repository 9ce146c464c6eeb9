import { describe, expect, it } from 'vitest';
import { AppError } from '@/server/contract/error';
import type { StoredEvent } from '@/server/contract/events/event';
import { makeDrafts } from '../contract-tests/session-log-drafts';
import type { DiskCall, DiskMoment, Fault } from './memory-disk';
import { MemoryDisk } from './memory-disk';
import { findLosses } from './recorded-run';
import { openFilesSessionLog } from './session-log';

/**
 * The n-th-failure loop (reliability 1): the same story with the first call failing, then the second, and so on,
 * until one run meets no failure at all.
 */

const dataDir = '/data';

interface Kind {
  readonly name: string;
  readonly call: DiskCall;
  /** What happens from the n-th call on, by how many calls ago that was; null when it is over. */
  readonly fault: (since: number) => Fault;
}

const once = (fault: Fault) => (since: number) => (since === 0 ? fault : null);
const forLong = (fault: Fault) => (since: number) => (since < 4 ? fault : null);
const shortThen = (fault: Fault) => (since: number) => (since === 0 ? { short: 37 } : since < 3 ? fault : null);

const kinds: readonly Kind[] = [
  ...['ENOSPC', 'EIO', 'EDQUOT', 'EROFS', 'EACCES', 'EMFILE'].flatMap((errno) => [
    { name: `${errno} once on a write`, call: 'write' as const, fault: once({ errno }) },
    { name: `${errno} for long on writes`, call: 'write' as const, fault: forLong({ errno }) },
  ]),
  { name: 'a short write', call: 'write', fault: once({ short: 37 }) },
  { name: 'a write of nothing', call: 'write', fault: once({ short: 0 }) },
  { name: 'a short write, then a full disk', call: 'write', fault: shortThen({ errno: 'ENOSPC' }) },
  { name: 'a short write, then EIO', call: 'write', fault: shortThen({ errno: 'EIO' }) },
  ...(['syncData', 'syncAll', 'syncDirectory', 'rename'] as const).flatMap((call) => [
    { name: `EIO once on ${call}`, call, fault: once({ errno: 'EIO' }) },
    { name: `EIO for long on ${call}`, call, fault: forLong({ errno: 'EIO' }) },
    { name: `ENOSPC once on ${call}`, call, fault: once({ errno: 'ENOSPC' }) },
  ]),
  { name: 'EMFILE on opening', call: 'open', fault: once({ errno: 'EMFILE' }) },
  { name: 'EMFILE for long on opening', call: 'open', fault: forLong({ errno: 'EMFILE' }) },
];

interface Promised {
  readonly acknowledged: readonly StoredEvent[];
  readonly moment: DiskMoment;
}

/** One story on a disk whose n-th call of a kind fails. Every answer is either durable or an error with a name. */
async function tell({ call, fault }: Kind, n: number) {
  const make = makeDrafts();
  const logId = make.id();
  const path = `${dataDir}/logs/${logId}.jsonl`;
  let failed = false;
  let starting = true;
  let spared = 0;
  const disk = new MemoryDisk({
    fault(called, nth) {
      if (called !== call) return null;
      if (starting) spared = nth;
      const since = nth - spared - n;
      const met = starting || since < 0 ? null : fault(since);
      failed ||= met !== null;
      return met;
    },
  });
  const log = await openFilesSessionLog({ dataDir, ...make, lock: null, ops: disk });
  starting = false;
  const acknowledged: StoredEvent[] = [];
  const promises: Promised[] = [];
  const refused: unknown[] = [];
  const keep = async (answer: Promise<readonly StoredEvent[]>) => {
    await answer.then(
      (events) => {
        acknowledged.push(...events);
        promises.push({ acknowledged: [...acknowledged], moment: disk.momentOf(path) });
      },
      (error: unknown) => refused.push(error),
    );
  };
  const opening = make.opened(logId);
  for (let tries = 0; acknowledged.length === 0 && tries < 8; tries += 1) await keep(log.create(logId, opening));
  for (const text of ['one', 'two', 'three']) {
    const mark = make.mark(logId, 2, text);
    await Promise.all([
      keep(log.append(logId, [make.message(logId, text)])),
      keep(log.append(logId, [mark, make.mark(logId, { id: mark.id })])),
    ]);
  }
  const last = acknowledged.length;
  for (let tries = 0; acknowledged.length === last && tries < 8; tries += 1) {
    await keep(log.append(logId, [make.message(logId, 'when it works again')]));
  }
  await log.close();
  const created = opening.map(({ id }) => id);
  const run = { make, logId, path, bytes: disk.bytesOf(path), created, moments: [], acknowledged, refused: [] };
  return { run, failed, refused, promises, resumed: acknowledged.length > last };
}

/** The worst a power cut can leave: what was not synced is gone, and so is what a failed sync let go. */
function worstImage(bytes: Buffer, { synced, doubtful, named }: DiskMoment): Buffer {
  const image = Buffer.from(bytes.subarray(0, named ? synced : 0));
  for (const { from, to } of doubtful) image.fill(0, from, Math.min(to, image.length));
  return image;
}

describe('rel-S10, rel-S11, rel-S12: every n-th call failing', () => {
  it.each(kinds)(
    '$name: no false answer, nothing silent, and it resumes',
    async (kind) => {
      let failures = 0;
      for (let n = 1; n < 100; n += 1) {
        const { run, failed, refused, promises, resumed } = await tell(kind, n);
        for (const { acknowledged, moment } of promises) {
          expect(await findLosses(run, worstImage(run.bytes, moment), acknowledged)).toEqual([]);
        }
        expect(await findLosses(run, run.bytes, run.acknowledged)).toEqual([]);
        expect(resumed).toBe(true);
        for (const error of refused) {
          expect(error).toBeInstanceOf(AppError);
          expect(error).toMatchObject({ code: expect.stringMatching(/^(storage_full|storage_failed|conflict)$/) });
        }
        if (!failed) break;
        failures += 1;
      }
      expect(failures).toBeGreaterThan(0);
      expect(failures).toBeLessThan(99);
    },
    60_000,
  );

  it('L8: a person is told that the disk is full, without a path of the machine', async () => {
    const { refused } = await tell({ name: '', call: 'write', fault: forLong({ errno: 'ENOSPC' }) }, 2);
    expect(refused[0]).toMatchObject({ code: 'storage_full', status: 507, details: { errno: 'ENOSPC' } });
    expect(String(refused[0])).not.toContain('/data');
  });
});
