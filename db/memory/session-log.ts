import type { EventDraft, StoredEvent } from '@/server/contract/events/event';
import { placeDrafts } from '@/server/core/log/encode-line-batch';
import type { SessionLog } from '@/server/ports/session-log';
import { prepareDrafts, toClosedError, toLogExistsError, toLogMissingError, toMissingError } from '../prepare-drafts';
import { readRecords } from '../read-records';

interface MemoryLog {
  readonly lines: Buffer[];
  readonly seqs: Map<string, number>;
}

/**
 * Logs in memory, for tests of use cases: the same lines, numbers and refusals as on a disk, gone with the
 * process. `append` answers in a later turn of the loop, as a disk would.
 */
export function createMemorySessionLog(): SessionLog {
  const logs = new Map<string, MemoryLog>();
  let closed = false;

  const find = (logId: string): MemoryLog => {
    const log = logs.get(logId);
    if (log === undefined) throw toLogMissingError(logId);
    return log;
  };
  const refuseWhenClosed = () => {
    if (closed) throw toClosedError();
  };

  async function* readBytes(logId: string): AsyncGenerator<Uint8Array> {
    yield Buffer.concat(find(logId).lines);
  }

  return {
    async create(logId, drafts) {
      refuseWhenClosed();
      if (logs.has(logId)) throw toLogExistsError(logId);
      const log = { lines: [], seqs: new Map<string, number>() };
      const events = place(log, drafts);
      logs.set(logId, log);
      return events;
    },
    async append(logId, drafts) {
      refuseWhenClosed();
      return place(find(logId), drafts);
    },
    read: (logId) => readRecords(readBytes(logId)),
    readBytes,
    async list() {
      return [...logs]
        .map(([logId, { lines }]) => ({ logId, bytes: lines.reduce((sum, line) => sum + line.length, 0) }))
        .filter(({ bytes }) => bytes > 0)
        .sort((a, b) => (a.logId < b.logId ? -1 : 1));
    },
    async remove(logId) {
      refuseWhenClosed();
      find(logId);
      logs.delete(logId);
    },
    async close() {
      closed = true;
    },
  };
}

function place(log: MemoryLog, drafts: readonly EventDraft[]): readonly StoredEvent[] {
  const batch = placeDrafts(prepareDrafts(drafts), { nextSeq: log.lines.length + 1, seqOf: (id) => log.seqs.get(id) });
  if (batch.kind === 'missing') throw toMissingError(batch.id);
  for (const { event, line } of batch.events) {
    log.lines.push(Buffer.from(line));
    log.seqs.set(event.id, event.seq);
  }
  return batch.events.map(({ event }) => event);
}
