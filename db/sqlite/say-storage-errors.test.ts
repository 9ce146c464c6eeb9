import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { sayStorageErrors } from './say-storage-errors';

const failing = (code: string) =>
  sayStorageErrors({
    write: () => {
      throw new Error('a query', { cause: new Database.SqliteError('database or disk is full', code) });
    },
  });

describe('L8, rel-S9: what the database says of a disk', () => {
  it.each([
    ['SQLITE_FULL', 'storage_full'],
    ['SQLITE_IOERR_SHMSIZE', 'storage_full'],
    ['SQLITE_IOERR_WRITE', 'storage_failed'],
    ['SQLITE_READONLY', 'storage_failed'],
  ])('%s is answered as %s, without the words of the query', (code, answer) => {
    const { write } = failing(code);
    expect(write).toThrow(expect.objectContaining({ code: answer, details: { errno: code } }));
    expect(write).not.toThrow(/a query/);
  });

  it('leaves every other error, and every answer, as they are', () => {
    expect(failing('SQLITE_CONSTRAINT').write).toThrow('a query');
    const store = sayStorageErrors({ name: 'drafts', read: (id: string) => `draft ${id}` });
    expect([store.name, store.read('one')]).toEqual(['drafts', 'draft one']);
  });
});
