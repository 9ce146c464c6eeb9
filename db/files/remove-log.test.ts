import { describe, expect, it } from 'vitest';
import { makeDrafts } from '../contract-tests/session-log-drafts';
import { bytesOf, codeOf, eventsOf } from '../contract-tests/session-log-suite';
import { type DiskCall, type Fault, MemoryDisk } from './memory-disk';
import { openFilesSessionLog } from './session-log';

/** A log of three lines on a disk that refuses what it is told to. */
async function aLogOnDisk() {
  const make = makeDrafts();
  const logId = make.id();
  const calls: string[] = [];
  const faults = { of: (_: DiskCall): Fault => null };
  const disk = new MemoryDisk({
    fault: (call) => {
      calls.push(call);
      return faults.of(call);
    },
  });
  const start = () => openFilesSessionLog({ dataDir: '/data', ...make, lock: null, ops: disk });
  const log = await start();
  await log.create(logId, make.opened(logId));
  await log.append(logId, [make.message(logId, 'hi')]);
  return { make, logId, calls, faults, log, start };
}

describe('removing a log', () => {
  it('L8: a disk that refuses leaves it whole: it is read, and takes lines, in this process and the next', async () => {
    const { make, logId, faults, log, start } = await aLogOnDisk();
    const before = await bytesOf(log, logId);
    faults.of = (call) => (call === 'remove' ? { errno: 'EIO' } : null);
    expect(await codeOf(log.remove(logId))).toBe('storage_failed');
    expect(await bytesOf(log, logId)).toEqual(before);
    const [next] = await log.append(logId, [make.message(logId, 'still here')]);
    expect(next?.seq).toBe(4);
    await log.close();
    expect(await eventsOf(await start(), logId)).toHaveLength(4);
  });

  it('L8: it is removed once the directory was synced without it, and before that nobody says so', async () => {
    const { make, logId, calls, faults, log } = await aLogOnDisk();
    calls.length = 0;
    await log.remove(logId);
    expect(calls.slice(-2)).toEqual(['remove', 'syncDirectory']);
    await log.create(logId, make.opened(logId));
    faults.of = (call) => (call === 'syncDirectory' ? { errno: 'EIO' } : null);
    expect(await codeOf(log.remove(logId))).toBe('storage_failed');
    expect(await codeOf(eventsOf(log, logId))).toBe('not_found');
  });
});
