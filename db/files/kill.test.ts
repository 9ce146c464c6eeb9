import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeDrafts } from '../contract-tests/session-log-drafts';
import { eventsOf } from '../contract-tests/session-log-suite';
import { startChild } from './child-process';
import { seededRandom } from './power-cut';
import { openFilesSessionLog } from './session-log';

/** Rounds in every run; the nightly one sets more. */
const rounds = Number(process.env.TIDEMARK_KILL_ROUNDS ?? 20);

describe('rel-S1: kill -9', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'tidemark-kill-'));
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  it(`${rounds} times while three callers append: nothing acknowledged is lost or doubled, no byte changes`, async () => {
    const make = makeDrafts();
    const logId = make.id();
    const path = join(dataDir, 'logs', `${logId}.jsonl`);
    const random = seededRandom(20);
    const acknowledged: string[] = [];
    let before = Buffer.alloc(0);
    for (let round = 0; round < rounds; round += 1) {
      const child = startChild(dataDir, logId);
      expect(await child.nextLine()).toBe('ready');
      const enough = acknowledged.length + 1 + Math.floor(random() * 60);
      while (acknowledged.length < enough) acknowledged.push((await child.nextLine()) ?? 'died early');
      await child.kill();
      for (let line = await child.nextLine(); line !== null; line = await child.nextLine()) acknowledged.push(line);

      const bytes = await readFile(path);
      expect(bytes.subarray(0, before.length).equals(before)).toBe(true);
      before = bytes;
    }
    const log = await openFilesSessionLog({ dataDir, ...make, lock: null });
    const [next] = await log.append(logId, [make.message(logId, 'after all that')]);
    const ids = (await eventsOf(log, logId)).map((event) => event.id);
    await log.close();
    const found = new Set(ids);
    expect(found.size).toBe(ids.length);
    expect(acknowledged.filter((id) => !found.has(id))).toEqual([]);
    expect(ids.at(-1)).toBe(next?.id);
  }, 300_000);
});
