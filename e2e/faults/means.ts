import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from '@playwright/test';

/** What a fault needs from the machine, or why it cannot be had here. */
export type Means<T> = { readonly ok: true; readonly means: T } | { readonly ok: false; readonly why: string };

/** Things that are made while tests run and looked up from beside our packages: the shim, writers in one file. */
export const SCRATCH = join(import.meta.dirname, '../../node_modules/.cache/tidemark-faults');

/**
 * The means, or the end of the test as *not run*: it is counted apart and says why, since a fault that was not made shows
 * nothing (scripts/test-counts.mjs). `.ci/run` installs all means, so that there the count is 0.
 */
export function need<T>(found: Means<T>): T {
  if (found.ok) return found.means;
  test.skip(true, `not run: ${found.why}`);
  throw new Error('a skipped test has ended');
}

const linuxOnly: Means<never> = { ok: false, why: 'only Linux has these means' };

function tryRun(command: string, args: readonly string[]): string | null {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return null;
  }
}

/** The shim, built with the compiler of this machine. */
export function findShim(): Means<{ readonly library: string }> {
  if (process.platform !== 'linux') return linuxOnly;
  mkdirSync(SCRATCH, { recursive: true });
  const source = join(import.meta.dirname, 'fault-shim.c');
  const version = createHash('sha256').update(readFileSync(source)).digest('hex').slice(0, 12);
  const library = join(SCRATCH, `fault-shim-${version}.so`);
  if (!existsSync(library)) {
    const made = `${library}.${process.pid}`;
    if (tryRun('gcc', ['-shared', '-fPIC', '-O1', '-o', made, source, '-lpthread']) === null)
      return { ok: false, why: 'gcc is not installed, or does not build a shared library' };
    renameSync(made, library);
  }
  return { ok: true, means: { library } };
}

/** The library that gives a process another time than the machine's. */
export function findFaketime(): Means<{ readonly library: string }> {
  if (process.platform !== 'linux') return linuxOnly;
  const library = tryRun('faketime', ['2020-01-01 00:00:00', 'printenv', 'LD_PRELOAD'])?.trim().split(/[ :]/)[0];
  if (!library) return { ok: false, why: 'faketime is not installed' };
  // A server has many threads.
  return { ok: true, means: { library: library.replace(/libfaketime\.so/, 'libfaketimeMT.so') } };
}

/** A real disk of a few megabytes in memory, empty; `take` unmounts it. */
export interface SmallDisk {
  readonly path: string;
  readonly take: () => void;
}

export function mountSmallDisk(megabytes: number): Means<SmallDisk> {
  if (process.platform !== 'linux') return linuxOnly;
  if (process.getuid?.() !== 0) return { ok: false, why: 'mounting needs root' };
  const path = mkdtempSync(join(tmpdir(), 'tidemark-small-'));
  if (tryRun('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'tmpfs', path]) === null) {
    rmdirSync(path);
    return { ok: false, why: 'this machine lets nobody mount' };
  }
  const take = () => {
    execFileSync('umount', [path]);
    rmdirSync(path);
  };
  return { ok: true, means: { path, take } };
}
