import type { StoredEvent } from '@/server/contract/events/event';
import { isItem } from '@/server/contract/events/event';
import { advanceSession } from '@/server/core/projection/advance-session';
import { appendToLog } from '@/server/core/projection/log-state';
import { foldSession } from '@/server/core/projection/session-state';
import type { LogState, SessionState } from '@/server/core/projection/state-shape';
import { LEAST_SAVE_BYTES, type LogOpenerOptions, type OpenedLog, openLog } from './open-log';
import { createDamageTeller } from './tell-damage';

/** A log in memory: the one state that decisions on it are made from. */
export interface LogEntry {
  log: LogState;
  /** Ends when the last decision that waits has been made: decisions on one log never overlap. */
  tail: Promise<unknown>;
  /** Decisions that wait or run; such an entry is never dropped, or a second one would write beside it. */
  waiting: number;
  readonly folded: Map<string, SessionState>;
  /** Bytes that may be appended before its snapshot is made anew; null where none is kept. */
  unsavedLeft: number | null;
  /** Bytes appended since this state was opened, and held since. */
  heldBytes: number;
}

export interface LogEntriesOptions extends LogOpenerOptions {
  /** Logs kept in memory at once. */
  readonly keptLogs: number;
  /** What every session state passes through before anybody sees it: frozen in tests and development (house). */
  readonly finish: (state: SessionState) => SessionState;
  /** Takes a line for the server's output: each damage of a log once a process, without content (L6). */
  readonly report?: (line: string) => void;
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
  advance(logId: string, entry: LogEntry, events: readonly StoredEvent[]): void;
  /** The entry with the log as its file says now. Throws as reading does; the log is then as it was. */
  reread(logId: string, entry: LogEntry): Promise<void>;
  /** Done once nothing is being written beside any log. */
  settled(): Promise<void>;
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

  const saving = new Set<Promise<unknown>>();
  const track = (work: Promise<unknown>) => {
    const done = work.catch(() => undefined).finally(() => saving.delete(done));
    saving.add(done);
  };

  const tellDamage = createDamageTeller(options.report ?? (() => undefined));
  const open = async (logId: string): Promise<OpenedLog> => {
    const opened = await openLog(options, logId);
    tellDamage(logId, opened.log.damage);
    track(opened.saved);
    return opened;
  };

  const take = (entry: LogEntry, opened: OpenedLog) => {
    entry.log = opened.log;
    entry.folded.clear();
    for (const [branch, session] of opened.sessions) entry.folded.set(branch, options.finish(session));
    entry.unsavedLeft = opened.saveAfterBytes;
    entry.heldBytes = 0;
  };

  /** Beside what goes on: the log is opened anew from its snapshot, which saves it where that is worth it. */
  const refresh = async (logId: string, entry: LogEntry) => {
    const opened = await open(logId);
    if (entry.heldBytes > MOST_HELD_BYTES && opened.log.newestSeq === entry.log.newestSeq) take(entry, opened);
    else entry.unsavedLeft = opened.saveAfterBytes;
  };

  const get = (logId: string): Promise<LogEntry> => {
    const known = entries.get(logId);
    if (known) {
      entries.delete(logId);
      entries.set(logId, known);
      return known;
    }
    const loading = open(logId).then((opened) => {
      const entry = newEntry(opened.log);
      take(entry, opened);
      return entry;
    });
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
      const unsavedLeft = options.side ? LEAST_SAVE_BYTES : null;
      entries.set(logId, Promise.resolve({ ...newEntry(log), unsavedLeft }));
      void dropIdle();
    },
    drop: (logId) => void entries.delete(logId),
    fold: (entry, branch) => {
      const session = entry.folded.get(branch) ?? options.finish(foldSession(entry.log, branch));
      entry.folded.set(branch, session);
      return session;
    },
    advance: (logId, entry, events) => {
      for (const event of events) {
        entry.log = appendToLog(entry.log, event);
        for (const [branch, session] of entry.folded) {
          const advanced = advanceSession(session, entry.log, event);
          if (advanced === null) entry.folded.delete(branch);
          else if (advanced !== session) entry.folded.set(branch, options.finish(advanced));
        }
        const bytes = isItem(event) ? event.bytes : SMALL_LINE_BYTES;
        entry.heldBytes += bytes;
        if (entry.unsavedLeft !== null) entry.unsavedLeft -= bytes;
      }
      if (entry.unsavedLeft === null || entry.unsavedLeft > 0) return;
      // Not again before this one is done.
      entry.unsavedLeft = null;
      track(refresh(logId, entry));
    },
    reread: async (logId, entry) => {
      entry.folded.clear();
      take(entry, await open(logId));
    },
    settled: async () => {
      while (saving.size > 0) await Promise.all(saving);
    },
  };
}

/** Bytes of appended lines that are held before the state is opened anew without them. */
const MOST_HELD_BYTES = 8 * 1024 * 1024;
/** What a line that is no item is taken for. */
const SMALL_LINE_BYTES = 300;

const newEntry = (log: LogState): LogEntry => ({
  log,
  tail: Promise.resolve(),
  waiting: 0,
  folded: new Map(),
  unsavedLeft: null,
  heldBytes: 0,
});
