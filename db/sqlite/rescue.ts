import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';

/** What had to be done before a database could be opened. */
export interface Rescue {
  /** Where a damaged one was put aside, or null. */
  readonly setAside: string | null;
  /** True when the copy kept beside it stands in its place. */
  readonly restored: boolean;
}

export interface RescuedPlace {
  readonly path: string;
  /** The copy that is kept of it (`keep-copy`); null: none is. */
  readonly copy: string | null;
  readonly now: number;
}

const SIDE_FILES = ['-wal', '-shm'];

/**
 * Before the first connection: a damaged database is renamed, never opened and never deleted, and the copy kept beside
 * it takes its place, as where there is none at all (`contract.md` 20). Without a good copy nothing is put there.
 */
export function rescue({ path, copy, now }: RescuedPlace): Rescue {
  const isThere = existsSync(path);
  if (isThere && !isDamaged(path)) return { setAside: null, restored: false };
  const setAside = isThere ? putAside(path, now) : null;
  const restored = copy !== null && existsSync(copy) && !isDamaged(copy);
  if (restored) restore(copy, path);
  return { setAside, restored };
}

/**
 * A database that was not closed cleanly has its log beside it, and a plain copy of a running directory has one that
 * may not belong to it: then every index is held against its table, which costs time and is rare.
 */
function isDamaged(path: string): boolean {
  const check = existsSync(`${path}-wal`) ? 'integrity_check(1)' : 'quick_check(1)';
  try {
    const probe = new Database(path, { fileMustExist: true });
    try {
      return probe.pragma(check, { simple: true }) !== 'ok';
    } finally {
      probe.close();
    }
  } catch {
    return true;
  }
}

function putAside(path: string, now: number): string {
  const aside = join(dirname(path), `damaged-${now}.sqlite`);
  renameSync(path, aside);
  for (const suffix of SIDE_FILES) if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  return aside;
}

/** What the copy may hold that is not true any more: lists made from logs that have grown, work that has been done. */
const OUTDATED = `
  delete from sessions;
  delete from indexed_logs;
  delete from running_parts;
  update jobs set state = 'abandoned', lease_until = null where state in ('queued', 'running');
`;

/** By connections alone (rel-S27), under another name until it is whole. The copy stays. */
function restore(copy: string, path: string): void {
  const half = `${path}.part`;
  for (const suffix of ['', ...SIDE_FILES]) rmSync(half + suffix, { force: true });
  const source = new Database(copy, { fileMustExist: true });
  try {
    source.prepare('vacuum into ?').run(half);
  } finally {
    source.close();
  }
  const made = new Database(half);
  try {
    if (made.prepare("select 1 from sqlite_master where name = 'indexed_logs'").get() !== undefined)
      made.exec(OUTDATED);
  } finally {
    made.close();
  }
  renameSync(half, path);
}
