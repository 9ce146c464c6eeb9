import type { LogEvent } from '@/server/contract/events/event';
import { finishScan, type ScanStart, type ScanState, scanChunk, startScan } from '@/server/core/log/scan-log';
import type { ScannedRecord } from '@/server/core/log/scan-log-record';
import { advanceSession } from '@/server/core/projection/advance-session';
import { appendToLog, emptyLogState } from '@/server/core/projection/log-state';
import { foldSession } from '@/server/core/projection/session-state';
import type { DamageRange, LogState, SessionState } from '@/server/core/projection/state-shape';
import type { ColdSource } from '@/server/core/snapshot/cold-log';
import { type LinePlace, type OpenedSnapshot, openSnapshot } from '@/server/core/snapshot/open-snapshot';
import { RowWriter } from '@/server/core/snapshot/row-writer';
import type { Snapshot } from '@/server/core/snapshot/snapshot-shape';
import { takeSnapshot } from '@/server/core/snapshot/take-snapshot';

/** Sessions whose newest lines a snapshot holds: those that were written to last. */
const MOST_SESSIONS = 4;
/** Bytes of lines that are folded before what they leave is let go of (perf-A4). */
const HELD_BYTES = 4 * 1024 * 1024;

/**
 * Replays a log chunk by chunk (perf-A1) and never holds more of it than its newest part: what is older is named by its
 * row and read from the file when it is asked for. Goes on behind a snapshot where there is one.
 */
export class Replay {
  log: LogState;
  sessions: Map<string, SessionState>;
  readonly rows: RowWriter;
  readonly unreported: Map<string, DamageRange>;
  /** Behind the last line that is folded whole. */
  place: ScanStart;
  #scan: ScanState;
  #heldFrom: number;
  #opened: OpenedSnapshot | null;
  /** False once the end is no whole line: then nothing vouches for it. */
  isWhole = true;

  constructor(
    private readonly source: ColdSource,
    opened: OpenedSnapshot | null,
    private readonly seen: (event: LogEvent) => void,
  ) {
    this.#opened = opened;
    this.log = opened?.log ?? emptyLogState();
    this.sessions = new Map(opened?.sessions);
    this.rows = new RowWriter(opened?.rows);
    this.unreported = new Map(opened?.unreported.map((range) => [keyOf(range), range]));
    this.place = opened?.place ?? { offset: 0, lines: 0, newestSeq: 0 };
    this.#scan = startScan(this.place);
    this.#heldFrom = this.place.offset;
  }

  take(chunk: Uint8Array): void {
    const step = scanChunk(this.#scan, chunk);
    for (const record of step.records) this.#fold(record);
    this.#scan = step.state;
    const { offset, lines, newestSeq, held } = step.state;
    if (held.length > 0) return;
    this.place = { offset, lines, newestSeq };
    if (offset - this.#heldFrom > HELD_BYTES) this.#letGo();
  }

  /** The end of the file: half a line, or one without its newline, is part of the log but of no snapshot. */
  end(): void {
    const { records, tail } = finishScan(this.#scan);
    this.isWhole = tail === 'newline' && this.#scan.held.length === 0;
    for (const record of records) this.#fold(record);
  }

  /** The state as a snapshot; null where it is worth none. */
  snapshot(tail: Snapshot['tail']): Snapshot | null {
    return takeSnapshot({
      log: this.log,
      sessions: this.#newestSessions(),
      place: this.place,
      tail,
      rows: this.rows,
      unreported: [...this.unreported.values()],
      placeOf: (seq) => this.#placeOf(seq),
    });
  }

  /** What a state that holds only the newest lines is opened with: rows that are in memory already, while they are needed. */
  #letGo(): void {
    this.#heldFrom = this.place.offset;
    // Behind a snapshot there is seldom more than a few hundred lines.
    const snapshot = this.rows.before.count > 0 ? null : this.snapshot({ bytes: 0, sha256: '' });
    if (snapshot === null) return;
    this.#opened = openSnapshot(snapshot, { rows: () => this.rows.fresh, line: this.source.line });
    this.log = this.#opened.log;
    this.sessions = new Map(this.#opened.sessions);
  }

  #fold(record: ScannedRecord): void {
    if (record.kind !== 'event') {
      this.log = { ...this.log, damage: [...this.log.damage, record.range] };
      if (record.kind === 'damage') this.unreported.set(keyOf(record.range), record.range);
      return;
    }
    const { event } = record;
    this.seen(event);
    this.log = appendToLog(this.log, event);
    this.rows.take(this.log, record);
    if (!('unknown' in event) && event.type === 'log.damage')
      for (const range of event.ranges) this.unreported.delete(keyOf(range));
    if (!('unknown' in event) && event.type === 'log.sealed') this.unreported.delete(keyOf(event));
    this.#advance(event);
  }

  #advance(event: LogEvent): void {
    const session = this.sessions.get(event.branch);
    if (session === undefined) {
      const branch = this.log.branches.get(event.branch);
      if (branch?.lines.length === 1) this.sessions.set(branch.id, foldSession(this.log, branch.id));
      return;
    }
    const advanced = advanceSession(session, this.log, event);
    if (advanced === null) this.sessions.delete(event.branch);
    else this.sessions.set(event.branch, advanced);
  }

  #newestSessions(): readonly SessionState[] {
    const newest = [...this.log.branches.values()].sort((one, other) => newestOf(other) - newestOf(one));
    return newest.slice(0, MOST_SESSIONS).map(({ id }) => this.sessions.get(id) ?? foldSession(this.log, id));
  }

  #placeOf(seq: number): LinePlace {
    const { fresh } = this.rows;
    const place = fresh.find(seq);
    if (place >= 0) return fresh.at(place);
    const known = this.#opened?.placeOf(seq);
    if (known === undefined) throw new RangeError(`no line has the number ${seq}`);
    return known;
  }
}

const newestOf = ({ ledger, opened }: { ledger: { newest: { seq: number } | null }; opened: { seq: number } }) =>
  ledger.newest?.seq ?? opened.seq;

const keyOf = ({ from, to }: { readonly from: number; readonly to: number }) => `${from}:${to}`;
