import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { IndexedSession } from '@/server/ports/session-index';
import { createDocumentStore } from './document-store';
import { type OpenedSqlite, openMemorySqlite } from './open';
import { createSessionIndex } from './session-index';
import { createRunningPartStore, createSettingsStore } from './small-stores';

const migrations = fileURLToPath(new URL('../migrations', import.meta.url));

describe('what SQLite keeps', () => {
  let opened: OpenedSqlite;
  beforeEach(() => {
    opened = openMemorySqlite(migrations);
  });
  afterEach(() => opened.close());

  it('P2: a published version never changes, the draft does', () => {
    const docs = createDocumentStore(opened.db);
    docs.create({ id: 'A', kind: 'skill', draft: { name: 'one' }, now: 1 });
    expect(docs.publish('A', { document: { name: 'one' }, note: 'first', by: 'owner', at: 2 })).toBe(1);
    docs.saveDraft('A', { name: 'two' }, { now: 3, revision: 0 });
    expect(docs.saveDraft('A', { name: 'late' }, { now: 3, revision: 0 })).toBe(false);
    expect(docs.version('A', 1)?.document).toEqual({ name: 'one' });
    expect(docs.publish('A', { document: { name: 'two' }, note: 'second', by: 'owner', at: 4 })).toBe(2);
    expect(docs.versions('A').map(({ version, note }) => [version, note])).toEqual([
      [1, 'first'],
      [2, 'second'],
    ]);
  });

  it('leaves deleted documents out of the list but keeps their versions readable', () => {
    const docs = createDocumentStore(opened.db);
    docs.create({ id: 'A', kind: 'agent', draft: {}, now: 1 });
    docs.publish('A', { document: { kept: true }, note: '', by: 'owner', at: 2 });
    docs.remove('A', 3);
    expect(docs.list('agent')).toEqual([]);
    expect(docs.version('A', 1)?.document).toEqual({ kept: true });
  });

  it('settings: a write on an old revision writes nothing', () => {
    const settings = createSettingsStore(opened.db);
    expect(settings.write(0, { a: 1 })).toBe(true);
    expect(settings.write(0, { a: 2 })).toBe(false);
    expect(settings.read()).toEqual({ revision: 1, value: { a: 1 } });
  });

  it('running parts: one row a message, rewritten, gone when removed', () => {
    const parts = createRunningPartStore(opened.db);
    parts.save([{ messageId: 'm', sessionId: 's', turnId: 't', parts: ['He'] }]);
    parts.save([{ messageId: 'm', sessionId: 's', turnId: 't', parts: ['Hello'] }]);
    expect(parts.list()).toEqual([{ messageId: 'm', sessionId: 's', turnId: 't', parts: ['Hello'] }]);
    parts.remove('m');
    expect(parts.list()).toEqual([]);
  });

  it('lists sessions newest first in pages, filters by title words, hides subagents and deleted ones', () => {
    const index = createSessionIndex(opened.db);
    for (let n = 1; n <= 5; n += 1) index.put(aSession(n));
    index.put(aSession(6, { kind: 'subagent' }));
    index.put(aSession(7, { deleted: true }));
    const first = index.list({ limit: 2 });
    const second = index.list({ limit: 2, cursor: first.nextCursor ?? '' });
    expect([...first.sessions, ...second.sessions].map((session) => session.title)).toEqual([
      'Talk 5',
      'Talk 4',
      'Talk 3',
      'Talk 2',
    ]);
    expect(index.list({ limit: 10, q: 'TALK 3' }).sessions).toHaveLength(1);
    expect(index.list({ limit: 10, q: '%' }).sessions).toHaveLength(0);
    index.put(aSession(8, { title: 'ÜBER Москва, cafe\u0301' }));
    for (const q of ['über', 'МОСКВА', 'CAFÉ']) expect(index.list({ limit: 10, q }).sessions, q).toHaveLength(1);
  });

  it('ux 4: pinned sessions come first on the first page, whatever their age, and in order on every page', () => {
    const index = createSessionIndex(opened.db);
    for (let n = 1; n <= 5; n += 1) index.put(aSession(n, { pinned: n === 1 || n === 3 }));
    const titles: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: ReturnType<typeof index.list> = index.list({ limit: 2, cursor });
      titles.push(...page.sessions.map(({ title }) => title));
      cursor = page.nextCursor;
    }
    expect(titles).toEqual(['Talk 3', 'Talk 1', 'Talk 5', 'Talk 4', 'Talk 2']);
  });

  it('X9: lists rows that were found elsewhere beside those whose title fits, and no deleted one', () => {
    const index = createSessionIndex(opened.db);
    for (let n = 1; n <= 3; n += 1) index.put(aSession(n, { deleted: n === 2 }));
    const found = [1, 2].map((n) => aSession(n).id);
    expect(index.list({ limit: 10, q: 'Talk 3', found }).sessions.map(({ title }) => title)).toEqual([
      'Talk 3',
      'Talk 1',
    ]);
    expect(index.list({ limit: 10, q: '', found: [] }).sessions).toHaveLength(2);
  });
});

function aSession(n: number, change: Partial<IndexedSession> = {}): IndexedSession {
  const id = `01J0000000000000000000000${n}`;
  return {
    id,
    logId: id,
    kind: 'root',
    agentId: null,
    title: `Talk ${n}`,
    pinned: false,
    archived: false,
    deleted: false,
    updatedAt: n,
    headSeq: n,
    row: {},
    ...change,
  };
}
