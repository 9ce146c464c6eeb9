import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JobStore, NewJob } from '@/server/ports/job-store';
import { createJobStore } from './job-store';
import { type OpenedSqlite, openMemorySqlite } from './open';

const migrations = fileURLToPath(new URL('../migrations', import.meta.url));

describe('jobs in SQLite', () => {
  let opened: OpenedSqlite;
  let store: JobStore;
  beforeEach(() => {
    opened = openMemorySqlite(migrations);
    store = createJobStore(opened.db);
  });
  afterEach(() => opened.close());

  const turn = (id: string, serialKey = 'session', more: Partial<NewJob> = {}): NewJob => ({
    id,
    kind: 'session.turn',
    serialKey,
    priority: 10,
    payload: { messageId: id },
    now: 1000,
    ...more,
  });

  it('serial: a key with a running job hands out nothing more', () => {
    store.enqueue(turn('1'));
    store.enqueue(turn('2'));
    expect(store.claim('me', 1000, 60_000)?.id).toBe('1');
    expect(store.claim('me', 1000, 60_000)).toBeNull();
    store.end('1', 'me', 'done', 1100);
    expect(store.claim('me', 1100, 60_000)?.id).toBe('2');
  });

  it('P5: realtime before normal, oldest first within a priority', () => {
    store.enqueue(turn('1', 'a'));
    store.enqueue(turn('2', 'b'));
    store.enqueue(turn('3', 'c', { priority: 0 }));
    const order = ['me', 'me', 'me'].map((owner) => store.claim(owner, 1000, 60_000)?.id);
    expect(order).toEqual(['3', '1', '2']);
  });

  it('contract 14: a second request to compact answers the waiting job', () => {
    const first = store.enqueue(turn('1', 'a', { kind: 'session.compact', single: true }));
    const second = store.enqueue(turn('2', 'a', { kind: 'session.compact', single: true }));
    expect([first.existed, second.existed, second.job.id]).toEqual([false, true, '1']);
  });

  it('hands out a job again whose lease ran out, and only its owner may end it', () => {
    store.enqueue(turn('1'));
    store.claim('gone', 1000, 5000);
    expect(store.claim('me', 5000, 5000)).toBeNull();
    expect(store.claim('me', 6001, 5000)?.id).toBe('1');
    store.end('1', 'gone', 'done', 6002);
    expect(store.pending('session')).toHaveLength(1);
  });

  it('serial: a clock that jumps over the lease hands its owner no job a second time', () => {
    store.enqueue(turn('1'));
    expect(store.claim('me', 1000, 5000)?.id).toBe('1');
    expect(store.claim('me', 9_000_000, 5000)).toBeNull();
    expect(store.claim('other', 9_000_000, 5000)?.id).toBe('1');
  });

  it('case-C06: what an earlier process left running is abandoned at start, not rerun', () => {
    store.enqueue(turn('1'));
    store.claim('gone', 1000, 60_000);
    expect(store.abandonRunning(2000).map((job) => job.id)).toEqual(['1']);
    expect(store.claim('me', 2000, 60_000)).toBeNull();
  });

  it('takes out a queued job, not one that started', () => {
    store.enqueue(turn('1'));
    store.enqueue(turn('2'));
    store.claim('me', 1000, 60_000);
    expect([store.withdraw('1', 1001), store.withdraw('2', 1001)]).toEqual([false, true]);
  });
});
