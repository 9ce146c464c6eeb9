import { AppError } from '@/server/contract/error';
import type { EventDraft, StoredEvent } from '@/server/contract/events/event';
import { type NewEvent, stampEvents } from '@/server/core/log/new-event';
import { appendToLog, emptyLogState } from '@/server/core/projection/log-state';
import { foldSession } from '@/server/core/projection/session-state';
import type { LogState, SessionState } from '@/server/core/projection/state-shape';
import type { Clock } from '@/server/ports/clock';
import { createLogEntries, type LogEntries, type LogEntriesOptions, type LogEntry } from './log-entries';

/** A session as it stands: the whole log it lives in, and its own branch at its head. */
export interface LoadedSession {
  readonly log: LogState;
  readonly session: SessionState;
}

/** What a use case decided, purely, from the state it was shown. No events: nothing is appended. */
export interface Decision<T> {
  readonly events: readonly NewEvent[];
  readonly result: T;
  /** The events open another branch of the same log, whose first line follows `head` (L3). */
  readonly opens?: { readonly branch: string; readonly head: number };
}

/** What an append changed; told only once it is durable (perf-F2). */
export interface Appended {
  readonly logId: string;
  readonly before: LogState;
  readonly after: LogState;
  readonly events: readonly StoredEvent[];
  /** A branch of `after` at its head. Asked for while this is told. */
  readonly sessionOf: (branch: string) => SessionState;
}

export interface WriterOptions extends LogEntriesOptions {
  readonly clock: Clock;
  /** The log a session's branch stands in; null where there is no such session. */
  readonly logOf: (sessionId: string) => string | null;
  /** Called after every durable append, in the order of the log: index and publish. */
  readonly onAppended: (appended: Appended) => void;
}

/**
 * THE writer: the only code that appends to a log (L7). Each use case is one sentence here: it is shown the state,
 * decides, and what it decided is appended before anybody else decides on the same log.
 */
export interface SessionWriter {
  /** Throws `not_found` for what is not there or was deleted. */
  load(sessionId: string): Promise<LoadedSession>;
  /** Throws `not_found` alike, `conflict` for a branch of a newer version, `storage_full`, `storage_failed`. */
  append<T>(sessionId: string, decide: (loaded: LoadedSession) => Decision<T>): Promise<T>;
  /** As `append`, of a deleted one too: what takes it out of the trash. */
  appendToDeleted<T>(sessionId: string, decide: (loaded: LoadedSession) => Decision<T>): Promise<T>;
  /** Makes a new log whose drafts are already complete, branches included (new conversations, imports). */
  create(logId: string, drafts: readonly EventDraft[]): Promise<LogState>;
  loadLog(logId: string): Promise<LogState>;
  /** As `loadLog`, with its branches at their heads, deleted ones too. */
  loadBranches(
    logId: string,
  ): Promise<{ readonly log: LogState; readonly sessionOf: (branch: string) => SessionState }>;
  /** Done once nothing is being written beside any log. */
  settled(): Promise<void>;
  /**
   * Removes a log for good where `letGo` says so of it as it stands, before anybody else decides on it; whoever waits behind
   * finds nothing there. False: it stays. Throws as the driver does, and then it stays too.
   */
  remove(logId: string, letGo: (log: LogState) => boolean): Promise<boolean>;
}

/** The writer over a log driver. Nothing is read or written before it is asked. */
export function createSessionWriter(options: WriterOptions): SessionWriter {
  const entries = createLogEntries(options);

  const logIdOf = (sessionId: string): string => {
    const logId = options.logOf(sessionId);
    if (!logId) throw new AppError('not_found', 'There is no such conversation.');
    return logId;
  };

  const commit = async (logId: string, entry: LogEntry, drafts: readonly EventDraft[]) => {
    const events = await options.sessionLog.append(logId, drafts).catch(async (error: unknown) => {
      // Nothing of the call counts, but the driver may have sealed a torn part: the file is read anew.
      await entries.reread(logId, entry).catch(() => undefined);
      throw error;
    });
    const before = entry.log;
    // A seal or a report that the driver put before them takes a line of its own: then the file says more than the answer.
    const isNext = events[0]?.seq === before.newestSeq + 1;
    if (isNext) entries.advance(logId, entry, events);
    else await entries.reread(logId, entry);
    const after = entry.log;
    options.onAppended({ logId, before, after, events, sessionOf: (branch) => entries.fold(entry, branch) });
  };

  const decideAndCommit = async <T>({ logId, loaded, decide }: Deciding<T>, entry: LogEntry) => {
    const now = loaded(entry);
    const { events, result, opens } = decide(now);
    if (events.length === 0) return result;
    // A new branch may well begin before what a newer version wrote: who plans it looks at the lines it follows.
    if (!opens) refuseNewer(now.session);
    const at = new Date(options.clock.now()).toISOString();
    const { branch, head } = opens ?? now.session;
    await commit(logId, entry, stampEvents(events, { branch, logId, head, at, nextId: options.ids.next }));
    return result;
  };

  /** Decisions on one log wait for each other. */
  const decideInTurn = async <T>(deciding: Deciding<T>): Promise<T> => {
    const entry = await entries.hold(deciding.logId);
    const turn = entry.tail.then(() => decideAndCommit(deciding, entry));
    entry.tail = turn.then(settle(entry), settle(entry));
    return turn;
  };

  return {
    load: async (sessionId) => {
      const entry = await entries.get(logIdOf(sessionId));
      return sessionIn(entries, entry)(sessionId);
    },
    append: async (sessionId, decide) =>
      decideInTurn({ logId: logIdOf(sessionId), loaded: (entry) => sessionIn(entries, entry)(sessionId), decide }),
    appendToDeleted: async (sessionId, decide) =>
      decideInTurn({ logId: logIdOf(sessionId), loaded: (entry) => foldIn(entries, entry)(sessionId), decide }),
    create: async (logId, drafts) => {
      const events = await options.sessionLog.create(logId, drafts);
      const before = emptyLogState();
      const log = events.reduce(appendToLog, before);
      entries.put(logId, log);
      options.onAppended({ logId, before, after: log, events, sessionOf: (branch) => foldSession(log, branch) });
      return log;
    },
    loadLog: async (logId) => (await entries.get(logId)).log,
    loadBranches: async (logId) => {
      const entry = await entries.get(logId);
      return { log: entry.log, sessionOf: (branch) => entries.fold(entry, branch) };
    },
    settled: entries.settled,
    remove: async (logId, letGo) => {
      const entry = await entries.hold(logId);
      const turn = entry.tail.then(async () => {
        if (!letGo(entry.log)) return false;
        await options.sessionLog.remove(logId).catch(refuseUnlessGone);
        entries.drop(logId);
        return true;
      });
      entry.tail = turn.then(settle(entry), settle(entry));
      return turn;
    },
  };
}

/** What is not there is removed: an attempt before may have got as far as the file. */
function refuseUnlessGone(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'not_found')) throw error;
}

interface Deciding<T> {
  readonly logId: string;
  /** The session as the entry has it once it is this decision's turn. */
  readonly loaded: (entry: LogEntry) => LoadedSession;
  readonly decide: (loaded: LoadedSession) => Decision<T>;
}

const settle = (entry: LogEntry) => () => {
  entry.waiting -= 1;
};

const sessionIn =
  (entries: LogEntries, entry: LogEntry) =>
  (sessionId: string): LoadedSession => {
    const loaded = foldIn(entries, entry)(sessionId);
    if (loaded.session.deleted) throw new AppError('not_found', 'This conversation was deleted.');
    return loaded;
  };

const foldIn =
  (entries: LogEntries, entry: LogEntry) =>
  (sessionId: string): LoadedSession => {
    if (!entry.log.branches.has(sessionId)) throw new AppError('not_found', 'There is no such conversation.');
    return { log: entry.log, session: entries.fold(entry, sessionId) };
  };

/** Lines of a newer version may mean anything: reading and export work, appending would build on a guess. */
function refuseNewer(session: SessionState): void {
  if (!session.fromNewerVersion) return;
  throw new AppError(
    'conflict',
    'This conversation was written by a newer version of Tidemark. It can be read and exported here, not continued.',
  );
}
