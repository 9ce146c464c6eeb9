import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkFloors, type SourceFile } from '@/scripts/floors/check';

const ROOT = join(import.meta.dirname, '..');
const FOLDERS = ['server', 'db', 'app', 'components', 'scripts', 'e2e', 'bench'];

const read = (path: string): SourceFile => ({ path, text: readFileSync(join(ROOT, path), 'utf8') });

function walk(folder: string): readonly string[] {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return walk(`${folder}/${entry.name}`);
    return /\.(ts|tsx|mts|mjs)$/.test(entry.name) ? [`${folder}/${entry.name}`] : [];
  });
}

const rootFiles = (): readonly string[] =>
  readdirSync(ROOT).filter((name) => /\.(ts|mjs)$/.test(name) && name !== 'next-env.d.ts');

describe('the house as it stands', () => {
  it('keeps the floors, the sizes and the forbidden words', () => {
    expect(checkFloors([...FOLDERS.flatMap(walk), ...rootFiles()].map(read))).toEqual([]);
  });
});

const check = (files: Readonly<Record<string, string>>): readonly string[] =>
  checkFloors(Object.entries(files).map(([path, text]) => ({ path, text })));

describe('a planted bad file is named', () => {
  it.each([
    [
      'server/core/a.ts',
      "import type { B } from '@/server/session/b';",
      'server/session/b.ts',
      'core may not import session',
    ],
    ['server/model/a.ts', "export { b } from '../tools/b';", 'server/tools/b.ts', 'model may not import tools'],
    [
      'server/http/a.ts',
      "import { b } from '@/server/container';",
      'server/container.ts',
      'http may not import container',
    ],
    ['server/session/a.ts', "import { b } from '@/server/http/b';", 'server/http/b.ts', 'session may not import http'],
    [
      'components/chat/a.tsx',
      "const b = await import('@/server/core/b');",
      'server/core/b.ts',
      'components may not import core',
    ],
    [
      'server/contract/a.ts',
      "import { b } from '@/server/core/b';",
      'server/core/b.ts',
      'contract may not import core',
    ],
  ])('an import upwards or sideways: %s', (path, text, other, reason) => {
    expect(check({ [path]: text, [other]: 'export const b = 1;' })).toEqual([expect.stringContaining(reason)]);
  });

  it.each([
    ['server/session/a.ts', 'ai', 'AI SDK'],
    ['server/session/a.ts', '@ai-sdk/openai', 'AI SDK'],
    ['server/http/a.ts', 'node:fs', 'a disk'],
    ['server/http/a.ts', 'fs/promises', 'a disk'],
    ['server/session/a.ts', 'drizzle-orm/better-sqlite3', 'a database'],
    ['server/http/a.ts', 'next/server', 'know Next'],
    ['db/files/a.ts', 'react', 'never under server'],
    ['server/core/a.ts', 'node:path', 'pure'],
    ['components/a.ts', 'node:crypto', 'browser'],
  ])('a package on the wrong floor: %s imports %s', (path, name, reason) => {
    expect(check({ [path]: `import x from '${name}';` })).toEqual([expect.stringContaining(reason)]);
  });

  it('packages on their own floor pass', () => {
    expect(
      check({
        'server/model/a.ts': "import { streamText } from 'ai';",
        'db/sqlite/a.ts': "import { drizzle } from 'drizzle-orm/better-sqlite3';\nimport { openSync } from 'node:fs';",
        'server/tools/workspace-driver.ts': "import { open } from 'node:fs/promises';",
        'server/core/a.ts': "import { crc32 } from 'node:zlib';\nimport { createHash } from 'node:crypto';",
        'next.config.ts': "import type { NextConfig } from 'next';",
        'app/page.tsx': "import Link from 'next/link';",
      }),
    ).toEqual([]);
  });

  it('a cycle, though its edges are types only', () => {
    const found = check({
      'server/core/a.ts': "import type { B } from './b';",
      'server/core/b.ts': "import type { C } from './c';",
      'server/core/c.ts': "import type { A } from './a';",
    });
    expect(found).toEqual(['import cycle: server/core/a.ts → server/core/b.ts → server/core/c.ts → server/core/a.ts']);
  });

  it('a file of the server that lives on no floor', () => {
    expect(check({ 'server/misc/a.ts': '' })).toEqual(['server/misc/a.ts: lives on no floor']);
  });

  it('scripts, browser tests and benchmarks stand outside', () => {
    const text = "import { readFileSync } from 'node:fs';\nimport next from 'next';";
    expect(check({ 'scripts/a.mjs': text, 'e2e/a.ts': text, 'bench/a.ts': text })).toEqual([]);
  });

  it('an import of a file that is not there', () => {
    expect(check({ 'server/core/a.ts': "import { b } from './gone';" })).toEqual([
      'server/core/a.ts imports ./gone: no such file',
    ]);
  });

  it('a file longer than 400 lines, a component longer than 250', () => {
    expect(check({ 'server/core/a.ts': '//\n'.repeat(400), 'components/a.tsx': '//\n'.repeat(250) })).toEqual([]);
    expect(check({ 'server/core/a.ts': '//\n'.repeat(401), 'components/a.tsx': '//\n'.repeat(251) })).toHaveLength(2);
  });

  it.each([
    ['server/http/a.ts', 'const a: any = 1;', 'any is never'],
    ['server/http/a.ts', 'const a = b as any;', 'any is never'],
    ['server/http/a.ts', 'const a: Record<string, any> = b;', 'any is never'],
    ['server/http/a.ts', 'function f(a: readonly string[], b: any[]) {}', 'any is never'],
    ['server/http/a.ts', 'const a = b as unknown as C;', 'as unknown as'],
    ['app/(ui)/a.ts', "'use server';", 'Server Actions'],
    ['app/(ui)/a.ts', 'async function save() {\n  "use server";\n}', 'Server Actions'],
    ['server/core/a.ts', 'const a = b as C;', 'no cast in core'],
    ['server/core/a.ts', 'const a = Date.now();', 'core is pure'],
    ['server/core/a.ts', 'export async function f() {}', 'core is pure'],
    ['server/core/a.ts', 'const id = Math.random();', 'core is pure'],
    ['db/sqlite/a.ts', "readFileSync(join(dir, 'main.sqlite'));", 'rel-S27'],
    ['db/files/a.ts', 'const fd = openSync(lockSqlitePath, flags);', 'rel-S27'],
    ['server/http/a.ts', 'let count = 0;', 'module-level'],
    ['server/http/a.ts', 'export const open = new Map<string, number>();', 'module-level'],
    ['server/session/a.ts', 'const waiting: string[] = [];', 'module-level'],
    ['app/v1/x/route.ts', 'const seen = new Set<string>();', 'module-level'],
  ])('a forbidden word in %s: %s', (path, text, reason) => {
    expect(check({ [path]: text })).toEqual([expect.stringContaining(reason)]);
  });

  it('words in comments, strings and names are no breach', () => {
    expect(
      check({
        'server/http/a.ts': [
          '// let any = as any; import x from "ai"',
          "const text = 'a: any, as unknown as';",
          'const many = { any: 1 };',
          'const note = `$' + "{text} 'use server' : any`;",
          'const quote = /["\']/; // any',
          'function f() {\n  const seen = new Map<string, number>();\n  return seen;\n}',
        ].join('\n'),
        'server/core/a.ts': "const KINDS = ['a', 'b'] as const;\nimport { x as y } from './b';",
        'server/core/b.ts': 'export const x = 1;',
        'server/container.ts': 'let container = null;',
      }),
    ).toEqual([]);
  });
});
