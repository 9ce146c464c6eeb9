import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { createFaultDisk, type DiskFault, type FaultDisk, type FileCall, type RecordedCall } from './fault-disk';
import type { Asked, Told } from './log-child-talk';
import { brokenPromises, idsIn, readPromises } from './recorded-disk';
import { newIds, say } from './rounds';
import { buildLogChild, type LogChild, startLogChild } from './start-log-child';

/** The driver of logs on the disk of the machine, in a process whose calls fail when they are told to. */

let script = '';
let dataDir = '';
let disk: FaultDisk;
let child: LogChild;

test.beforeAll(async () => {
  script = await buildLogChild();
});
test.beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tidemark-errors-'));
  disk = createFaultDisk(dataDir);
  child = startLogChild({ script, dataDir, recordPath: disk.recordPath, env: disk.env });
  expect(await child.next()).toEqual({ told: 'ready' });
  disk.takeRecorded();
});
test.afterEach(async () => {
  child.signal('SIGKILL');
  await child.gone;
  await rm(dataDir, { recursive: true });
});

async function ask(asked: Asked): Promise<Exclude<Told, { told: 'ready' }>> {
  child.ask(asked);
  const told = await child.next();
  if (told === null || told.told === 'ready') throw new Error('the process is gone');
  return told;
}

const bytesOf = (logId: string) => readFile(join(dataDir, 'logs', `${logId}.jsonl`));
const pathOf = (logId: string) => join(dataDir, 'logs', `${logId}.jsonl`);

interface Story {
  readonly refused: readonly string[];
  readonly acknowledged: readonly string[];
  readonly calls: readonly RecordedCall[];
  readonly resumed: boolean;
}

/** A log is made and written to; what is refused is asked for again until it works. */
async function tellStory(logId: string): Promise<Story> {
  const refused: string[] = [];
  const acknowledged: string[] = [];
  const attempt = async (asked: Asked): Promise<boolean> => {
    const told = await ask(asked);
    if (told.told === 'acknowledged') acknowledged.push(...told.ids);
    else refused.push(told.code);
    return told.told === 'acknowledged';
  };
  const insist = async (asked: Asked) => {
    for (let tries = 0; tries < 8; tries += 1) if (await attempt(asked)) return true;
    return false;
  };
  await insist({ ask: 'create', logId });
  for (const words of [1, 60, 5]) await attempt({ ask: 'append', logId, words });
  const resumed = await insist({ ask: 'append', logId, words: 3 });
  return { refused, acknowledged, calls: disk.takeRecorded(), resumed };
}

async function judgeStory(logId: string, { refused, acknowledged, calls, resumed }: Story, what: string) {
  const bytes = await bytesOf(logId);
  const there = new Set(idsIn(bytes));
  expect(resumed, what).toBe(true);
  expect(
    refused.filter((code) => !/^storage_(full|failed)$/.test(code)),
    what,
  ).toEqual([]);
  expect(
    acknowledged.filter((id) => !there.has(id)),
    what,
  ).toEqual([]);
  const promises = readPromises(calls, pathOf(logId));
  expect(
    promises.flatMap(({ ids }) => ids),
    what,
  ).toEqual(acknowledged);
  expect(brokenPromises(bytes, promises), what).toEqual([]);
}

const errnos = ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EMFILE', 'EIO'] as const;
const calls: readonly FileCall[] = ['open', 'write', 'fdatasync', 'fsync', 'rename'];

for (const times of [1, 4]) {
  test(`rel-S10, rel-S12: every error at every n-th call, ${times} in a row: no false answer, nothing silent, and it resumes`, async () => {
    test.setTimeout(600_000);
    let faults = 0;
    for (const errno of errnos) {
      for (const call of calls) {
        let met = true;
        for (let n = 1; met && n < 60; n += 1) {
          const logId = newIds.next();
          disk.plan({ match: '/logs', call, from: n, times, does: { errno } });
          const story = await tellStory(logId);
          met = story.calls.some(({ result }) => result === -constants.errno[errno]);
          await judgeStory(logId, story, `${errno} at ${call} ${n}, ${times} in a row`);
          if (met) faults += 1;
          // Every fault is told of to somebody, or was mended by writing anew: then a handle was opened for it.
          if (met && story.refused.length === 0)
            expect(story.calls.filter((one) => one.call === 'open').length).toBeGreaterThan(1);
        }
        expect(met, `${errno} at ${call}`).toBe(false);
      }
    }
    expect(faults).toBeGreaterThan(errnos.length * calls.length);
    say(`rel-S10: ${faults} faults of ${errnos.length} kinds, each met by a refusal or written anew`);
  });
}

test('rel-S12: after a failed sync nothing is acknowledged on that handle', async () => {
  const logId = newIds.next();
  await ask({ ask: 'create', logId });
  for (let nth = 1; nth <= 20; nth += 1) {
    disk.takeRecorded();
    disk.plan({ match: logId, call: 'fdatasync', from: 1 + (nth % 3), times: 1 + (nth % 2), does: { errno: 'EIO' } });
    for (let count = 0; count < 4; count += 1) await ask({ ask: 'append', logId, words: 4 });
    const recorded = disk.takeRecorded();
    let suspect = false;
    for (const { call, result, path } of recorded) {
      if (call === 'fdatasync' && result < 0) suspect = true;
      if (call === 'open' && path.endsWith('.jsonl') && result >= 0) suspect = false;
      if (call === 'ack') expect(suspect, JSON.stringify(recorded)).toBe(false);
    }
    expect(recorded.some(({ call, result }) => call === 'fdatasync' && result < 0)).toBe(true);
  }
});

test('rel-S11, L8: a write cut at every byte of a line is completed, or its rest sealed and written anew', async () => {
  test.setTimeout(240_000);
  const logId = newIds.next();
  await ask({ ask: 'create', logId });
  const before = (await bytesOf(logId)).length;
  const acknowledged: string[] = [];
  const append = async () => {
    const told = await ask({ ask: 'append', logId, words: 1 });
    if (told.told === 'acknowledged') acknowledged.push(...told.ids);
    return told.told === 'acknowledged' ? 'acknowledged' : told.code;
  };
  await append();
  const line = (await bytesOf(logId)).length - before;
  const write = (from: number, times: number, does: DiskFault['does']): DiskFault => ({
    match: logId,
    call: 'write',
    from,
    times,
    does,
  });
  for (let cut = 0; cut < line; cut += 1) {
    disk.plan(write(1, 1, { short: Math.max(1, cut) }));
    expect(await append()).toBe('acknowledged');
    disk.plan(write(1, 1, { short: Math.max(1, cut) }), write(2, 1, { errno: 'EIO' }));
    expect(await append()).toBe('acknowledged');
    disk.plan(write(1, 1, { short: Math.max(1, cut) }), write(2, 5, { errno: 'ENOSPC' }));
    expect(await append()).toBe('storage_full');
    disk.plan();
    expect(await append()).toBe('acknowledged');
  }
  const counts = new Map<string, number>();
  for (const id of idsIn(await bytesOf(logId))) counts.set(id, (counts.get(id) ?? 0) + 1);
  expect(acknowledged.filter((id) => counts.get(id) !== 1)).toEqual([]);
  expect(acknowledged.length).toBeGreaterThan(3 * line);
  const calls = disk.takeRecorded();
  expect(brokenPromises(await bytesOf(logId), readPromises(calls, pathOf(logId)).slice(1))).toEqual([]);
  say(`rel-S11: ${line} cuts of a line, each alone, before an error, and before a full disk`);
});

test('rel-S16: a new log is written, synced, named, and its name synced, before it is acknowledged', async () => {
  const logId = newIds.next();
  await ask({ ask: 'create', logId });
  const order = disk
    .takeRecorded()
    .filter(({ call, result }) => !['open', 'read'].includes(call) && result >= 0)
    .map(({ call, path }) =>
      call === 'ack' ? 'ack' : `${call} ${path.slice(dataDir.length + 1).replace(logId, 'it')}`,
    );
  expect(order).toEqual(['write logs/it.new', 'fsync logs/it.new', 'rename logs/it.jsonl', 'fsync logs', 'ack']);
});
