import { crc32 } from 'node:zlib';
import type { LogEvent } from '@/server/contract/events/event';
import { readTrailer } from './line-checksum';
import { TRAILER_BYTES } from './line-limits';
import { parseLine } from './parse-line';

/** Records found on a line that is none itself, and what is left between them. Half-open, within the line. */
export interface Glued {
  readonly records: readonly { readonly event: LogEvent; readonly from: number; readonly to: number }[];
  readonly rest: readonly { readonly from: number; readonly to: number }[];
}

/**
 * Bytes that may be summed for one line. Text can hold any number of beginnings and ends of records, so the
 * search is bounded by work, never by luck; past the bound what is left counts as damage.
 */
const passes = 16;
const leastWorkBytes = 4 * 1024 * 1024;
/** What one try costs besides its bytes, as bytes: text may be made of nothing but ends of records. */
const tryBytes = 200;

/**
 * Searches a failed line for whole records (`contract.md` 1, case-C02): from each `{"v":` to the first
 * trailer after it whose checksum verifies, since arguments may hold such text too and a half record may
 * stand before a whole one. A record counts only if its `seq` is beyond `newestSeq`: a copy of an older line
 * quoted inside a broken one is no second record.
 */
export function findGlued(line: Uint8Array, lineNumber: number, newestSeq: number): Glued {
  const bytes = Buffer.from(line.buffer, line.byteOffset, line.byteLength);
  const work = { left: Math.max(bytes.length * passes, leastWorkBytes) };
  const records: { event: LogEvent; from: number; to: number }[] = [];
  const rest: { from: number; to: number }[] = [];
  let newest = newestSeq;
  let done = 0;
  for (let from = bytes.indexOf('{"v":'); from >= 0; ) {
    const to = findEnd(bytes, from, work);
    const event = to === null ? null : toNewEvent(bytes.subarray(from, to), lineNumber, newest);
    if (to === null || event === null) {
      from = bytes.indexOf('{"v":', from + 1);
      continue;
    }
    if (from > done) rest.push({ from: done, to: from });
    records.push({ event, from, to });
    newest = event.seq;
    done = to;
    from = bytes.indexOf('{"v":', to);
  }
  if (done < bytes.length) rest.push({ from: done, to: bytes.length });
  return { records, rest };
}

/** Where the record that begins at `from` ends, or null. The checksum is carried on from one try to the next. */
function findEnd(bytes: Buffer, from: number, work: { left: number }): number | null {
  let sum = 0;
  let summed = from;
  for (let at = bytes.indexOf(',"c":"', from); at >= 0 && work.left > 0; at = bytes.indexOf(',"c":"', at + 1)) {
    const claimed = readTrailer(bytes, at);
    if (claimed === null) continue;
    sum = crc32(bytes.subarray(summed, at), sum);
    work.left -= at - summed + tryBytes;
    summed = at;
    if (sum === claimed) return at + TRAILER_BYTES;
  }
  return null;
}

function toNewEvent(bytes: Uint8Array, lineNumber: number, newestSeq: number): LogEvent | null {
  const parsed = parseLine(bytes, lineNumber);
  return parsed.kind === 'event' && parsed.event.seq > newestSeq ? parsed.event : null;
}
