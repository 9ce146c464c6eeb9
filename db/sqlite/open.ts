import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { AppError } from '@/server/contract/error';
import { type Rescue, rescue } from './rescue';
import * as schema from './schema';

export type Sqlite = BetterSQLite3Database<typeof schema> & { readonly $client: Database.Database };

export interface OpenedSqlite extends Rescue {
  readonly db: Sqlite;
  close(): void;
}

/**
 * Opens and migrates the database at `path`, making it where it is missing. A damaged one is set aside under a new name
 * and the copy kept at `copy` is used, whatever is derived in it made anew; both is to be said to a person
 * (`contract.md` 20). The logs are untouched (L1). Only connections ever open the files (L1, rel-S27).
 */
export function openSqlite(options: {
  readonly path: string;
  readonly copy?: string;
  readonly migrations: string;
  readonly now: number;
}): OpenedSqlite {
  mkdirSync(dirname(options.path), { recursive: true, mode: 0o700 });
  const rescued = rescue({ path: options.path, copy: options.copy ?? null, now: options.now });
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
  return { db, ...rescued, close: () => client.close() };
}

/** In memory, migrated; for tests of everything above the stores. */
export function openMemorySqlite(migrations: string): OpenedSqlite {
  const client = new Database(':memory:');
  client.pragma('foreign_keys = ON');
  addFunctions(client);
  const db = drizzle(client, { schema });
  migrate(db, { migrationsFolder: migrations });
  return { db, setAside: null, restored: false, close: () => client.close() };
}

/** `fold_case(text)`: the `lower` of SQLite itself knows the letters of ASCII only. Of one connection, never in the schema. */
function addFunctions(client: Database.Database): void {
  client.function('fold_case', { deterministic: true }, (text) => (typeof text === 'string' ? foldCase(text) : null));
}

/** A text without its letter case, however its accents are composed. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
