import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorkspace } from './workspace';

/** A workspace with a secret beside it: whatever a test reads, it must never be that. */
const SECRET = 'the secret that lies outside';
let base = '';
let folder = '';
const never = new AbortController().signal;

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'workspace-'));
  folder = join(base, 'root');
  mkdirSync(join(folder, 'notes', 'deep'), { recursive: true });
  mkdirSync(join(base, 'root-sibling'));
  mkdirSync(join(base, 'outside'));
  writeFileSync(join(base, 'secret.txt'), SECRET);
  writeFileSync(join(base, 'root-sibling', 'secret.txt'), SECRET);
  writeFileSync(join(base, 'outside', 'secret.txt'), SECRET);
  writeFileSync(join(folder, 'readme.md'), '# Readme\nline two\nüber line three\n');
  writeFileSync(join(folder, 'notes', 'a.txt'), 'alpha\nBeta\n');
  writeFileSync(join(folder, 'notes', 'deep', 'b.txt'), 'beta again\n');
  writeFileSync(join(folder, 'picture.bin'), Buffer.from([1, 0, 2, 0]));
  symlinkSync('../secret.txt', join(folder, 'link-file'));
  symlinkSync('..', join(folder, 'link-folder'));
  symlinkSync('/etc', join(folder, 'link-etc'));
  symlinkSync('readme.md', join(folder, 'link-inside'));
  linkSync(join(base, 'outside', 'secret.txt'), join(folder, 'hard-link.txt'));
  execFileSync('mkfifo', [join(folder, 'fifo')]);
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

function open(byDescriptor: boolean, limits = {}) {
  return createWorkspace({ roots: [{ name: 'root', folder }], now: () => 0, limits, byDescriptor });
}

/** What a model, a page it read, or a person might try to get out with. */
function hostileNames(): readonly string[] {
  const up = ['..', '../', '..//', './..', 'notes/..', 'notes/../..', 'notes/./../..', 'notes/deep/../../..'];
  const dots = [
    '%2e%2e',
    '%2E%2E',
    '%252e%252e',
    '.%2e',
    '%2e.',
    '..%00',
    '%c0%ae%c0%ae',
    '．．',
    '‥',
    '․․',
    '。。',
    '｡｡',
    '... ',
    '...',
    '.. ',
    ' ..',
    '..\t',
    '..\u0000',
    '..\u200b',
    '..;',
    '..%20',
    '..%c0%af',
    '..%2f',
    '..%5c',
    '..／',
  ];
  const targets = ['secret.txt', 'outside/secret.txt', 'root-sibling/secret.txt'];
  const absolute = [
    '/',
    '//',
    '/etc/passwd',
    '//etc/passwd',
    '/proc/self/environ',
    '/dev/zero',
    '/dev/stdin',
    '~',
    '~/x',
    '~root/x',
    'C:/x',
    'c:\\x',
    'C:',
    '\\\\host\\share',
    '\\etc',
    'file:///etc/passwd',
    join(base, 'secret.txt'),
  ];
  const links = [
    'link-file',
    'link-folder/secret.txt',
    'link-folder',
    'link-etc/passwd',
    'link-etc',
    'link-inside',
    'hard-link.txt',
    'notes/../link-file',
  ];
  const devices = [
    'fifo',
    'notes/../fifo',
    'CON',
    'con.txt',
    'aux/x',
    'NUL',
    'COM1',
    'lpt9.log',
    'readme.md::$DATA',
    'readme.md:x',
  ];
  const odd = [
    'readme.md.',
    'readme.md ',
    'readme.md/',
    'readme.md/x',
    'readme.md\u0000',
    'readme.md\u0000.txt',
    '\u0000',
    '\n',
    '\u007f',
    'a'.repeat(300),
    'a/'.repeat(3_000),
    `${'x/'.repeat(80)}y`,
    '..\\secret.txt',
    'notes\\..\\..\\secret.txt',
    '\u202e..',
    '\ufeff../secret.txt',
    '\ud800',
    '-',
    '--help',
    '*',
    '**',
    '$(id)',
    '`id`',
    '$HOME',
    '|id',
    ';id',
    '&',
    'proc/self/fd/3',
    'self',
  ];
  const joined = [...up, ...dots].flatMap((way) => targets.map((target) => `${way}/${target}`));
  const deeper = dots.map((way) => `notes/${way}/${way}/secret.txt`);
  const manyUps = Array.from({ length: 40 }, (_, depth) => `${'../'.repeat(depth + 1)}secret.txt`);
  const insideUps = Array.from({ length: 40 }, (_, depth) => `notes/${'../'.repeat(depth + 2)}etc/passwd`);
  return [...up, ...dots, ...joined, ...deeper, ...manyUps, ...insideUps, ...absolute, ...links, ...devices, ...odd];
}

describe.each([{ byDescriptor: true }, { byDescriptor: false }])(
  'a workspace (by descriptor: $byDescriptor)',
  (how) => {
    it('rel-X14: none of 300 hostile names reads, lists, hashes or searches anything outside', async () => {
      const workspace = open(how.byDescriptor);
      const names = hostileNames();
      expect(names.length).toBeGreaterThan(300);
      for (const name of names) {
        const file = await workspace.read(name, { signal: never });
        expect({ name, opened: file.ok && !['readme.md/', ''].includes(name) }).toEqual({ name, opened: false });
        const listing = await workspace.list(name, { depth: 2, signal: never });
        const found = await workspace.search({ text: 'secret', path: name, matchCase: false, signal: never });
        const said = JSON.stringify([file, found]);
        expect(said).not.toContain(SECRET);
        expect(JSON.stringify(listing)).not.toContain('secret.txt');
        expect(JSON.stringify([file, listing, found])).not.toContain(base);
        expect(name === 'readme.md/' ? null : await workspace.hash(name)).toBeNull();
      }
    });

    it('rel-X14: a name swapped for a link while it is opened never leads out', async () => {
      const workspace = open(how.byDescriptor);
      mkdirSync(join(folder, 'swap'), { recursive: true });
      writeFileSync(join(folder, 'swap', 'secret.txt'), 'inside');
      symlinkSync(join(base, 'outside'), join(folder, 'swap-link'));
      const swap = () => {
        renameSync(join(folder, 'swap'), join(folder, 'swap-away'));
        renameSync(join(folder, 'swap-link'), join(folder, 'swap'));
      };
      const back = () => {
        renameSync(join(folder, 'swap'), join(folder, 'swap-link'));
        renameSync(join(folder, 'swap-away'), join(folder, 'swap'));
      };
      for (let round = 0; round < 400; round += 1) {
        const reading = workspace.read('swap/secret.txt', { signal: never });
        // Names move at another point of the opening in every round.
        for (let turn = 0; turn < round % 12; turn += 1) await Promise.resolve();
        if (round % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
        swap();
        const during = workspace.read('swap/secret.txt', { signal: never });
        await new Promise((resolve) => setImmediate(resolve));
        back();
        for (const file of [await reading, await during]) {
          if (file.ok) expect(file.text).toBe('inside');
        }
      }
      rmSync(join(folder, 'swap'), { recursive: true });
      rmSync(join(folder, 'swap-link'));
    });

    it('T1: reads a file with its hash; says why it does not read another', async () => {
      const workspace = open(how.byDescriptor, { fileBytes: 20 });
      const file = await workspace.read('./notes//a.txt', { signal: never });
      expect(file).toMatchObject({ ok: true, path: 'notes/a.txt', text: 'alpha\nBeta\n', bytes: 11 });
      expect(file.ok && file.sha256).toBe(await workspace.hash('notes/a.txt'));
      const why = async (path: string) => {
        const refused = await workspace.read(path, { signal: never });
        return refused.ok ? 'read' : refused.why;
      };
      expect(await why('nowhere.txt')).toBe('not_found');
      expect(await why('notes')).toBe('not_a_file');
      expect(await why('')).toBe('not_a_file');
      expect(await why('fifo')).toBe('not_a_file');
      expect(await why('picture.bin')).toBe('binary');
      expect(await why('readme.md')).toBe('too_large');
      expect(await why('link-file')).toBe('outside');
      expect(await why('hard-link.txt')).toBe('outside');
    });

    it('T1: lists folders to a depth, links as what they are, and says when it is cut', async () => {
      const workspace = open(how.byDescriptor);
      const flat = await workspace.list('notes', { depth: 1, signal: never });
      expect(flat).toEqual({
        ok: true,
        path: 'notes',
        cut: false,
        entries: [
          { path: 'notes/a.txt', kind: 'file', bytes: 11 },
          { path: 'notes/deep', kind: 'folder', bytes: null },
        ],
      });
      const all = await workspace.list('', { depth: 8, signal: never });
      const paths = all.ok ? all.entries.map((entry) => `${entry.kind} ${entry.path}`) : [];
      expect(paths).toContain('file notes/deep/b.txt');
      expect(paths).toContain('other link-folder');
      expect(paths.some((path) => path.includes('link-folder/'))).toBe(false);
      const cut = await open(how.byDescriptor, { entries: 2 }).list('', { depth: 1, signal: never });
      expect(cut).toMatchObject({ ok: true, cut: true });
    });

    it('T1: finds lines, letter case ignored unless asked, within bounds of matches and time', async () => {
      const workspace = open(how.byDescriptor);
      const ask = { text: 'beta', path: '', matchCase: false, signal: never };
      const found = await workspace.search(ask);
      expect(found).toMatchObject({ ok: true, cut: null });
      expect(found.ok && found.matches).toEqual([
        { path: 'notes/a.txt', line: 2, text: 'Beta' },
        { path: 'notes/deep/b.txt', line: 1, text: 'beta again' },
      ]);
      const exact = await workspace.search({ ...ask, matchCase: true });
      expect(exact.ok && exact.matches.map((match) => match.path)).toEqual(['notes/deep/b.txt']);
      const one = await workspace.search({ ...ask, path: 'notes/a.txt' });
      expect(one.ok && one.matches).toHaveLength(1);
      expect(await open(how.byDescriptor, { matches: 1 }).search(ask)).toMatchObject({ cut: 'matches' });
      let clock = 0;
      const slow = createWorkspace({
        roots: [{ name: 'r', folder }],
        now: () => (clock += 4_000),
        byDescriptor: how.byDescriptor,
      });
      expect(await slow.search(ask)).toMatchObject({ ok: true, cut: 'time' });
    });
  },
);

describe('a workspace', () => {
  it('T1: several roots are folders of their own, named first in a path', async () => {
    const roots = [
      { name: 'one', folder },
      { name: 'two', folder: join(folder, 'notes') },
    ];
    const workspace = createWorkspace({ roots, now: () => 0 });
    expect(await workspace.read('two/a.txt', { signal: never })).toMatchObject({ ok: true, path: 'two/a.txt' });
    expect(await workspace.read('two/../one/readme.md', { signal: never })).toMatchObject({
      ok: false,
      why: 'outside',
    });
    expect(await workspace.read('three/a.txt', { signal: never })).toMatchObject({ ok: false, why: 'not_found' });
    const top = await workspace.list('', { depth: 1, signal: never });
    expect(top.ok && top.entries.map((entry) => entry.path)).toEqual(['one', 'two']);
    const found = await workspace.search({ text: 'alpha', path: '', matchCase: true, signal: never });
    expect(found.ok && found.matches.map((match) => match.path)).toEqual(['one/notes/a.txt', 'two/a.txt']);
  });

  it('T3: a stop ends reading, listing and searching', async () => {
    const stopped = AbortSignal.abort();
    const workspace = createWorkspace({ roots: [{ name: 'r', folder }], now: () => 0 });
    const cancelled = { ok: false, why: 'cancelled' };
    expect(await workspace.read('readme.md', { signal: stopped })).toMatchObject(cancelled);
    expect(await workspace.list('', { depth: 1, signal: stopped })).toMatchObject(cancelled);
    expect(await workspace.search({ text: 'a', path: '', matchCase: false, signal: stopped })).toMatchObject(cancelled);
  });
});
