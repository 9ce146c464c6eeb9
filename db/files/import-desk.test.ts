import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeLine } from '@/server/core/log/encode-line';
import { aLog } from '@/server/core/projection/log-builder';
import { foldLog } from '@/server/core/projection/log-state';
import { foldSession } from '@/server/core/projection/session-state';
import { makeDrafts } from '../contract-tests/session-log-drafts';
import { recordsOf } from '../contract-tests/session-log-suite';
import { prepareDrafts } from '../prepare-drafts';
import { openImportDesk } from './import-desk';
import { openFilesSessionLog } from './session-log';

const WORKER = fileURLToPath(new URL('import-worker.mjs', import.meta.url));
const request = {
  format: 'auto' as const,
  name: 'a file',
  owner: 'owner',
  app: 'test',
  at: '2026-01-02T03:04:05.678Z',
  resultCapBytes: 16_384,
  agentIds: [],
  defaultAgent: null,
};

async function* inPieces(bytes: Uint8Array, size = 5000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** A conversation with a fork, a revert, a summary and calls. */
function aStory(turns: number) {
  const story = aLog();
  for (let turn = 0; turn < turns; turn += 1)
    story.says(`question ${turn}`).calls('read_file', { path: 'a' }, 'word '.repeat(300)).replies(`answer ${turn}`);
  story
    .compacts({ covers: 3 })
    .reverts(3)
    .says('otherwise')
    .replies('so be it')
    .forks(3)
    .says('and here')
    .replies('too');
  return story;
}

describe('contract-20: imports beside the event loop', () => {
  let dataDir: string;
  let make: ReturnType<typeof makeDrafts>;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'tidemark-import-'));
    make = makeDrafts();
    await (await openFilesSessionLog({ dataDir, ...make, lock: null })).close();
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  const desk = (freeBytes = async () => 1e12) => openImportDesk({ dataDir, worker: WORKER, ids: make.ids, freeBytes });
  const names = () => readdir(join(dataDir, 'logs'));
  const logOf = async (logId: string) => {
    const log = await openFilesSessionLog({ dataDir, ...makeDrafts(), lock: null });
    const state = foldLog(await recordsOf(log, logId));
    await log.close();
    return state;
  };

  it("X10: a log becomes another one that says the same, under new ids, its owner's alone to read", async () => {
    const story = aStory(3);
    const made = await desk().take(inPieces(Buffer.from(story.events().map(encodeLine).join(''))), request);
    expect(made).toMatchObject({ format: 'tidemark', warnings: [] });
    expect(made.sessions).toHaveLength(2);
    const log = await logOf(made.logId);
    expect([log.violations, log.damage]).toEqual([[], []]);
    const texts = (of: ReturnType<typeof foldSession>) =>
      of.items.map(({ event }) => event.parts.map((part) => ('text' in part ? part.text : part.type)));
    const before = story.log();
    const [root = '', fork = ''] = made.sessions;
    expect(texts(foldSession(log, root))).toEqual(texts(foldSession(before, before.logId)));
    expect(texts(foldSession(log, fork))).toEqual(texts(foldSession(before, story.branch)));
    expect([...log.branches.keys()].some((id) => before.branches.has(id))).toBe(false);
    expect(await names()).toEqual([`${made.logId}.jsonl`]);
    expect((await stat(join(dataDir, 'logs', `${made.logId}.jsonl`))).mode & 0o777).toBe(0o600);
  });

  it('case-F03: a session of Claude Code too', async () => {
    const file = fileURLToPath(new URL('../../server/core/import/fixtures/ccviewer-1af7fc5e.jsonl', import.meta.url));
    const made = await desk().take(inPieces(await readFile(file)), request);
    expect(made.format).toBe('claude-code');
    expect((await logOf(made.logId)).violations).toEqual([]);
  });

  it('all or nothing: what is no conversation, and a body that breaks off, leave nothing behind', async () => {
    const taken = desk().take(inPieces(Buffer.from('Dear diary\n')), request);
    await expect(taken).rejects.toMatchObject({ code: 'invalid_import' });
    const broken = async function* () {
      yield Buffer.from(aStory(1).events().map(encodeLine).join(''));
      throw new Error('the line was cut');
    };
    await expect(desk().take(broken(), request)).rejects.toThrow('the line was cut');
    expect(await names()).toEqual([]);
  });

  it('rel-S28: is refused early where the disk has too little room, with both sizes', async () => {
    const taken = desk(async () => 50_000_000).take(inPieces(new Uint8Array(100)), request);
    await expect(taken).rejects.toMatchObject({ code: 'storage_full', message: expect.stringMatching(/65 MB.*50 MB/) });
    expect(await names()).toEqual([]);
  });

  it('what a kill left half-made is no log, and is gone after the next start', async () => {
    await writeFile(join(dataDir, 'logs', `${make.id()}.upload.new`), 'half a file');
    await writeFile(join(dataDir, 'logs', `${make.id()}.new`), '{"v":1,');
    const log = await openFilesSessionLog({ dataDir, ...make, lock: null });
    expect(await log.list()).toEqual([]);
    await log.close();
    expect(await names()).toEqual([]);
  });

  it('the event loop goes on turning while a large file is read in', async () => {
    const logId = make.id();
    const many = Array.from({ length: 12_000 }, () => make.message(logId, 'word '.repeat(100)));
    const prepared = prepareDrafts([...make.opened(logId), ...many]);
    const lines = prepared.map((draft, at) => draft.place({ seq: at + 1, prev: null }).line).join('');
    let longest = 0;
    let last = performance.now();
    let isOn = true;
    const turn = () => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
      if (isOn) setImmediate(turn);
    };
    const from = performance.now();
    turn();
    await desk().take(inPieces(Buffer.from(lines), 256 * 1024), request);
    isOn = false;
    expect(longest).toBeLessThan((performance.now() - from) / 3);
  });
});
