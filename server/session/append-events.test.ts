import { describe, expect, it } from 'vitest';
import { createMemorySessionLog } from '@/db/memory/session-log';
import { deepFreeze } from '@/server/core/projection/deep-freeze';
import { createSignal } from '@/server/model/testing/script';
import { createSessionWriter, type SessionWriter } from './append-events';

const idOf = (n: number) => `01J0000000000000000000000${n}`;

/** A writer that keeps one log in memory, over three conversations; the second cannot be read once `door` opens. */
async function aWriter(door: Promise<void>): Promise<SessionWriter> {
  const sessionLog = createMemorySessionLog();
  for (const logId of [1, 2, 3].map(idOf)) {
    const envelope = { branch: logId, at: '2026-01-01T00:00:00.000Z' };
    const format = 'tidemark-log' as const;
    await sessionLog.create(logId, [
      { ...envelope, id: logId.replace('J', 'K'), type: 'log.opened', format, logId, app: 'test' },
      { ...envelope, id: logId, type: 'branch.opened', prev: null, kind: 'root', owner: 'owner', agentId: null },
    ]);
  }
  return createSessionWriter({
    sessionLog: { ...sessionLog, read: (logId) => (logId === idOf(2) ? failAfter(door) : sessionLog.read(logId)) },
    clock: { now: () => 0 },
    ids: { next: () => idOf(9), seen: () => undefined },
    logOf: (sessionId) => sessionId,
    onAppended: () => undefined,
    keptLogs: 1,
    finish: deepFreeze,
  });
}

function failAfter(door: Promise<void>): AsyncIterable<never> {
  const next = () =>
    door.then(() => {
      throw new Error('unreadable');
    });
  return { [Symbol.asyncIterator]: () => ({ next }) };
}

describe('logs in memory', () => {
  it('house: what the writer hands out passes through `finish`: here it is frozen through and through', async () => {
    const writer = await aWriter(Promise.resolve());
    const { session } = await writer.load(idOf(1));
    expect([session, session.items, session.opened].every(Object.isFrozen)).toBe(true);
  });

  it('L7: a log that was removed is not in memory either, and one that may not go stays', async () => {
    const writer = await aWriter(Promise.resolve());
    await writer.load(idOf(1));
    expect(await writer.remove(idOf(1), () => false)).toBe(false);
    expect((await writer.load(idOf(1))).session.branch).toBe(idOf(1));
    const [gone, late] = await Promise.allSettled([
      writer.remove(idOf(1), (log) => log.branches.has(idOf(1))),
      writer.append(idOf(1), () => ({ events: [{ type: 'session.restored', by: 'owner' }], result: 'too late' })),
    ]);
    expect(gone).toMatchObject({ status: 'fulfilled', value: true });
    expect(late).toMatchObject({ status: 'rejected', reason: { code: 'not_found' } });
    await expect(writer.loadLog(idOf(1))).rejects.toMatchObject({ code: 'not_found' });
  });

  it('rel-S13: a log that cannot be read harms nobody who opens another beside it', async () => {
    const door = createSignal();
    const writer = await aWriter(door.promise);
    await writer.load(idOf(1));
    const failing = writer.load(idOf(2));
    await writer.load(idOf(3));
    door.resolve();
    await expect(failing).rejects.toThrow('unreadable');
    // A rejection that nobody waits for would fail this run.
    await new Promise(setImmediate);
    expect((await writer.load(idOf(1))).session.branch).toBe(idOf(1));
  });
});
