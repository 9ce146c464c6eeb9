import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDERS = ['app', 'bench', 'components', 'db', 'e2e', 'scripts', 'server'];
const known = new Set(
  [...readFileSync(join(ROOT, 'docs/rules.md'), 'utf8').matchAll(/^- \*\*([A-Za-z0-9-]+)\*\* \S/gm)].map(
    ([, id]) => id,
  ),
);

interface Cited {
  readonly id: string;
  readonly where: string;
}

/** Ids with a prefix may stand anywhere. What is meant to be one and is none (`case-1`, an id behind a blank) is found too. */
const PREFIXED = /\b(?:case|rel|perf)-[A-Z]?\d+[a-z]?\b|\bcase [A-F]\d{2}\b/g;
/** A bare letter and number is an id only where people write prose: in comments and in the names of tests. */
const BARE = /(?<![\w$&#/.'"-])[LMBCRSPKGTNEX]\d{1,2}(?![\w%'"])/g;
const TEST_NAME = /\b(?:it|test|describe)(?:\.\w+)*(?:\([^'"`]*\))?\(\s*(['"`])(.*?)\1/g;

/** The ids that a source text cites, with the line they stand on. */
function findCited(text: string, path: string): readonly Cited[] {
  return text.split('\n').flatMap((line, index) => {
    const where = `${path}:${index + 1}`;
    const comment = /(?:^\s*(?:\/?\*|\/\/)|\s\/\/\s|\/\*)(.*)$/.exec(line)?.[0] ?? '';
    const names = [...line.matchAll(TEST_NAME)].map(([, , name]) => name ?? '');
    // A test's name is prose in a string, so what stands in it counts with its quotes taken off.
    const prose = [comment, ...names].join('\n').replace(/\b(?:case|rel|perf)-\w+/g, '');
    const ids = [...line.matchAll(PREFIXED), ...prose.matchAll(BARE)].map(([id]) => id);
    return [...new Set(ids)].map((id) => ({ id, where }));
  });
}

const walk = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(?:tsx?|mjs|css)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));

function readTree(): readonly Cited[] {
  const present = new Set(readdirSync(ROOT));
  return FOLDERS.filter((folder) => present.has(folder))
    .flatMap((folder) => walk(join(ROOT, folder)))
    .flatMap((path) => findCited(readFileSync(path, 'utf8'), relative(ROOT, path)));
}

describe('docs/rules.md', () => {
  it('has a line for every id that a test or comment cites, and knows no malformed ones', () => {
    const unknown = readTree().filter(({ id }) => !known.has(id));
    expect(unknown.map(({ id, where }) => `${id} in ${where}`)).toEqual([]);
  });

  it('is looked for in the tree as people write ids', () => {
    const cited = (line: string) => findCited(line, 'x.ts').map(({ id }) => id);
    expect(cited("  it('L6, rel-S4: a torn tail is sealed once', () => {")).toEqual(['rel-S4', 'L6']);
    expect(cited('/** Fixed at append (M4, case-B07). */')).toEqual(['case-B07', 'M4']);
    expect(cited(' * what a rule (C8) says')).toEqual(['C8']);
    expect(cited("const key = 'S1'; const path = 'M6 0L3';")).toEqual([]);
    expect(cited("test('M99: there is no such rule', async () => {})")).toEqual(['M99']);
    expect(cited('// case-1 and rel-5 are no ids')).toEqual(['case-1', 'rel-5']);
    expect(cited(`// nor is (case ${'D07'})`)).toContain('case D07');
  });

  it('cites something at all, from all three tables', () => {
    const ids = new Set(readTree().map(({ id }) => id));
    for (const id of ['L6', 'C8', 'rel-S3', 'case-A14', 'perf-B4']) expect(ids).toContain(id);
  });
});
