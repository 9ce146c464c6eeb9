import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LogBlocks } from '@/db/files/log-blocks';
import { encodeLine } from '@/server/core/log/encode-line';
import { aLog } from '@/server/core/projection/log-builder';
import { foldSession } from '@/server/core/projection/session-state';
import { Replay } from './replay-log';

const MB = 1024 * 1024;
const patience = 300_000;

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tidemark-strange-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const story = () => aLog().session().says('before').replies('it').says('after').replies('all');

/** The story with bytes of another kind as a line in its middle, read as a log is opened. */
async function replayWith(strange: Iterable<Uint8Array>) {
  const lines = story().events().map(encodeLine);
  const path = join(directory, 'strange.jsonl');
  const file = await open(path, 'w');
  await file.write(lines.slice(0, 6).join(''));
  for (const piece of strange) await file.write(piece);
  await file.write(`\n${lines.slice(6).join('')}`);
  await file.close();
  let most = 0;
  const blocks = new LogBlocks(() => path);
  const line = (place: { readonly from: number; readonly bytes: number }) => blocks.read('strange', place);
  const source = { rows: () => replay.rows.fresh, line };
  const replay: Replay = new Replay(source, null, () => undefined);
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
    replay.take(chunk);
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    most = Math.max(most, heapUsed + arrayBuffers);
  }
  replay.end();
  return { log: replay.log, most };
}

function* repeat(text: string, times: number): Generator<Uint8Array> {
  const piece = Buffer.from(text.repeat(1024));
  for (let done = 0; done < times; done += 1024) yield piece;
}

describe('rel-S22: strange lines are skipped and named, in bounded memory', () => {
  it(
    'a line of 200 MB',
    async () => {
      const before = process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
      const { log, most } = await replayWith(repeat('{"v":1,"text":"'.padEnd(200, 'x'), MB));
      expect(log.damage.map(({ from, to, why }) => [to - from, why])).toEqual([[200 * MB, 'longer than 64 MiB']]);
      // Twice the longest line that is read at all.
      expect(most - before).toBeLessThan(128 * MB);
      expect(foldSession(log, log.logId).items.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
    },
    patience,
  );

  it(
    'five million brackets deep',
    async () => {
      const { log } = await replayWith(repeat('[', 5_000_000));
      expect(log.damage.map(({ why }) => why)).toEqual(['nested deeper than 64']);
      expect(foldSession(log, log.logId).items.length).toBe(4);
    },
    patience,
  );

  it(
    'a million tiny lines',
    async () => {
      const { log } = await replayWith(repeat('\n', MB));
      expect(log.damage).toEqual([]);
      expect(foldSession(log, log.logId).items.length).toBe(4);
    },
    patience,
  );
});
