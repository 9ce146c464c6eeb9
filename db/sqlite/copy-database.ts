import Database from 'better-sqlite3';
import { AppError } from '@/server/contract/error';

/** Every page in one step: within one read transaction, so no writer of another process can make it begin again. */
const ALL_PAGES = 0x7fffffff;

/**
 * A copy of a database that a server may be writing to at this moment (rel-S26): by a connection's own backup, since a
 * file copy of it can be broken and may let go of the server's locks (rel-S27, reliability 0.5). The copy is one file,
 * synced and checked. Throws `storage_failed` where it is not whole; `to` must not exist.
 */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const source = new Database(from, { readonly: true, fileMustExist: true });
  try {
    await source.backup(to, { progress: () => ALL_PAGES });
  } finally {
    source.close();
  }
  const made = new Database(to);
  try {
    made.pragma('journal_mode = DELETE');
    const verdict: unknown = made.pragma('integrity_check', { simple: true });
    if (verdict !== 'ok') throw new AppError('storage_failed', `The copy of the database is not whole: ${verdict}`);
  } finally {
    made.close();
  }
}
