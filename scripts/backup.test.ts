import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeDrafts } from '@/db/contract-tests/session-log-drafts';
import { openFilesSessionLog } from '@/db/files/session-log';
import { createDocumentStore } from '@/db/sqlite/document-store';
import { keepCopy } from '@/db/sqlite/keep-copy';
import { openSqlite } from '@/db/sqlite/open';
import { createDraftStore } from '@/db/sqlite/small-stores';
import { openApplication } from '@/server/container';
import { parseEnvironment } from '@/server/container-environment';
import { backUpDirectory } from './backup-directory';
import { examineLogs } from './doctor-report';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MIGRATIONS = join(ROOT, 'db/migrations');
const WRITERS = 50;
const LOGS = 5;

/** Appends of each writer while one copy is made: without a bound, only the disk would be measured. */
const APPENDS = 8;

/** A directory that 50 writers write to while a copy is made: each appends to its log and then to the database. */
async function startWriters(dataDir: string) {
  const make = makeDrafts();
  const log = await openFilesSessionLog({ dataDir, ...make, lock: null });
  const sqlite = openSqlite({ path: join(dataDir, 'main.sqlite'), migrations: MIGRATIONS, now: 0 });
  // Small, so that the log of the database runs over into its pages all the time: what breaks a plain copy.
  sqlite.db.$client.pragma('wal_autocheckpoint = 2');
  createDocumentStore(sqlite.db).create({ id: 'agent', kind: 'agent', draft: { name: 'Ada' }, now: 1 });
  const drafts = createDraftStore(sqlite.db);
  const copy = keepCopy({
    client: sqlite.db.$client,
    path: join(dataDir, 'backup', 'main.sqlite'),
    startTimer: (_ms, act) => {
      const timer = setTimeout(act, 100);
      return () => clearTimeout(timer);
    },
    nextName: make.ids.next,
    report: (line) => expect.fail(line),
  });
  const acknowledged = new Map<string, string[]>();
  const write = async (logId: string) => {
    const own = acknowledged.get(logId) ?? [];
    for (let done = 0; done < APPENDS; done += 1) {
      const [event] = await log.append(logId, [make.message(logId, 'word '.repeat(40))]);
      if (event) own.push(event.id);
      drafts.write(logId, 'owner', 'draft '.repeat(200 + (own.length % 50)), own.length);
    }
  };
  for (let made = 0; made < LOGS; made += 1) {
    const logId = make.id();
    acknowledged.set(
      logId,
      (await log.create(logId, make.opened(logId))).map(({ id }) => id),
    );
    await write(logId);
  }
  let running: Promise<unknown> = Promise.resolve();
  return {
    /** Lets all of them write; gives what was acknowledged before, by log. */
    go: async () => {
      await running;
      const before = new Map([...acknowledged].map(([logId, ids]) => [logId, [...ids]]));
      const logIds = [...acknowledged.keys()];
      running = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(logIds[writer % LOGS] ?? '')));
      return before;
    },
    stop: async () => {
      await running;
      await copy.stop();
      await log.close();
      sqlite.close();
    },
  };
}

const run = (command: string, ...args: string[]) => once(spawn(command, args, { stdio: 'ignore' }), 'exit');

/** Starts from a copy as a server does, and gives what its logs hold; what was said on the way in `said`. */
async function restore(dataDir: string) {
  const environment = parseEnvironment({ NODE_ENV: 'production', TIDEMARK_DATA_DIR: dataDir }, ROOT);
  const { container, stop, isFresh } = await openApplication(environment);
  await container.start(isFresh);
  const listed = container.sessions.list({ limit: 100 }).sessions.length;
  const notice = container.server.ready().checks.find(({ name }) => name === 'store')?.text ?? null;
  await stop();
  const db = new Database(join(dataDir, 'main.sqlite'), { readonly: true });
  const [verdict, agents] = [
    db.pragma('integrity_check', { simple: true }),
    db.prepare("select count(*) from documents where id = 'agent'").pluck().get(),
  ];
  db.close();
  return { listed, notice, verdict, agents };
}

/** Ids of every line, by log; each log must be in good health. */
async function idsIn(dataDir: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const names = await readdir(join(dataDir, 'logs'));
  const read = names.map(async (name): Promise<[string, string[]]> => {
    const lines = (await readFile(join(dataDir, 'logs', name), 'utf8')).split('\n').filter((line) => line !== '');
    return [name.replace('.jsonl', ''), lines.map((line) => JSON.parse(line).id)];
  });
  return new Map(await Promise.all(read));
}

/** Acknowledged lines that are not there exactly once. */
function lostOf(acknowledged: ReadonlyMap<string, readonly string[]>, found: ReadonlyMap<string, readonly string[]>) {
  return [...acknowledged].flatMap(([logId, ids]) => {
    const there = found.get(logId) ?? [];
    const counted = new Set(there);
    return counted.size === there.length ? ids.filter((id) => !counted.has(id)) : [`${logId} holds a line twice`];
  });
}

describe('rel-S26: a backup of a directory that 50 writers write to', () => {
  let folder: string;
  let dataDir: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tidemark-backup-'));
    dataDir = join(folder, 'data');
    await mkdir(dataDir);
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('20 of 20 are whole, miss nothing that was acknowledged before, and start', async () => {
    const writers = await startWriters(dataDir);
    const made: { readonly into: string; readonly before: ReadonlyMap<string, readonly string[]> }[] = [];
    try {
      for (let turn = 0; turn < 20; turn += 1) {
        const into = join(folder, `copy-${turn}`);
        const before = await writers.go();
        expect((await backUpDirectory({ dataDir, into, withSecret: false })).logs).toBe(LOGS);
        made.push({ into, before });
      }
    } finally {
      await writers.stop();
    }
    for (const { into, before } of made) {
      expect((await examineLogs(into)).flatMap(({ findings }) => findings)).toEqual([]);
      expect(lostOf(before, await idsIn(into))).toEqual([]);
      expect(await restore(into)).toEqual({ listed: LOGS, notice: null, verdict: 'ok', agents: 1 });
    }
  }, 900_000);

  it('contract-20: a plain copy of the running directory starts too, from the copy of the database where it has to', async () => {
    const writers = await startWriters(dataDir);
    const made: { readonly into: string; readonly before: ReadonlyMap<string, readonly string[]> }[] = [];
    try {
      await expect.poll(async () => (await readdir(join(dataDir, 'backup'))).includes('main.sqlite')).toBe(true);
      for (let turn = 0; turn < 5; turn += 1) {
        const into = join(folder, `plain-${turn}`);
        const before = await writers.go();
        await run('cp', '-r', dataDir, into);
        // A database large enough is copied while pages of it change: half of them before, half of them after.
        const half = [
          'bs=4096',
          'conv=notrunc',
          `if=${join(dataDir, 'main.sqlite')}`,
          `of=${join(into, 'main.sqlite')}`,
        ];
        await run('dd', ...half, 'count=8');
        await writers.go();
        await writers.go();
        await run('dd', ...half, 'skip=8', 'seek=8');
        made.push({ into, before });
      }
    } finally {
      await writers.stop();
    }
    // Whether a page was caught in between is a matter of luck; the last copy leaves nothing to it.
    const last = made.at(-1)?.into ?? '';
    await writeFile(join(last, 'main.sqlite'), Buffer.alloc(40_000, 'no page'));
    for (const { into, before } of made) {
      const { notice, ...restored } = await restore(into);
      if (into === last) expect(notice).toContain('those of the copy kept in backup/');
      expect(restored).toEqual({ listed: LOGS, verdict: 'ok', agents: 1 });
      expect(lostOf(before, await idsIn(into))).toEqual([]);
    }
  }, 900_000);
});

describe('npm run backup', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tidemark-backup-'));
    await mkdir(join(folder, 'data', 'logs'), { recursive: true });
  });
  afterEach(() => rm(folder, { recursive: true }));

  const path = (...names: string[]) => join(folder, ...names);
  const back = (into = path('copy'), withSecret = false) =>
    backUpDirectory({ dataDir: path('data'), into, withSecret });

  it('rel-S26: cuts a log at its last whole line, and leaves one without any out', async () => {
    await writeFile(path('data/logs/a.jsonl'), `{"a":1}\n${'{"b":'.padEnd(200_000, 'x')}`);
    await writeFile(path('data/logs/b.jsonl'), 'half a line');
    await writeFile(path('data/logs/c.new'), 'not a log yet');
    expect(await back()).toEqual({ logs: 1, bytes: 8, empty: ['b.jsonl'] });
    expect(await readdir(path('copy/logs'))).toEqual(['a.jsonl']);
    expect(await readFile(path('copy/logs/a.jsonl'), 'utf8')).toBe('{"a":1}\n');
  });

  it('rel-S30: takes the secret along only when asked, and is nobody else to read', async () => {
    await writeFile(path('data/secret'), 'very secret', { mode: 0o644 });
    await writeFile(path('data/logs/a.jsonl'), '{}\n', { mode: 0o644 });
    await back();
    expect(await readdir(path('copy'))).toEqual(['logs']);
    await back(path('whole'), true);
    const modes = ['', 'logs', 'logs/a.jsonl', 'secret'].map(
      async (name) => (await stat(path('whole', name))).mode & 0o077,
    );
    expect(await Promise.all(modes)).toEqual([0, 0, 0, 0]);
  });

  it('overwrites nothing, lies nowhere within, and leaves nothing half-made', async () => {
    await mkdir(path('full'));
    await writeFile(path('full/kept'), 'kept');
    await expect(back(path('full'))).rejects.toThrow('not empty');
    await expect(back(path('data/copy'))).rejects.toThrow('within');
    await expect(backUpDirectory({ dataDir: path('full'), into: path('x'), withSecret: false })).rejects.toThrow(
      'no logs',
    );
    await writeFile(path('data/main.sqlite'), 'no database at all');
    await expect(back()).rejects.toThrow();
    expect((await readdir(folder)).sort()).toEqual(['data', 'full']);
    expect(await readFile(path('full/kept'), 'utf8')).toBe('kept');
  });

  it('as a command: ends with 0, 1 or 2', async () => {
    await writeFile(path('data/logs/a.jsonl'), '{}\n');
    const backUp = (...args: string[]) =>
      spawnSync(process.execPath, ['--import', 'tsx', 'scripts/backup.ts', ...args], {
        cwd: ROOT,
        encoding: 'utf8',
        env: { ...process.env, TIDEMARK_DATA_DIR: path('data') },
      });
    expect(backUp(path('copy'))).toMatchObject({ status: 0, stdout: expect.stringContaining('1 logs of 3 bytes') });
    expect(backUp(path('copy'))).toMatchObject({ status: 1, stderr: expect.stringContaining('not empty') });
    expect(backUp().status).toBe(2);
  });
});
