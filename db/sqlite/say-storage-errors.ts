import Database from 'better-sqlite3';
import { AppError } from '@/server/contract/error';

/** What SQLite says where the disk has no room; of a side file in memory it is an input error with a name of its own. */
const full = new Set(['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE']);
const disk = /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|NOTADB|CORRUPT|BUSY)/;

/** The error of SQLite behind whatever a query was wrapped in. */
function sqliteErrorIn(thrown: unknown): InstanceType<typeof Database.SqliteError> | null {
  if (thrown instanceof Database.SqliteError) return thrown;
  return thrown instanceof Error && thrown.cause !== undefined ? sqliteErrorIn(thrown.cause) : null;
}

/** A disk that would not take or give is said by the contract's code (L8); every other error stays what it is. */
function toStoreError(thrown: unknown): unknown {
  const found = sqliteErrorIn(thrown);
  if (found === null || !disk.test(found.code)) return thrown;
  const details = { errno: found.code };
  if (full.has(found.code)) {
    const message = 'The disk is full, so this was not saved. Free some space and try it again.';
    return new AppError('storage_full', message, { details, cause: thrown });
  }
  const message = `The database could not be used (${found.code}). Try it again; if it keeps failing, check the disk of the server.`;
  return new AppError('storage_failed', message, { details, cause: thrown });
}

/** A store that answers as the one it is given, and whose refusals by the disk are `storage_full` or `storage_failed`. */
export function sayStorageErrors<Store extends object>(store: Store): Store {
  return new Proxy(store, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]): unknown => {
        try {
          return Reflect.apply(member, target, given);
        } catch (thrown) {
          throw toStoreError(thrown);
        }
      };
    },
  });
}
