import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const pages = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true })
    .map((name) => join('docs', String(name)))
    .filter((name) => name.endsWith('.md')),
];
const read = (page: string) => readFileSync(join(ROOT, page), 'utf8');
/** A `*` stands in the last part of a path only. */
const isThere = (path: string) => {
  const [head = '', tail = ''] = basename(path).split('*');
  if (!path.includes('*')) return existsSync(join(ROOT, path));
  return readdirSync(join(ROOT, dirname(path))).some((name) => name.startsWith(head) && name.endsWith(tail));
};
const withoutCode = (text: string) => text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');

describe('README and docs', () => {
  it.each(pages)('%s links to what is there', (page) => {
    const links = [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    const own = links.filter((target) => !/^(?:https?:|#)/.test(target));
    const missing = own.filter((target) => !existsSync(join(ROOT, dirname(page), target.replace(/#.*$/, ''))));
    expect(missing).toEqual([]);
  });

  it('the README names paths that exist, in "Where does X happen" and elsewhere', () => {
    const named = [
      ...read('README.md').matchAll(/`((?:app|components|db|docs|public|samples|scripts|server)\/[^`]*)`/g),
    ];
    const paths = named.map(([, path = '']) => path);
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((path) => !isThere(path))).toEqual([]);
  });

  it('the README names commands that package.json has', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const commands = [...read('README.md').matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
    expect(commands.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('each decision says its status, its number is its own, and no picture is above 300 kB', () => {
    const decisions = pages.filter((page) => page.startsWith('docs/decisions/'));
    const numbers = decisions.map((page) => /\/(\d{3})-[a-z0-9-]+\.md$/.exec(page)?.[1]);
    expect(numbers).not.toContain(undefined);
    expect(new Set(numbers).size).toBe(numbers.length);
    for (const page of decisions) expect([page, /^Status: /m.test(read(page))]).toEqual([page, true]);
    const pictures = readdirSync(join(ROOT, 'docs/images'));
    expect(pictures.filter((name) => statSync(join(ROOT, 'docs/images', name)).size > 300_000)).toEqual([]);
  });
});
