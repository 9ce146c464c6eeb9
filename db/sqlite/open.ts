import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { AppError } from '@/server/contract/error';
import * as schema from './schema';

export type Sqlite = BetterSQLite3Database<typeof schema> & { readonly $client: Database.Database };

export interface OpenedSqlite {
  readonly db: Sqlite;
  /** Where a damaged database was put aside, or null. A person is told (`contract.md` 20). */
  readonly setAside: string | null;
  close(): void;
}

/**
 * Opens and migrates the database at `path`, making it where it is missing. A damaged one is set aside under a
 * new name, and what was not derived is lost to it unless a copy is put back; the logs are untouched (L1).
 * Only its own connection ever opens the file (L1, rel-S27).
 */
export function openSqlite(options: {
  readonly path: string;
  readonly migrations: string;
  readonly now: number;
}): OpenedSqlite {
  mkdirSync(dirname(options.path), { recursive: true, mode: 0o700 });
  const setAside = existsSync(options.path) && isDamaged(options.path) ? putAside(options.path, options.now) : null;
  const client = new Database(options.path);
  client.pragma('journal_mode = WAL');
  client.pragma('synchronous = NORMAL');
  client.pragma('foreign_keys = ON');
  client.pragma('busy_timeout = 2000');
  addFunctions(client);
  const db = drizzle(client, { schema });
  try {
    migrate(db, { migrationsFolder: options.migrations });
  } catch (cause) {
    client.close();
    throw new AppError('storage_failed', 'The database could not be brought up to date.', { cause });
  }
  return { db, setAside, close: () => client.close() };
}

/** In memory, migrated; for tests of everything above the stores. */
export function openMemorySqlite(migrations: string): OpenedSqlite {
  const client = new Database(':memory:');
  client.pragma('foreign_keys = ON');
  addFunctions(client);
  const db = drizzle(client, { schema });
  migrate(db, { migrationsFolder: migrations });
  return { db, setAside: null, close: () => client.close() };
}

/** `fold_case(text)`: the `lower` of SQLite itself knows the letters of ASCII only. Of one connection, never in the schema. */
function addFunctions(client: Database.Database): void {
  client.function('fold_case', { deterministic: true }, (text) => (typeof text === 'string' ? foldCase(text) : null));
}

/** A text without its letter case, however its accents are composed. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

function isDamaged(path: string): boolean {
  try {
    const probe = new Database(path, { fileMustExist: true });
    try {
      return probe.pragma('quick_check(1)', { simple: true }) !== 'ok';
    } finally {
      probe.close();
    }
  } catch {
    return true;
  }
}

/** The files are only renamed, never opened: their bytes stay for a later look. */
function putAside(path: string, now: number): string {
  const aside = join(dirname(path), `damaged-${now}.sqlite`);
  renameSync(path, aside);
  for (const suffix of ['-wal', '-shm']) if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  return aside;
}
