import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { openSearchInThread } from '../sqlite/search-in-thread';
import { openMemorySearch } from '../sqlite/search-index';
import { describeSearchIndex } from './search-index-suite';

const worker = fileURLToPath(new URL('../sqlite/search-worker.mjs', import.meta.url));
const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

async function newPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-search-'));
  folders.push(folder);
  return join(folder, 'search.sqlite');
}

const open = (path: string, report: (line: string) => void = () => undefined) =>
  openSearchInThread({ path, worker, report });
const said = { kind: 'user', at: '2026-11-20T08:00:00.000Z' } as const;
const entry = {
  sessionId: 'a',
  logId: 'log',
  title: '',
  texts: [{ itemId: 'i', shownId: 'i', point: 1, ...said, text: 'anchor' }],
};

describeSearchIndex('memory', async () => {
  const search = openMemorySearch();
  return { search, dispose: () => search.close() };
});

// One thread for the whole suite: each test begins with nothing in it.
const shared = newPath().then((path) => open(path));
afterAll(async () => (await shared).close());
describeSearchIndex('thread', async () => {
  const search = await shared;
  search.clear();
  return { search, dispose: async () => undefined };
});

describe('the file of full-text search', () => {
  it('L1: is read again by the next start', async () => {
    const path = await newPath();
    const first = open(path);
    first.add(entry);
    await first.noteSizes([{ logId: 'log', bytes: 7 }]);
    await first.close();
    const second = open(path);
    expect(await second.find('anchor')).toEqual(['a']);
    expect(await second.notedSizes()).toEqual(new Map([['log', 7]]));
    await second.close();
  });

  it('L1: is made anew where it is damaged, and then nothing is noted', async () => {
    const path = await newPath();
    await writeFile(path, 'this is no database, whatever its name says. '.repeat(200));
    const search = open(path);
    expect(await search.notedSizes()).toEqual(new Map());
    search.add(entry);
    expect(await search.find('anchor')).toEqual(['a']);
    await search.close();
  });

  it('L1: damage that is met later costs what was found so far, not the search', async () => {
    const path = await newPath();
    const first = open(path);
    for (let n = 0; n < 200; n += 1) {
      const texts = [{ itemId: `i${n}`, shownId: null, point: 1, ...said, text: `anchor ${'chain '.repeat(500)}` }];
      first.add({ ...entry, texts });
    }
    await first.noteSizes([{ logId: 'log', bytes: 7 }]);
    await first.close();
    const bytes = await readFile(path);
    await writeFile(path, bytes.fill(0x5a, Math.floor(bytes.length / 2)));
    const told: string[] = [];
    const search = open(path, (line) => told.push(line));
    await expect(search.find('anchor')).rejects.toMatchObject({ code: 'storage_failed' });
    search.add(entry);
    expect(await search.find('anchor')).toEqual(['a']);
    expect(await search.notedSizes()).toEqual(new Map());
    await search.close();
  });

  it('L1: a thread that has ended is an outcome: questions reject, changes are reported, sizes are not noted', async () => {
    const told: string[] = [];
    const search = open(await newPath(), (line) => told.push(line));
    await search.close();
    await expect(search.find('anchor')).rejects.toMatchObject({ code: 'storage_failed' });
    search.add(entry);
    await expect(search.noteSizes([])).rejects.toMatchObject({ code: 'storage_failed' });
    expect(told).toHaveLength(1);
  });
});
