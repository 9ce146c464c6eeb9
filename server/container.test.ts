import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openApplication } from './container';
import { parseEnvironment } from './container-environment';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Calls of `node:fs` that open a file they are given: closing it again would let go of SQLite's locks (reliability 0.5). */
const OPENING = [
  'open',
  'readFile',
  'writeFile',
  'appendFile',
  'copyFile',
  'cp',
  'truncate',
  'openSync',
  'readFileSync',
  'writeFileSync',
  'appendFileSync',
  'copyFileSync',
  'cpSync',
  'truncateSync',
  'createReadStream',
  'createWriteStream',
  'openAsBlob',
];

/** Notes every path that such a call is given, for the whole process, until it is told to stop. */
function watchOpens(): { readonly paths: string[]; stop(): void } {
  const paths: string[] = [];
  const undo: (() => void)[] = [];
  for (const owner of [fs, promises]) {
    for (const name of OPENING) {
      const real: unknown = Reflect.get(owner, name);
      if (typeof real !== 'function') continue;
      const noting = (...args: unknown[]): unknown => {
        paths.push(...args.slice(0, 2).filter((arg) => typeof arg === 'string'));
        return Reflect.apply(real, owner, args);
      };
      Reflect.set(owner, name, noting);
      undo.push(() => Reflect.set(owner, name, real));
    }
  }
  syncBuiltinESMExports();
  return {
    paths,
    stop: () => {
      for (const back of undo) back();
      syncBuiltinESMExports();
    },
  };
}

describe('a whole installation on a disk', () => {
  let folder: string;
  let dataDir: string;
  beforeEach(() => {
    folder = fs.mkdtempSync(join(tmpdir(), 'tidemark-container-'));
    dataDir = join(folder, 'data');
  });
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  const start = async () => {
    const environment = parseEnvironment({ NODE_ENV: 'production', TIDEMARK_DATA_DIR: dataDir }, ROOT);
    const started = await openApplication(environment);
    await started.container.start(started.isFresh);
    return started;
  };

  /** A little of everything that touches the directory. */
  const use = async () => {
    const { container, stop } = await start();
    const { id } = await container.imports.openSample('owner');
    await container.sessions.saveDraft(id, 'a draft', 'owner');
    await container.sessions.search({ q: 'ledger', limit: 10 });
    await (await container.exports.log(id)).text();
    container.server.ready();
    await container.rebuildIndex();
    await stop();
  };

  it('rel-S27: no file call ever opens a SQLite file, at a start after damage neither', async () => {
    const spoil = fs.writeFileSync;
    const watched = watchOpens();
    try {
      await use();
      await use();
      spoil(join(dataDir, 'main.sqlite'), 'no database at all');
      await use();
    } finally {
      watched.stop();
    }
    expect(fs.readdirSync(dataDir).some((name) => name.startsWith('damaged-'))).toBe(true);
    // That it sees anything at all: the logs are opened all the time.
    expect(watched.paths.some((path) => path.endsWith('.jsonl'))).toBe(true);
    expect(watched.paths.filter((path) => /\.sqlite(?:-wal|-shm)?$/.test(path))).toEqual([]);
  });

  it('rel-S30: directories are 0700 and files 0600 whatever the umask is', async () => {
    const before = process.umask(0);
    try {
      await use();
    } finally {
      process.umask(before);
    }
    const found = [
      dataDir,
      ...fs.readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).map((name) => join(dataDir, name)),
    ];
    const open = found.filter((path) => (fs.statSync(path).mode & 0o077) !== 0);
    expect(open).toEqual([]);
    expect(found.some((path) => path.endsWith('backup/main.sqlite'))).toBe(true);
  });
});
