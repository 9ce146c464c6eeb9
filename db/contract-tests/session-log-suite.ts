import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '@/server/contract/error';
import type { LogEvent } from '@/server/contract/events/event';
import { foldLog } from '@/server/core/projection/log-state';
import type { Clock, Ids } from '@/server/ports/clock';
import type { LogRecord, SessionLog } from '@/server/ports/session-log';
import type { DraftMaker } from './session-log-drafts';
import { makeDrafts } from './session-log-drafts';

export interface SessionLogSubject {
  readonly log: SessionLog;
  readonly dispose: () => Promise<void>;
}

/** What every driver of the port promises, whatever it keeps its bytes in. */
export function describeSessionLog(
  name: string,
  open: (given: { ids: Ids; clock: Clock }) => Promise<SessionLogSubject>,
) {
  describe(`session log: ${name}`, () => {
    let subject: SessionLogSubject;
    let make: DraftMaker;
    let logId: string;

    beforeEach(async () => {
      make = makeDrafts();
      logId = make.id();
      subject = await open(make);
    });
    afterEach(() => subject.dispose());

    it('contract-1: numbers lines from 1 and reads back exactly what it answered', async () => {
      const created = await subject.log.create(logId, make.opened(logId));
      const appended = await subject.log.append(logId, [make.message(logId, 'hi 👋\u2028\u0000\ud800')]);
      expect([...created, ...appended].map((event) => event.seq)).toEqual([1, 2, 3]);
      expect(await eventsOf(subject.log, logId)).toEqual([...created, ...appended]);
    });

    it('L2: appending only ever extends the bytes', async () => {
      await subject.log.create(logId, make.opened(logId));
      const before = await bytesOf(subject.log, logId);
      await subject.log.append(logId, [make.message(logId, 'more')]);
      const after = await bytesOf(subject.log, logId);
      expect(after.subarray(0, before.length)).toEqual(before);
      expect(after.length).toBeGreaterThan(before.length);
      expect(after.at(-1)).toBe(0x0a);
    });

    it('contract-2: prev may name an event of the same call by its id', async () => {
      await subject.log.create(logId, make.opened(logId));
      const first = make.mark(logId, 2);
      const second = make.mark(logId, { id: first.id });
      const events = await subject.log.append(logId, [first, second]);
      expect(events.map(({ seq, prev }) => ({ seq, prev }))).toEqual([
        { seq: 3, prev: 2 },
        { seq: 4, prev: 3 },
      ]);
    });

    it('contract-2: prev may name an event that is still on its way, or was just saved', async () => {
      await subject.log.create(logId, make.opened(logId));
      const first = make.mark(logId, 2);
      const second = make.mark(logId, { id: first.id });
      const third = make.mark(logId, { id: second.id });
      const pair = await Promise.all([subject.log.append(logId, [first]), subject.log.append(logId, [second])]);
      const [last] = await subject.log.append(logId, [third]);
      expect([...pair.flat(), last].map((event) => event?.prev)).toEqual([2, 3, 4]);
    });

    it('refuses, alone, a call that builds on an event nobody knows', async () => {
      await subject.log.create(logId, make.opened(logId));
      const lost = subject.log.append(logId, [make.message(logId, 'a'), make.mark(logId, { id: make.id() })]);
      const kept = subject.log.append(logId, [make.message(logId, 'b')]);
      expect(await codeOf(lost)).toBe('conflict');
      expect((await kept).map((event) => event.seq)).toEqual([3]);
      expect(await eventsOf(subject.log, logId)).toHaveLength(3);
    });

    it('L7: appends that arrive together keep their order, none lost, none doubled', async () => {
      await subject.log.create(logId, make.opened(logId));
      const drafts = Array.from({ length: 40 }, (_, index) => make.message(logId, `number ${index}`));
      const answers = await Promise.all(drafts.map((draft) => subject.log.append(logId, [draft])));
      expect(answers.flat().map((event) => event.seq)).toEqual(drafts.map((_, index) => index + 3));
      const ids = (await eventsOf(subject.log, logId)).slice(2).map((event) => event.id);
      expect(ids).toEqual(drafts.map((draft) => draft.id));
    });

    it('contract-1: the same id twice: both lines are read, replay lets the first win and knows the other', async () => {
      await subject.log.create(logId, make.opened(logId));
      const message = make.message(logId, 'once');
      await subject.log.append(logId, [message]);
      await subject.log.append(logId, [message]);
      const state = foldLog(await recordsOf(subject.log, logId));
      expect(state.byId.get(message.id)?.seq).toBe(3);
      expect(state.repeats.get(4)).toBe(3);
    });

    it('refuses to create a log that exists, and changes nothing', async () => {
      await subject.log.create(logId, make.opened(logId));
      const before = await bytesOf(subject.log, logId);
      expect(await codeOf(subject.log.create(logId, make.opened(logId)))).toBe('conflict');
      expect(await bytesOf(subject.log, logId)).toEqual(before);
      const [next] = await subject.log.append(logId, [make.message(logId, 'still fine')]);
      expect(next?.seq).toBe(3);
    });

    it('knows no log that was never made', async () => {
      expect(await codeOf(subject.log.append(logId, [make.message(logId, 'hello?')]))).toBe('not_found');
      expect(await codeOf(eventsOf(subject.log, logId))).toBe('not_found');
      expect(await codeOf(eventsOf(subject.log, '../../etc/passwd'))).toBe('not_found');
      expect(await subject.log.list()).toEqual([]);
    });

    it('refuses what a reader would not take, and nothing of that call counts', async () => {
      await subject.log.create(logId, make.opened(logId));
      const bad = { ...make.message(logId, 'bad'), bytes: -1 };
      expect(await codeOf(subject.log.append(logId, [make.message(logId, 'good'), bad]))).toBe('internal');
      let args: unknown = 0;
      for (let depth = 0; depth < 100; depth += 1) args = { args };
      const deep = {
        ...make.message(logId, 'deep'),
        parts: [{ type: 'tool_call' as const, callId: 'c', name: 'n', args }],
      };
      expect(await codeOf(subject.log.append(logId, [deep]))).toBe('payload_too_large');
      expect(await eventsOf(subject.log, logId)).toHaveLength(2);
    });

    it('lists logs by id with their bytes', async () => {
      const other = make.id();
      await subject.log.create(other, make.opened(other));
      await subject.log.create(logId, make.opened(logId));
      expect(await subject.log.list()).toEqual([
        { logId, bytes: (await bytesOf(subject.log, logId)).length },
        { logId: other, bytes: (await bytesOf(subject.log, other)).length },
      ]);
    });

    it('L1: a log that was removed is as one that was never made, and the others stay', async () => {
      const other = make.id();
      await subject.log.create(other, make.opened(other));
      await subject.log.create(logId, make.opened(logId));
      const kept = await bytesOf(subject.log, other);
      await subject.log.append(logId, [make.message(logId, 'gone soon')]);
      await subject.log.remove(logId);
      expect((await subject.log.list()).map((log) => log.logId)).toEqual([other]);
      expect(await codeOf(eventsOf(subject.log, logId))).toBe('not_found');
      expect(await codeOf(subject.log.append(logId, [make.message(logId, 'hello?')]))).toBe('not_found');
      expect(await codeOf(subject.log.remove(logId))).toBe('not_found');
      expect(await bytesOf(subject.log, other)).toEqual(kept);
    });

    it('closing waits for what was accepted and refuses what comes later', async () => {
      await subject.log.create(logId, make.opened(logId));
      const accepted = subject.log.append(logId, [make.message(logId, 'just in time')]);
      await subject.log.close();
      expect((await accepted).map((event) => event.seq)).toEqual([3]);
      expect(await codeOf(subject.log.append(logId, [make.message(logId, 'too late')]))).toBe('unavailable');
    });
  });
}

export async function recordsOf(log: SessionLog, logId: string): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  for await (const record of log.read(logId)) records.push(record);
  return records;
}

export async function eventsOf(log: SessionLog, logId: string): Promise<LogEvent[]> {
  const records = await recordsOf(log, logId);
  return records.flatMap((record) => (record.kind === 'event' ? [record.event] : []));
}

export async function bytesOf(log: SessionLog, logId: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of log.readBytes(logId)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The code of the `AppError` a promise was refused with, or what happened instead. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'no error';
  } catch (thrown) {
    return thrown instanceof AppError ? thrown.code : String(thrown);
  }
}
