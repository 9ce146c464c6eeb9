import { findGlued } from './find-glued';
import { parseLine } from './parse-line';
import type { ScannedRecord } from './scan-log-record';

const eventKind: 'event' = 'event';

interface LinePosition {
  /** Offset of its first byte in the file. */
  readonly from: number;
  /** Counted from 1. */
  readonly number: number;
  /** Newest `seq` before this line. */
  readonly newestSeq: number;
}

/**
 * The records of one line, in order, and damage for every byte that belongs to none (L6). An empty line
 * yields nothing. What an editor may have added is named: a byte order mark, carriage returns (rel-S8).
 */
export function readLine(line: Uint8Array, position: LinePosition): ScannedRecord[] {
  const { from } = position;
  if (from === 0 && startsWithMark(line)) {
    return [damage(0, 3, 'byte order mark'), ...readLine(line.subarray(3), { ...position, from: 3 })];
  }
  if (line[line.length - 1] === 0x0d) {
    const end = from + line.length;
    return [...readLine(line.subarray(0, -1), position), damage(end - 1, end, 'carriage return')];
  }
  return line.length === 0 ? [] : readRecord(line, position);
}

function readRecord(line: Uint8Array, { from, number, newestSeq }: LinePosition): ScannedRecord[] {
  const parsed = parseLine(line, number);
  if (parsed.kind === 'event') return [{ kind: 'event', event: parsed.event, from, to: from + line.length }];
  const { records, rest } = findGlued(line, number, newestSeq);
  const why = line.every((byte) => byte === 0) ? 'zero bytes' : parsed.why;
  return [
    ...records.map((record) => ({
      kind: eventKind,
      event: record.event,
      from: from + record.from,
      to: from + record.to,
    })),
    ...rest.map((range) => damage(from + range.from, from + range.to, records.length > 0 ? 'part of a record' : why)),
  ].sort((a, b) => startOf(a) - startOf(b));
}

function startOf(record: ScannedRecord): number {
  return record.kind === 'event' ? record.from : record.range.from;
}

function startsWithMark(line: Uint8Array): boolean {
  return line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf;
}

function damage(from: number, to: number, why: string): ScannedRecord {
  return { kind: 'damage', range: { from, to, why } };
}
