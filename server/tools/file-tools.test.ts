import { describe, expect, it } from 'vitest';
import { aLog } from '@/server/core/projection/log-builder';
import type { Workspace } from '@/server/ports/workspace';
import { listFiles } from './list-files';
import { readFile } from './read-file';
import { searchFiles } from './search-files';
import type { Tool } from './tool';

const sha256 = 'a'.repeat(64);
const gone = { ok: false, why: 'not_found', text: 'There is no such file.' } as const;

/** A workspace of one file, `a.txt`; no disk is touched. */
const workspace: Workspace = {
  list: async (path) =>
    path === ''
      ? {
          ok: true,
          path: '',
          cut: true,
          entries: [
            { path: 'a.txt', kind: 'file', bytes: 9 },
            { path: 'lib', kind: 'folder', bytes: null },
            { path: 'pipe', kind: 'other', bytes: null },
          ],
        }
      : gone,
  read: async (path) => (path === 'a.txt' ? { ok: true, path, text: 'one\ntwo\nthree', bytes: 13, sha256 } : gone),
  search: async ({ text }) =>
    text === 'two'
      ? { ok: true, matches: [{ path: 'a.txt', line: 2, text: 'two' }], filesRead: 1, cut: 'matches' }
      : { ok: true, matches: [], filesRead: 1, cut: null },
  hash: async () => sha256,
};

async function use(tool: Tool, args: unknown, at: Workspace | null = workspace) {
  const state = aLog().says('hi').state();
  const { signal } = new AbortController();
  const outcome = await tool.run(args, { state, callId: 'c', workspace: at, recallCapBytes: 16_384, signal });
  return { ...outcome, text: outcome.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') };
}

describe('tools that read files (T1)', () => {
  it('T1: list_files names folders, sizes and what is no file, and says when there is more', async () => {
    const listed = await use(listFiles, {});
    expect(listed.text).toBe(
      'a.txt (9 bytes)\nlib/\npipe (not a readable file)\n(more was there; list a folder further down)',
    );
  });

  it('C6: read_file gives the text as it is and notes what was read', async () => {
    expect(await use(readFile, { path: 'a.txt' })).toMatchObject({
      text: 'one\ntwo\nthree',
      isError: false,
      observed: [{ path: 'a.txt', sha256, how: 'read' }],
    });
    expect((await use(readFile, { path: 'a.txt', fromLine: 2, lines: 1 })).text).toBe('a.txt, lines 2-2 of 3:\ntwo');
    expect(await use(readFile, { path: 'a.txt', fromLine: 9 })).toMatchObject({ isError: true });
  });

  it('T1: search_files gives path, line and text, and says when it was cut', async () => {
    expect((await use(searchFiles, { text: 'two' })).text).toMatch(/^a\.txt:2: two\nThere are more matches/);
    expect((await use(searchFiles, { text: 'zebra' })).text).toBe('No line holds it (1 files searched).');
  });

  it('T3: refusals, wrong arguments and a missing workspace are results, not exceptions', async () => {
    expect(await use(readFile, { path: 'b' })).toMatchObject({
      isError: true,
      text: 'b: There is no such file.',
      observed: [],
    });
    expect(await use(readFile, {})).toMatchObject({ isError: true, why: 'invalid_arguments' });
    expect(await use(readFile, 'a.txt')).toMatchObject({ why: 'invalid_arguments' });
    expect(await use(listFiles, { path: 'x', depth: 99 })).toMatchObject({ why: 'invalid_arguments' });
    for (const tool of [listFiles, readFile, searchFiles]) {
      expect(await use(tool, { path: 'a.txt', text: 'x' }, null)).toMatchObject({ isError: true });
    }
  });
});
