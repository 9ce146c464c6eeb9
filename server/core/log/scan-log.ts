import { MAX_LINE_BYTES } from './line-limits';
import { readLine } from './scan-log-line';
import type { ScannedRecord } from './scan-log-record';

/** How the file ends: with a newline, with a whole event that lacks it, or with half a record. */
export type LogTail = 'newline' | 'whole' | 'torn';

/** Where a scan begins. All zero for a whole file; a later place must be just behind a newline. */
export interface ScanStart {
  readonly offset: number;
  readonly lines: number;
  readonly newestSeq: number;
}

/** A scan between two chunks. Holds at most one line, and never more than the line limit of it. */
export interface ScanState extends ScanStart {
  /** Beginning of the line that is not complete yet, as it came. */
  readonly pieces: readonly Uint8Array[];
  readonly pieceBytes: number;
  /** True inside a line over the limit: its bytes are counted and let go. */
  readonly skipping: boolean;
  /** Damage that the next line may turn out to have sealed. */
  readonly held: readonly ScannedRecord[];
}

export interface ScanStep {
  readonly state: ScanState;
  readonly records: readonly ScannedRecord[];
}

export interface ScanEnd {
  readonly records: readonly ScannedRecord[];
  /** Lines of the file, the last one included when its newline is missing. */
  readonly lines: number;
  readonly newestSeq: number;
  readonly tail: LogTail;
}

/** A scan that has read nothing yet, from the beginning or from a known place. */
export function startScan(start: ScanStart = { offset: 0, lines: 0, newestSeq: 0 }): ScanState {
  return { ...start, pieces: [], pieceBytes: 0, skipping: false, held: [] };
}

/**
 * Takes the next bytes of a log (L6). Lines end at 0x0A only. Any cut of the bytes into chunks yields the
 * same records. Chunks are kept until their last line is complete, so they must not be written to again.
 */
export function scanChunk(state: ScanState, chunk: Uint8Array): ScanStep {
  const found: ScannedRecord[] = [];
  let { offset, lines, newestSeq, pieces, pieceBytes, skipping } = state;
  let at = 0;
  for (let newline = chunk.indexOf(0x0a); newline >= 0; newline = chunk.indexOf(0x0a, at)) {
    const rest = chunk.subarray(at, newline);
    const length = pieceBytes + rest.length;
    lines += 1;
    const line = { from: offset, number: lines, newestSeq };
    const records =
      skipping || length > MAX_LINE_BYTES ? [tooLong(offset, length)] : readLine(join(pieces, rest), line);
    for (const record of records) {
      found.push(record);
      if (record.kind === 'event') newestSeq = Math.max(newestSeq, record.event.seq);
    }
    offset += length + 1;
    at = newline + 1;
    pieces = [];
    pieceBytes = 0;
    skipping = false;
  }
  const rest = chunk.subarray(at);
  pieceBytes += rest.length;
  skipping = skipping || pieceBytes > MAX_LINE_BYTES;
  if (skipping) pieces = [];
  else if (rest.length > 0) pieces = [...pieces, rest];
  const { held, records } = nameSealed(state.held, found);
  return { state: { offset, lines, newestSeq, pieces, pieceBytes, skipping, held }, records };
}

/** The end of the file: what stands behind the last newline is a whole event or torn (`contract.md` 1). */
export function finishScan(state: ScanState): ScanEnd {
  const { offset, lines, newestSeq, pieces, pieceBytes, skipping } = state;
  if (pieceBytes === 0) return { records: state.held, lines, newestSeq, tail: 'newline' };
  const line = { from: offset, number: lines + 1, newestSeq };
  const read = skipping ? [tooLong(offset, pieceBytes)] : readLine(join(pieces, new Uint8Array()), line);
  const end = offset + pieceBytes;
  const last = read.map((record) => (record.kind === 'damage' && record.range.to === end ? tearOf(record) : record));
  const { held, records } = nameSealed(state.held, last);
  const seqs = read.map((record) => (record.kind === 'event' ? record.event.seq : 0));
  return {
    records: [...records, ...held],
    lines: lines + 1,
    newestSeq: Math.max(newestSeq, ...seqs),
    tail: last.some((record) => record.kind === 'torn') ? 'torn' : 'whole',
  };
}

function join(pieces: readonly Uint8Array[], rest: Uint8Array): Uint8Array {
  if (pieces.length === 0) return rest;
  return Buffer.concat([...pieces, rest]);
}

function tooLong(from: number, length: number): ScannedRecord {
  return { kind: 'damage', range: { from, to: from + length, why: 'longer than 64 MiB' } };
}

function tearOf(record: Extract<ScannedRecord, { kind: 'damage' }>): ScannedRecord {
  return { kind: 'torn', range: { ...record.range, why: 'torn' } };
}

/**
 * The seal of a torn tail is the next line the writer wrote, so damage waits for one record: that is how
 * "torn" and "damaged" are told apart for ever (L6).
 */
function nameSealed(held: readonly ScannedRecord[], found: readonly ScannedRecord[]) {
  const records: ScannedRecord[] = [];
  let waiting = held[0];
  for (const record of found) {
    if (waiting !== undefined) records.push(isSealOf(record, waiting) ? tornOrSame(waiting) : waiting);
    waiting = undefined;
    if (record.kind === 'damage') waiting = record;
    else records.push(record);
  }
  return { records, held: waiting === undefined ? [] : [waiting] };
}

function tornOrSame(record: ScannedRecord): ScannedRecord {
  return record.kind === 'damage' ? tearOf(record) : record;
}

function isSealOf(record: ScannedRecord, waiting: ScannedRecord): boolean {
  if (record.kind !== 'event' || waiting.kind !== 'damage') return false;
  const { event } = record;
  return (
    !('unknown' in event) &&
    event.type === 'log.sealed' &&
    event.from === waiting.range.from &&
    event.to === waiting.range.to
  );
}
