import { describe, expect, it } from 'vitest';
import type { IndexedSession } from '@/server/ports/session-index';
import { createHeldSessionIndex } from './held-session-index';
import { openMemorySqlite } from './open';
import { createSessionIndex } from './session-index';

const row = (id: string, title: string): IndexedSession => ({
  id,
  logId: id,
  kind: 'root',
  agentId: null,
  title,
  pinned: false,
  archived: false,
  deleted: false,
  updatedAt: 1,
  headSeq: 2,
  row: {},
});

function newIndex() {
  const stored = createSessionIndex(openMemorySqlite('db/migrations').db);
  const disk = { isFull: false };
  const put = (session: IndexedSession) => {
    if (disk.isFull) throw new Error('full');
    stored.put(session);
  };
  return { disk, stored, index: createHeldSessionIndex({ ...stored, put }) };
}

const titles = (index: { list(query: { limit: number }): { readonly sessions: readonly IndexedSession[] } }) =>
  index.list({ limit: 9 }).sessions.map(({ title }) => title);

describe('L1, rel-S9: a list that could not be written', () => {
  it('answers with the row it holds, and writes it once there is room', () => {
    const { disk, stored, index } = newIndex();
    index.put(row('a', 'old'));
    disk.isFull = true;
    expect(() => index.put(row('a', 'new'))).toThrow('full');
    expect(() => index.put(row('b', 'made'))).toThrow('full');
    expect([index.get('a')?.title, index.get('b')?.title]).toEqual(['new', 'made']);
    expect(index.all().map(({ title }) => title)).toEqual(['new', 'made']);
    expect(titles(index)).toEqual(['old']);
    disk.isFull = false;
    expect(titles(index).sort()).toEqual(['made', 'new']);
    expect(stored.get('b')?.title).toBe('made');
  });

  it('forgets what it holds of logs that are forgotten', () => {
    const { disk, index } = newIndex();
    disk.isFull = true;
    expect(() => index.put(row('a', 'made'))).toThrow('full');
    index.forgetLogs(['a']);
    expect(index.get('a')).toBeNull();
  });
});
