import { chmod, mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { foldLog } from '@/server/core/projection/log-state';
import type { SessionLog } from '@/server/ports/session-log';
import type { DraftMaker } from '../contract-tests/session-log-drafts';
import { makeDrafts } from '../contract-tests/session-log-drafts';
import { bytesOf, codeOf, eventsOf, recordsOf } from '../contract-tests/session-log-suite';
import type { DiskCall, Fault } from './memory-disk';
import { MemoryDisk } from './memory-disk';
import { openFilesSessionLog } from './session-log';

const dataDir = '/data';

interface Desk {
  readonly make: DraftMaker;
  readonly logId: string;
  readonly path: string;
  readonly calls: string[];
  disk: MemoryDisk;
  fault: (call: DiskCall, nth: number) => Fault;
}

function newDesk(): Desk {
  const make = makeDrafts();
  const logId = make.id();
  const calls: string[] = [];
  const desk: Desk = {
    make,
    logId,
    path: `${dataDir}/logs/${logId}.jsonl`,
    calls,
    disk: new MemoryDisk(),
    fault: () => null,
  };
  desk.disk = new MemoryDisk({
    fault: (call, nth) => {
      calls.push(call);
      return desk.fault(call, nth);
    },
  });
  return desk;
}

/** A process that starts on what is on the disk. */
const start = (desk: Desk) => openFilesSessionLog({ dataDir, ...desk.make, lock: null, ops: desk.disk });

/** A log with one message, and the text of its lines. */
async function written(desk: Desk) {
  const log = await start(desk);
  await log.create(desk.logId, desk.make.opened(desk.logId));
  await log.append(desk.logId, [desk.make.message(desk.logId, 'hi')]);
  await log.close();
  return desk.disk.bytesOf(desk.path);
}

async function faultsIn(log: SessionLog, logId: string) {
  const records = await recordsOf(log, logId);
  return records.flatMap((record) => (record.kind === 'event' ? [] : [{ kind: record.kind, ...record.range }]));
}

const typesIn = async (log: SessionLog, logId: string) => (await eventsOf(log, logId)).map((event) => event.type);

describe('a log that a crash left', () => {
  let desk: Desk;
  let whole: Buffer;
  beforeEach(async () => {
    desk = newDesk();
    whole = await written(desk);
  });

  const cases = [
    { name: 'in the middle of a record', tail: Buffer.from('{"v":1,"seq":4,"id":"01K') },
    { name: 'inside a character of three bytes', tail: Buffer.from([0x7b, 0x22, 0xe4, 0xb8]) },
    { name: 'inside an escape', tail: Buffer.from('{"text":"x\\ud8') },
    { name: 'as zeros', tail: Buffer.alloc(700) },
  ];
  it.each(cases)(
    'case-C01: torn $name: sealed once, reported once with its range, and the next append is intact',
    async ({ tail }) => {
      const torn = Buffer.concat([whole, tail]);
      desk.disk.put(desk.path, torn);
      const range = { from: whole.length, to: torn.length };

      const log = await start(desk);
      expect(await faultsIn(log, desk.logId)).toMatchObject([{ kind: 'torn', ...range }]);
      expect(desk.disk.bytesOf(desk.path)).toEqual(torn);
      await log.append(desk.logId, [desk.make.message(desk.logId, 'again')]);
      await log.append(desk.logId, [desk.make.message(desk.logId, 'and again')]);
      await log.close();

      const next = await start(desk);
      await next.append(desk.logId, [desk.make.message(desk.logId, 'later')]);
      const events = await eventsOf(next, desk.logId);
      expect(events.map((event) => event.type).slice(2)).toEqual([
        'message.user',
        'log.sealed',
        'message.user',
        'message.user',
        'message.user',
      ]);
      expect(events.find((event) => event.type === 'log.sealed')).toMatchObject({
        ...range,
        kind: 'torn',
        branch: desk.logId,
      });
      expect(events.map((event) => event.seq)).toEqual([1, 2, 3, 5, 6, 7, 8]);
      expect(await faultsIn(next, desk.logId)).toMatchObject([{ kind: 'torn', ...range }]);
      expect(desk.disk.bytesOf(desk.path).subarray(0, torn.length)).toEqual(torn);
    },
  );

  it('case-C01: right after the closing brace: the record counts and the next one begins with a newline', async () => {
    desk.disk.put(desk.path, whole.subarray(0, -1));
    const log = await start(desk);
    expect(await typesIn(log, desk.logId)).toEqual(['log.opened', 'branch.opened', 'message.user']);
    await log.append(desk.logId, [desk.make.message(desk.logId, 'again')]);
    const bytes = desk.disk.bytesOf(desk.path);
    expect(bytes.subarray(0, whole.length)).toEqual(whole);
    expect((await eventsOf(log, desk.logId)).map((event) => event.seq)).toEqual([1, 2, 3, 4]);
    expect(await faultsIn(log, desk.logId)).toEqual([]);
  });

  it('case-C03, rel-S5: torn, then blank lines, then good lines, and two crashes in a row', async () => {
    desk.disk.put(desk.path, Buffer.concat([whole, Buffer.from('{"v":1,"se\n\n\n')]));
    const first = await start(desk);
    await first.append(desk.logId, [desk.make.message(desk.logId, 'one')]);
    const good = desk.disk.bytesOf(desk.path);
    desk.disk.put(desk.path, Buffer.concat([good, Buffer.from('{"v":1')]));
    const second = await start(desk);
    await second.append(desk.logId, [desk.make.message(desk.logId, 'two')]);
    desk.disk.put(desk.path, Buffer.concat([desk.disk.bytesOf(desk.path), Buffer.from('{')]));
    const third = await start(desk);
    await third.append(desk.logId, [desk.make.message(desk.logId, 'three')]);
    const texts = (await eventsOf(third, desk.logId)).filter((event) => event.type === 'message.user');
    expect(texts).toHaveLength(4);
    expect((await faultsIn(third, desk.logId)).map(({ kind }) => kind)).toEqual(['damage', 'torn', 'torn']);
    expect((await typesIn(third, desk.logId)).filter((type) => type === 'log.damage')).toHaveLength(1);
  });

  it('L6: damage in the middle is reported once, whoever opens the log how often', async () => {
    const spoiled = Buffer.from(whole);
    const second = whole.indexOf(0x0a) + 1;
    spoiled.fill(0, second + 10, second + 20);
    desk.disk.put(desk.path, spoiled);
    for (const text of ['one', 'two', 'three']) {
      const log = await start(desk);
      await log.append(desk.logId, [desk.make.message(desk.logId, text)]);
      await log.close();
    }
    const log = await start(desk);
    const reports = (await eventsOf(log, desk.logId)).filter((event) => event.type === 'log.damage');
    const end = whole.indexOf(0x0a, second);
    expect(reports).toMatchObject([{ ranges: [{ from: second, to: end, why: 'checksum does not match' }] }]);
    expect(await typesIn(log, desk.logId)).toEqual([
      'log.opened',
      'message.user',
      'log.damage',
      'message.user',
      'message.user',
      'message.user',
    ]);
  });

  it('contract-1: seq goes on behind the newest and behind the number of lines', async () => {
    desk.disk.put(desk.path, Buffer.concat([whole, Buffer.from('\n\n\n\n')]));
    const log = await start(desk);
    const [event] = await log.append(desk.logId, [desk.make.message(desk.logId, 'eighth')]);
    expect(event?.seq).toBe(8);
  });
});

describe('group commit', () => {
  it('perf: whatever arrives during a sync shares the next one', async () => {
    const desk = newDesk();
    const log = await start(desk);
    await log.create(desk.logId, desk.make.opened(desk.logId));
    desk.calls.length = 0;
    const messages = Array.from({ length: 50 }, (_, index) => desk.make.message(desk.logId, `${index}`));
    await Promise.all(messages.map((message) => log.append(desk.logId, [message])));
    expect(desk.calls).toEqual(['write', 'syncData', 'write', 'syncData']);
  });

  it('contract-1: a batch is at most 1 MiB, a larger call goes alone', async () => {
    const desk = newDesk();
    const log = await start(desk);
    await log.create(desk.logId, desk.make.opened(desk.logId));
    desk.calls.length = 0;
    const big = 'x'.repeat(600_000);
    const texts = ['small', big, big, 'y'.repeat(2_000_000), 'small'];
    await Promise.all(texts.map((text) => log.append(desk.logId, [desk.make.message(desk.logId, text)])));
    // One at once, then the two of 600 kB apart, the large one alone, the last.
    expect(desk.calls.filter((call) => call === 'syncData')).toHaveLength(5);
  });

  it('L6: nothing is shown to a reader before it is durable', async () => {
    const desk = newDesk();
    const log = await start(desk);
    await log.create(desk.logId, desk.make.opened(desk.logId));
    desk.fault = (call) => (call === 'syncData' ? { errno: 'EIO' } : null);
    expect(await codeOf(log.append(desk.logId, [desk.make.message(desk.logId, 'lost')]))).toBe('storage_failed');
    expect(await typesIn(log, desk.logId)).toEqual(['log.opened', 'branch.opened']);
    const [listed] = await log.list();
    expect(listed?.bytes).toBe((await bytesOf(log, desk.logId)).length);
    expect(listed?.bytes).toBeLessThan(desk.disk.bytesOf(desk.path).length);
  });
});

describe('rel-S12: after a failed sync', () => {
  it('L8: the same handle is never believed again: reopened, written anew with the same id and a new seq', async () => {
    const desk = newDesk();
    const log = await start(desk);
    await log.create(desk.logId, desk.make.opened(desk.logId));
    desk.calls.length = 0;
    desk.fault = (call, nth) => (call === 'syncData' && nth === 1 ? { errno: 'EIO' } : null);
    const first = desk.make.mark(desk.logId, 2);
    const second = desk.make.mark(desk.logId, { id: first.id });
    const events = await log.append(desk.logId, [first, second]);
    expect(events.map(({ id, seq, prev }) => ({ id, seq, prev }))).toEqual([
      { id: first.id, seq: 5, prev: 2 },
      { id: second.id, seq: 6, prev: 5 },
    ]);
    expect(desk.calls.filter((call) => call !== 'read')).toEqual(['write', 'syncData', 'open', 'write', 'syncData']);
    const state = foldLog(await recordsOf(log, desk.logId));
    expect([...[5, 6].map((seq) => state.repeats.get(seq))]).toEqual([3, 4]);
  });

  it('L6: what a process before this one wrote is synced before anybody reads it', async () => {
    const desk = newDesk();
    await written(desk);
    desk.calls.length = 0;
    const log = await start(desk);
    await eventsOf(log, desk.logId);
    await eventsOf(log, desk.logId);
    expect(desk.calls).toEqual(['syncDirectory', 'syncDirectory', 'open', 'syncData', 'open', 'read', 'open', 'read']);
  });

  it('L8: what failed for good but is readable is made durable with the next append', async () => {
    const desk = newDesk();
    const log = await start(desk);
    await log.create(desk.logId, desk.make.opened(desk.logId));
    const failing = desk.make.mark(desk.logId, 2);
    desk.fault = (call) => (call === 'syncData' ? { errno: 'EIO' } : null);
    expect(await codeOf(log.append(desk.logId, [failing]))).toBe('storage_failed');
    desk.fault = () => null;
    const before = desk.disk.bytesOf(desk.path).length;
    await log.append(desk.logId, [desk.make.message(desk.logId, 'next')]);
    expect(desk.disk.bytesOf(desk.path).subarray(before).toString()).toContain(failing.id);
  });

  it('a later call that builds on an event which was not saved is refused', async () => {
    const desk = newDesk();
    const log = await start(desk);
    await log.create(desk.logId, desk.make.opened(desk.logId));
    const lost = desk.make.mark(desk.logId, 2);
    desk.fault = (call) => (call === 'write' ? { errno: 'ENOSPC' } : null);
    expect(await codeOf(log.append(desk.logId, [lost]))).toBe('storage_full');
    desk.fault = () => null;
    expect(await codeOf(log.append(desk.logId, [desk.make.mark(desk.logId, { id: lost.id })]))).toBe('conflict');
    expect((await log.append(desk.logId, [desk.make.mark(desk.logId, 2)])).map(({ seq }) => seq)).toEqual([3]);
  });

  it('a create that failed is no log, and may be tried again', async () => {
    const desk = newDesk();
    const log = await start(desk);
    desk.fault = (call) => (call === 'write' ? { errno: 'ENOSPC' } : null);
    const drafts = desk.make.opened(desk.logId);
    expect(await codeOf(log.create(desk.logId, drafts))).toBe('storage_full');
    desk.fault = () => null;
    expect(await log.list()).toEqual([]);
    expect(await codeOf(log.append(desk.logId, [desk.make.message(desk.logId, 'hello?')]))).toBe('not_found');
    expect(await codeOf(eventsOf(log, desk.logId))).toBe('not_found');
    expect((await log.create(desk.logId, drafts)).map(({ seq }) => seq)).toEqual([1, 2]);
  });

  it('L8: a create that met a full disk half-way leaves nothing for the next process either', async () => {
    const desk = newDesk();
    const log = await start(desk);
    desk.fault = (call, nth) => (call !== 'write' ? null : nth % 2 === 1 ? { short: 40 } : { errno: 'ENOSPC' });
    expect(await codeOf(log.create(desk.logId, desk.make.opened(desk.logId)))).toBe('storage_full');
    desk.fault = () => null;
    expect(await desk.disk.list(`${dataDir}/logs`, '')).toEqual([]);
    expect(await (await start(desk)).list()).toEqual([]);
  });

  it('rel-S16: what a crash left of a create is no conversation, and is gone after the next start', async () => {
    const desk = newDesk();
    const [first] = (await written(desk)).toString().split('\n');
    const leftover = `${dataDir}/logs/${desk.make.id()}.new`;
    desk.disk.put(leftover, Buffer.from(`${first}\n`));
    const log = await start(desk);
    expect((await log.list()).map(({ logId }) => logId)).toEqual([desk.logId]);
    expect((await desk.disk.list(`${dataDir}/logs`, '')).map(({ name }) => name)).toEqual([`${desk.logId}.jsonl`]);
  });

  it('rel-S16: a create whose directory was not synced is tried again and answered once', async () => {
    const desk = newDesk();
    const log = await start(desk);
    desk.fault = (call, nth) => (call === 'syncDirectory' && nth === 3 ? { errno: 'EIO' } : null);
    await log.create(desk.logId, desk.make.opened(desk.logId));
    expect(await typesIn(log, desk.logId)).toEqual(['log.opened', 'branch.opened']);
    expect(desk.calls.filter((call) => call === 'rename')).toHaveLength(2);
  });

  it('rel-S13: a log that cannot be read says so, and others work', async () => {
    const desk = newDesk();
    await written(desk);
    const log = await start(desk);
    desk.fault = (call) => (call === 'read' ? { errno: 'EIO' } : null);
    expect(await codeOf(eventsOf(log, desk.logId))).toBe('storage_failed');
    desk.fault = () => null;
    expect(await typesIn(log, desk.logId)).toHaveLength(3);
  });
});

describe('rel-S30: on a real disk', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tidemark-log-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('directories are 0700 and files 0600 under any umask', async () => {
    const before = process.umask(0);
    try {
      const make = makeDrafts();
      const logId = make.id();
      const log = await openFilesSessionLog({ dataDir: join(directory, 'new'), ...make, lock: null });
      await log.create(logId, make.opened(logId));
      await log.close();
      const modeOf = async (path: string) => ((await stat(join(directory, path))).mode & 0o777).toString(8);
      expect(await modeOf('new')).toBe('700');
      expect(await modeOf('new/logs')).toBe('700');
      expect(await modeOf(`new/logs/${logId}.jsonl`)).toBe('600');
    } finally {
      process.umask(before);
    }
  });

  it('case-C02: opening and reading change no byte and need no right to write', async () => {
    const make = makeDrafts();
    const logId = make.id();
    const log = await openFilesSessionLog({ dataDir: directory, ...make, lock: null });
    await log.create(logId, make.opened(logId));
    await log.close();
    const path = join(directory, 'logs', `${logId}.jsonl`);
    const torn = Buffer.concat([await readFile(path), Buffer.from('{"v":1,')]);
    await writeFile(path, torn);
    await chmod(path, 0o400);
    const reader = await openFilesSessionLog({ dataDir: directory, ...make, lock: null });
    expect((await recordsOf(reader, logId)).map(({ kind }) => kind)).toEqual(['event', 'event', 'torn']);
    await reader.close();
    expect(await readFile(path)).toEqual(torn);
  });

  it.skipIf(process.platform !== 'linux')(
    'perf: many logs keep few handles open, and each goes on where it was',
    async () => {
      const make = makeDrafts();
      const log = await openFilesSessionLog({ dataDir: directory, ...make, lock: null });
      const logIds = Array.from({ length: 90 }, () => make.id());
      for (const logId of logIds) await log.create(logId, make.opened(logId));
      for (const logId of logIds) {
        const [event] = await log.append(logId, [make.message(logId, 'more')]);
        expect(event?.seq).toBe(3);
      }
      const open = await Promise.all(
        (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
      );
      expect(open.filter((path) => path.startsWith(directory)).length).toBeLessThanOrEqual(65);
      await log.close();
    },
  );
});
