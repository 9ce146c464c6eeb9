import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { findMissingPackages, hashSources, isBuilt, stampBuild } from './freshness.mjs';
import { describeInstall, dropNarration, explainInstall, judgeNode } from './prepare.mjs';

describe('N1: what is missing on the machine is named with its remedy', () => {
  it.each(['20.19.0', '20.20.2', '22.0.0', '24.11.1'])('Node %s will do', (version) => {
    expect(judgeNode(version)).toBeNull();
  });

  it.each(['20.18.3', '18.20.0', '16.0.0'])('Node %s is refused, with the one that is needed', (version) => {
    expect(judgeNode(version)).toContain('needs Node 20.19.0 or newer');
  });

  it('a missing compiler, registry, disk and right are told apart', () => {
    expect(explainInstall('npm error gyp ERR! find Python')).toContain('apt-get install python3 make g++');
    expect(explainInstall('npm error code ENOTFOUND')).toContain('registry cannot be reached');
    expect(explainInstall('npm error code ENOSPC')).toContain('disk is full');
    expect(explainInstall('npm error code EACCES')).toContain('who owns it');
    expect(explainInstall('npm error something else')).toContain('what npm said');
  });
});

describe('N1: a long installation says what it is at', () => {
  const fetched = [
    'npm http fetch GET 200 https://registry.npmjs.org/a/-/a-1.0.0.tgz 80ms (cache miss)',
    'npm http cache https://registry.npmjs.org/b/-/b-1.0.0.tgz 0ms (cache hit)',
    '',
  ].join('\n');
  const building = 'npm info run better-sqlite3@12.11.1 install node_modules/better-sqlite3 prebuild-install\n';

  it('counts packages, then names the one that is being set up', () => {
    expect(describeInstall('')).toBe('reading the list of packages');
    expect(describeInstall(fetched)).toBe('2 packages fetched or unpacked');
    expect(describeInstall(`${fetched}${building}`)).toBe('setting up better-sqlite3');
    const built = 'npm info run better-sqlite3@12.11.1 install { code: 0, signal: null }\n';
    expect(describeInstall(`${fetched}${building}${built}`)).toBe('2 packages fetched or unpacked');
  });

  it('a failure is judged by what went wrong, not by what was named on the way', () => {
    const output = dropNarration(`${fetched}${building}npm error code ENOSPC\n`);
    expect(output).toBe('npm error code ENOSPC\n');
    expect(explainInstall(output)).toContain('disk is full');
  });
});

describe('what is installed, against the lock', () => {
  const lock = {
    packages: {
      '': { version: '1.0.0' },
      'node_modules/a': { version: '1.0.0' },
      'node_modules/b': { version: '2.0.0', optional: true },
    },
  };

  it('is whole when every package that must be there is there in its version', () => {
    expect(findMissingPackages(lock, { packages: { 'node_modules/a': { version: '1.0.0' } } })).toEqual([]);
  });

  it('names what is absent and what is of another version', () => {
    expect(findMissingPackages(lock, { packages: {} })).toEqual(['node_modules/a']);
    const other = { 'node_modules/a': { version: '1.0.1' }, 'node_modules/b': { version: '1.0.0' } };
    expect(findMissingPackages(lock, { packages: other })).toEqual(['node_modules/a', 'node_modules/b']);
  });
});

describe('what was built, against the sources', () => {
  const roots: string[] = [];
  afterEach(() => {
    for (const root of roots.splice(0)) rmSync(root, { recursive: true });
  });
  const makeRoot = (): string => {
    const root = mkdtempSync(join(tmpdir(), 'tidemark-fresh-'));
    roots.push(root);
    for (const folder of ['app', '.next']) mkdirSync(join(root, folder));
    writeFileSync(join(root, 'app/page.tsx'), 'one');
    writeFileSync(join(root, '.next/BUILD_ID'), 'x');
    return root;
  };

  it('is fresh until a source changes, comes or goes; tests do not count', () => {
    const root = makeRoot();
    expect(isBuilt(root)).toBe(false);
    stampBuild(root, hashSources(root));
    expect(isBuilt(root)).toBe(true);
    writeFileSync(join(root, 'app/page.test.tsx'), 'a test');
    expect(isBuilt(root)).toBe(true);
    writeFileSync(join(root, 'app/page.tsx'), 'two');
    expect(isBuilt(root)).toBe(false);
    stampBuild(root, hashSources(root));
    rmSync(join(root, 'app/page.tsx'));
    expect(isBuilt(root)).toBe(false);
  });

  it('an edit during the build is not missed: the stamp is of what was there before', () => {
    const root = makeRoot();
    const before = hashSources(root);
    writeFileSync(join(root, 'app/page.tsx'), 'edited meanwhile');
    stampBuild(root, before);
    expect(isBuilt(root)).toBe(false);
  });
});
