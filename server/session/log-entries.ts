import type { StoredEvent } from '@/server/contract/events/event';
import { advanceSession } from '@/server/core/projection/advance-session';
import { appendToLog, foldLog } from '@/server/core/projection/log-state';
import { foldSession } from '@/server/core/projection/session-state';
import type { LogState, SessionState } from '@/server/core/projection/state-shape';
import type { Ids } from '@/server/ports/clock';
import type { LogRecord, SessionLog } from '@/server/ports/session-log';

/** A log in memory: the one state that decisions on it are made from. */
export interface LogEntry {
  log: LogState;
  /** Ends when the last decision that waits has been made: decisions on one log never overlap. */
  tail: Promise<unknown>;
  /** Decisions that wait or run; such an entry is never dropped, or a second one would write beside it. */
  waiting: number;
  readonly folded: Map<string, SessionState>;
}

export interface LogEntriesOptions {
  readonly sessionLog: SessionLog;
  readonly ids: Ids;
  /** Logs kept in memory at once. */
  readonly keptLogs: number;
  /** What every session state passes through before anybody sees it: frozen in tests and development (house). */
  readonly finish: (state: SessionState) => SessionState;
}

/** The logs in memory: read when first asked for, the longest unused dropped first, one entry a log at any time. */
export interface LogEntries {
  /** Throws as the log's reading does; the next call reads anew. */
  get(logId: string): Promise<LogEntry>;
  /** The entry with one more decision waiting: it stays until `waiting` is taken back. */
  hold(logId: string): Promise<LogEntry>;
  /** Puts a log there that was just made. */
  put(logId: string, log: LogState): void;
  /** Lets go of a log that is not there any more. */
  drop(logId: string): void;
  /** A branch of the entry's log at its head, folded once and then told on. The branch must be there. */
  fold(entry: LogEntry, branch: string): SessionState;
  /** The entry with lines that were just appended; its sessions are told on by them, not folded anew (perf-B1). */
  advance(entry: LogEntry, events: readonly StoredEvent[]): void;
  /** The entry with the log as its file says now. */
  replace(entry: LogEntry, log: LogState): void;
  /** The log as its file says now. */
  read(logId: string): Promise<LogState>;
}

/** Nothing is read before it is asked for. */
export function createLogEntries(options: LogEntriesOptions): LogEntries {
  const entries = new Map<string, Promise<LogEntry>>();

  const dropIdle = async () => {
    for (const [logId, promise] of [...entries]) {
      if (entries.size <= options.keptLogs) return;
      const entry = await promise.catch(() => null);
      // It may have been dropped and taken anew meanwhile: that one is not ours to drop.
      if (entry?.waiting === 0 && entries.get(logId) === promise) entries.delete(logId);
    }
  };

  const read = (logId: string) => readLog(options, logId);

  const get = (logId: string): Promise<LogEntry> => {
    const known = entries.get(logId);
    if (known) {
      entries.delete(logId);
      entries.set(logId, known);
      return known;
    }
    const loading = read(logId).then(newEntry);
    entries.set(logId, loading);
    loading.then(dropIdle, () => entries.delete(logId));
    return loading;
  };

  return {
    get,
    hold: async (logId) => {
      for (;;) {
        const promise = get(logId);
        const entry = await promise;
        // Taken anew where it was dropped while it was awaited.
        if (entries.get(logId) !== promise) continue;
        entry.waiting += 1;
        return entry;
      }
    },
    put: (logId, log) => {
      entries.set(logId, Promise.resolve(newEntry(log)));
      void dropIdle();
    },
    drop: (logId) => void entries.delete(logId),
    fold: (entry, branch) => {
      const session = entry.folded.get(branch) ?? options.finish(foldSession(entry.log, branch));
      entry.folded.set(branch, session);
      return session;
    },
    advance: (entry, events) => {
      for (const event of events) {
        entry.log = appendToLog(entry.log, event);
        for (const [branch, session] of entry.folded) {
          const advanced = advanceSession(session, entry.log, event);
          if (advanced === null) entry.folded.delete(branch);
          else if (advanced !== session) entry.folded.set(branch, options.finish(advanced));
        }
      }
    },
    replace: (entry, log) => {
      entry.log = log;
      entry.folded.clear();
    },
    read,
  };
}

const newEntry = (log: LogState): LogEntry => ({ log, tail: Promise.resolve(), waiting: 0, folded: new Map() });

async function readLog({ sessionLog, ids }: LogEntriesOptions, logId: string): Promise<LogState> {
  const records: LogRecord[] = [];
  for await (const record of sessionLog.read(logId)) {
    if (record.kind === 'event') ids.seen(record.event.id);
    records.push(record);
  }
  return foldLog(records);
}
