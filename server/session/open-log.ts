import { foldLog } from '@/server/core/projection/log-state';
import type { LogState, SessionState } from '@/server/core/projection/state-shape';
import type { ColdSource } from '@/server/core/snapshot/cold-log';
import { LineRows, ROW_BYTES, sumRows } from '@/server/core/snapshot/line-rows';
import { type OpenedSnapshot, openSnapshot } from '@/server/core/snapshot/open-snapshot';
import { decodeSnapshot, encodeSnapshot, sumOf } from '@/server/core/snapshot/snapshot-file';
import type { Snapshot } from '@/server/core/snapshot/snapshot-shape';
import type { Ids } from '@/server/ports/clock';
import type { LogSide } from '@/server/ports/log-side';
import type { LogRecord, SessionLog } from '@/server/ports/session-log';
import { Replay } from './replay-log';

export interface LogOpenerOptions {
  readonly sessionLog: SessionLog;
  readonly ids: Ids;
  /** What is kept beside the logs; without it each is read whole whenever it is opened. */
  readonly side?: LogSide | null;
}

export interface OpenedLog {
  readonly log: LogState;
  /** Sessions that were folded on the way, at their heads. */
  readonly sessions: ReadonlyMap<string, SessionState>;
  /** Bytes of the log after which its snapshot is worth making anew; null where none is kept. */
  readonly saveAfterBytes: number | null;
  /** Done once what is kept beside the log is written; never rejects. */
  readonly saved: Promise<void>;
}

/** A snapshot is made anew after so many bytes of the log, or so many times its own size (perf-A5: 0.15 at most). */
export const LEAST_SAVE_BYTES = 256 * 1024;
const SAVE_TIMES_OWN_SIZE = 12;
/** The end of what is folded, by which a log is known. */
const TAIL_BYTES = 16 * 1024;
const REPLAY_CHUNK_BYTES = 1024 * 1024;

/**
 * Opens a log as its file says now: from the snapshot beside it and the lines behind that, else by replaying all of it;
 * both say the same (rel-S17). Throws as the log's reading does.
 */
export async function openLog(options: LogOpenerOptions, logId: string): Promise<OpenedLog> {
  const { side } = options;
  if (!side) return readWhole(options, logId);
  const source = createSource(side, logId);
  const opened = await loadSnapshot(side, logId, source);
  if (opened) options.ids.seen(opened.snapshot.newestId);
  const replay = new Replay(source, opened?.state ?? null, ({ id }) => options.ids.seen(id));
  for await (const chunk of side.readFrom(logId, replay.place.offset)) replay.take(chunk);
  const unreported = [...replay.unreported.values()];
  side.vouch(logId, { place: replay.place, unreported });
  replay.end();
  return finish({ side, logId, source }, { replay, before: opened?.snapshot ?? null });
}

interface Kept {
  readonly side: LogSide;
  readonly logId: string;
  readonly source: DiskSource;
}

function finish(
  { side, logId, source }: Kept,
  { replay, before }: { replay: Replay; before: Snapshot | null },
): OpenedLog {
  const { log, sessions, place } = replay;
  const since = place.offset - (before?.place.offset ?? 0);
  const state = { log, sessions, saved: Promise.resolve() };
  const size = before === null ? 0 : JSON.stringify(before).length;
  const saveAfterBytes = Math.max(LEAST_SAVE_BYTES, SAVE_TIMES_OWN_SIZE * size) - since;
  if (!replay.isWhole) return { ...state, saveAfterBytes: LEAST_SAVE_BYTES };
  if (saveAfterBytes > 0) return { ...state, saveAfterBytes };
  const tailBytes = Math.min(TAIL_BYTES, place.offset);
  const snapshot = replay.snapshot({ bytes: tailBytes, sha256: tailOf(side, logId, place.offset) });
  if (snapshot === null) return { ...state, saveAfterBytes: null };
  const encoded = encodeSnapshot(snapshot);
  const rows = { at: replay.rows.before.count * ROW_BYTES, bytes: replay.rows.fresh.toBytes(0) };
  const saved = side.save(logId, { snapshot: encoded, rows });
  source.expect(snapshot.rows);
  source.hold(before === null ? replay.rows.fresh : null, saved);
  const reopened = openSnapshot(snapshot, source);
  const nextBytes = Math.max(LEAST_SAVE_BYTES, SAVE_TIMES_OWN_SIZE * encoded.length);
  return { log: reopened.log, sessions: reopened.sessions, saveAfterBytes: nextBytes, saved };
}

async function readWhole({ sessionLog, ids }: LogOpenerOptions, logId: string): Promise<OpenedLog> {
  const records: LogRecord[] = [];
  for await (const record of sessionLog.read(logId)) {
    if (record.kind === 'event') ids.seen(record.event.id);
    records.push(record);
  }
  return { log: foldLog(records), sessions: new Map(), saveAfterBytes: null, saved: Promise.resolve() };
}

/** Null for whatever is not a snapshot of this very log as it is: then the log is replayed. */
async function loadSnapshot(
  side: LogSide,
  logId: string,
  source: DiskSource,
): Promise<{ readonly snapshot: Snapshot; readonly state: OpenedSnapshot } | null> {
  const bytes = await side.load(logId);
  const snapshot = bytes === null ? null : decodeSnapshot(bytes, logId);
  if (snapshot === null) return null;
  try {
    if (tailOf(side, logId, snapshot.place.offset) !== snapshot.tail.sha256) return null;
    source.expect(snapshot.rows);
    return { snapshot, state: openSnapshot(snapshot, source) };
  } catch {
    // A line it names is not there, or is another: the log was changed from outside, or the snapshot is foreign.
    return null;
  }
}

function tailOf(side: LogSide, logId: string, offset: number): string {
  const bytes = Math.min(TAIL_BYTES, offset);
  return sumOf(side.bytes(logId, { from: offset - bytes, bytes }));
}

interface DiskSource extends ColdSource {
  /** How many rows there are to be, and their checksum. */
  expect(rows: Snapshot['rows']): void;
  /** Rows that are in memory serve until they are written. */
  hold(rows: LineRows | null, saved: Promise<void>): void;
}

/** Rows are read once somebody asks for an older line; what is no longer there, or is not what it was, is made anew. */
function createSource(side: LogSide, logId: string): DiskSource {
  let expected: Snapshot['rows'] = { count: 0, sum: 0 };
  let rows: LineRows | null = null;
  const line: ColdSource['line'] = (place) => side.bytes(logId, place);
  return {
    line,
    rows: () => {
      rows ??= readRows(side, logId, expected) ?? replayRows(side, logId, expected.count);
      return rows;
    },
    expect: (next) => {
      expected = next;
      rows = null;
    },
    hold: (held, saved) => {
      rows = held;
      void saved.then(() => {
        if (rows === held) rows = null;
      });
    },
  };
}

function readRows(side: LogSide, logId: string, { count, sum }: Snapshot['rows']): LineRows | null {
  const bytes = side.rows(logId, count * ROW_BYTES);
  return bytes === null || sumRows(bytes, 0) !== sum ? null : LineRows.fromBytes(bytes);
}

/** Reads the log at once and as a whole: nobody can wait who asks here. Only where rows were lost beside a good snapshot. */
function replayRows(side: LogSide, logId: string, count: number): LineRows {
  const line: ColdSource['line'] = (place) => side.bytes(logId, place);
  const replay = new Replay({ rows: () => replay.rows.fresh, line }, null, () => undefined);
  for (let from = 0; replay.rows.count < count; from += REPLAY_CHUNK_BYTES) {
    const chunk = side.bytes(logId, { from, bytes: REPLAY_CHUNK_BYTES });
    if (chunk.length === 0) break;
    replay.take(chunk);
  }
  return replay.rows.fresh;
}
