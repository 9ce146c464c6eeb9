import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FilesLog, openFilesSessionLog } from '@/db/files/session-log';
import { createIds } from '@/server/core/ids';
import { encodeLine } from '@/server/core/log/encode-line';
import { aLog, type LogBuilder } from '@/server/core/projection/log-builder';
import { foldSession } from '@/server/core/projection/session-state';
import type { LogState } from '@/server/core/projection/state-shape';
import { projectTranscript } from '@/server/core/projection/transcript';
import { sumOf } from '@/server/core/snapshot/snapshot-file';
import { type OpenedLog, openLog } from './open-log';

const clock = { now: () => Date.UTC(2026, 5, 1) };
const ids = createIds({ clock, drawBytes: (count) => new Uint8Array(count) });

let dataDir = '';
let files: FilesLog;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'tidemark-open-'));
  files = await openFilesSessionLog({ dataDir, ids, clock, lock: null });
});
afterEach(async () => {
  await files.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** A conversation of about 700 kB, two summaries and a revert in it. */
function aLongStory(): LogBuilder {
  const story = aLog().session();
  for (let turn = 0; turn < 60; turn += 1) {
    story
      .says(`question ${turn}`)
      .calls('read_file', { path: `${turn}.md` }, `${turn} `.repeat(3_000))
      .replies('done');
    if (turn === 20 || turn === 40) story.compacts();
  }
  return story;
}

function put(story: LogBuilder): string {
  const { logId } = story.log();
  writeFileSync(join(dataDir, 'logs', `${logId}.jsonl`), story.events().map(encodeLine).join(''));
  return logId;
}

const open = async (logId: string): Promise<OpenedLog> => {
  const opened = await openLog({ sessionLog: files, side: files.side, ids }, logId);
  await opened.saved;
  return opened;
};

async function restart(): Promise<void> {
  await files.close();
  files = await openFilesSessionLog({ dataDir, ids, clock, lock: null });
}

const sideFiles = () => readdirSync(join(dataDir, 'derived')).sort();
const sidePath = (name: string) => join(dataDir, 'derived', name);

function lookAt(log: LogState, logId: string): unknown {
  const session = foldSession(log, logId);
  return { transcript: projectTranscript(session, log), items: session.items.map(({ id, number }) => [id, number]) };
}

describe('opening a log', () => {
  it('perf-A2: the second opening reads the snapshot and the end of the log, and says the same', async () => {
    const story = aLongStory();
    const logId = put(story);
    const whole = await open(logId);
    expect(sideFiles()).toEqual([`${logId}.rows`, `${logId}.snapshot`]);
    const read = { bytes: 0 };
    const side = {
      ...files.side,
      readFrom: (id: string, offset: number) => count(files.side.readFrom(id, offset), read),
    };
    const again = await openLog({ sessionLog: files, side, ids }, logId);
    expect(read.bytes).toBe(0);
    const expected = lookAt(story.log(), logId);
    expect(lookAt(whole.log, logId)).toEqual(expected);
    expect(lookAt(again.log, logId)).toEqual(expected);
    expect(again.sessions.get(logId)?.items.length).toBe(story.state().items.length);
  });

  it.each([
    ['cut in half', (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1)],
    ['with one bit turned', (bytes: Buffer) => flip(bytes, bytes.length >> 1)],
    ['with its first bit turned', (bytes: Buffer) => flip(bytes, 0)],
    ['empty', () => Buffer.alloc(0)],
    ['of a later release', (bytes: Buffer) => resign(bytes, (text) => text.replace('"version":1', '"version":2'))],
    [
      'of another log',
      (bytes: Buffer) => resign(bytes, (text) => text.replace(/"logId":"\w+"/, '"logId":"01K0000000000000000000OTHR"')),
    ],
    [
      'of a log that was another then',
      (bytes: Buffer) => resign(bytes, (text) => text.replace(/"sha256":"\w+"/, `"sha256":"${'0'.repeat(64)}"`)),
    ],
    ['that no longer is JSON', (bytes: Buffer) => resign(bytes, (text) => text.slice(1))],
    [
      'whose lines stand elsewhere',
      (bytes: Buffer) => resign(bytes, (text) => text.replace(/"held":\[\[(\d+),(\d+)/, '"held":[[$1,7$2')),
    ],
  ])('rel-S17: a snapshot %s is ignored and made anew', async (_name, change) => {
    const story = aLongStory();
    const logId = put(story);
    await open(logId);
    const good = readFileSync(sidePath(`${logId}.snapshot`));
    writeFileSync(sidePath(`${logId}.snapshot`), change(Buffer.from(good)));
    const opened = await open(logId);
    expect(lookAt(opened.log, logId)).toEqual(lookAt(story.log(), logId));
    expect(readFileSync(sidePath(`${logId}.snapshot`))).toEqual(good);
  });

  it.each([
    ['deleted', () => null],
    ['cut in half', (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1)],
    ['with one bit turned', (bytes: Buffer) => flip(bytes, bytes.length >> 1)],
  ])('rel-S17: rows %s while a state goes by them are made anew', async (_name, change) => {
    const story = aLongStory();
    const logId = put(story);
    await open(logId);
    const opened = await open(logId);
    const changed = change(readFileSync(sidePath(`${logId}.rows`)));
    if (changed === null) rmSync(sidePath(`${logId}.rows`));
    else writeFileSync(sidePath(`${logId}.rows`), changed);
    expect(lookAt(opened.log, logId)).toEqual(lookAt(story.log(), logId));
  });

  it('rel-S17: a stale snapshot and rows beyond it only cost time', async () => {
    const story = aLongStory();
    const logId = put(story);
    await open(logId);
    const stale = readFileSync(sidePath(`${logId}.snapshot`));
    for (let turn = 0; turn < 60; turn += 1)
      story.says('more').calls('read_file', {}, 'x'.repeat(20_000)).replies('ok');
    put(story);
    await restart();
    await open(logId);
    writeFileSync(sidePath(`${logId}.snapshot`), stale);
    const opened = await open(logId);
    expect(lookAt(opened.log, logId)).toEqual(lookAt(story.log(), logId));
  });

  it('perf-A3: the first append after opening reads nothing before what the snapshot vouches for', async () => {
    const story = aLongStory();
    const logId = put(story);
    await open(logId);
    await restart();
    await open(logId);
    const path = join(dataDir, 'logs', `${logId}.jsonl`);
    // Were the beginning read, this would be found and reported as damage before the line.
    const bytes = readFileSync(path);
    writeFileSync(path, flip(bytes, 40));
    const at = new Date(clock.now()).toISOString();
    const [event] = await files.append(logId, [
      { id: ids.next(), branch: logId, at, type: 'session.changed', title: 'Named' },
    ]);
    expect(event?.seq).toBe(story.log().newestSeq + 1);
  });
});

async function* count(chunks: AsyncIterable<Uint8Array>, read: { bytes: number }) {
  for await (const chunk of chunks) {
    read.bytes += chunk.length;
    yield chunk;
  }
}

function flip(bytes: Buffer, at: number): Buffer {
  bytes.writeUInt8((bytes[at] ?? 0) ^ 1, at);
  return bytes;
}

/** The snapshot with another body and a checksum that fits it: what only its content can give away. */
function resign(bytes: Buffer, change: (body: string) => string): Buffer {
  const text = bytes.toString('utf8');
  const body = change(text.slice(text.indexOf('\n') + 1));
  return Buffer.from(`tidemark-snapshot ${sumOf(body)}\n${body}`);
}
