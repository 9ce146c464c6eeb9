import { crc32 } from 'node:zlib';
import { EVENT_DEFINITIONS, type LogEvent } from '@/server/contract/events/event';

/** Where a line stands in its file and how it hangs together with others; its body is read when somebody asks. */
export interface LineRow {
  /** Offset of its first byte, and how many there are, without the newline. */
  readonly from: number;
  readonly bytes: number;
  readonly seq: number;
  /** `seq` of the line of a path that it follows, 0 for none; of a message that is on no path `markOfSent`. */
  readonly link: number;
  /** Place in `LINE_TYPES`; 255 for a type that this release does not know. */
  readonly type: number;
  readonly flags: number;
  /** Place in the branches of the log, in the order they first had a line. */
  readonly branch: number;
}

/** On a path; places an item on it; does not count for state; its id does not sort after all before it. */
export const ROW_FLAGS = { onPath: 1, places: 2, ignored: 4, unsorted: 8 } as const;

export const LINE_TYPES: readonly string[] = Object.keys(EVENT_DEFINITIONS);

const typeCodes: ReadonlyMap<string, number> = new Map(LINE_TYPES.map((type, code) => [type, code]));

/** The code of a line's type; 255 where this release does not know it. */
export function lineTypeOf(event: LogEvent): number {
  return 'unknown' in event ? UNKNOWN_TYPE : (typeCodes.get(event.type) ?? UNKNOWN_TYPE);
}

/** The code of a type. */
export function codeOfType(type: keyof typeof EVENT_DEFINITIONS): number {
  return typeCodes.get(type) ?? UNKNOWN_TYPE;
}

const UNKNOWN_TYPE = 255;

/** Bytes of a row, in memory and in the file: with lines of a kilobyte 2.4 % of them (perf-A5). */
export const ROW_BYTES = 24;
const CHUNK_ROWS = 4096;

/** The lines of a log in file order, 24 bytes each and none of their text (perf-A3). Rows are added and never changed. */
export class LineRows {
  readonly #chunks: Buffer[] = [];
  #count = 0;

  /** Rows as `toBytes` wrote them; a rest that is no whole row is left out. */
  static fromBytes(bytes: Uint8Array): LineRows {
    const rows = new LineRows();
    const count = Math.floor(bytes.length / ROW_BYTES);
    for (let row = 0; row < count; row += CHUNK_ROWS) {
      const chunk = Buffer.alloc(CHUNK_ROWS * ROW_BYTES);
      chunk.set(bytes.subarray(row * ROW_BYTES, Math.min(count, row + CHUNK_ROWS) * ROW_BYTES));
      rows.#chunks.push(chunk);
    }
    rows.#count = count;
    return rows;
  }

  get count(): number {
    return this.#count;
  }

  push(row: LineRow): void {
    const place = this.#count % CHUNK_ROWS;
    if (place === 0) this.#chunks.push(Buffer.alloc(CHUNK_ROWS * ROW_BYTES));
    const chunk = this.#chunks.at(-1);
    if (chunk === undefined) return;
    const at = place * ROW_BYTES;
    chunk.writeUIntLE(row.from, at, 6);
    chunk.writeUInt32LE(row.bytes, at + 6);
    chunk.writeUInt32LE(row.seq, at + 10);
    chunk.writeUInt32LE(row.link, at + 14);
    chunk.writeUInt8(row.type, at + 18);
    chunk.writeUInt8(row.flags, at + 19);
    chunk.writeUInt16LE(row.branch, at + 20);
    this.#count += 1;
  }

  at(row: number): LineRow {
    const { chunk, at } = this.#find(row);
    return {
      from: chunk.readUIntLE(at, 6),
      bytes: chunk.readUInt32LE(at + 6),
      seq: chunk.readUInt32LE(at + 10),
      link: chunk.readUInt32LE(at + 14),
      type: chunk.readUInt8(at + 18),
      flags: chunk.readUInt8(at + 19),
      branch: chunk.readUInt16LE(at + 20),
    };
  }

  typeAt(row: number): number {
    const { chunk, at } = this.#find(row);
    return chunk[at + 18] ?? UNKNOWN_TYPE;
  }

  seqAt(row: number): number {
    const { chunk, at } = this.#find(row);
    return chunk.readUInt32LE(at + 10);
  }

  /** The place of the line with a `seq`; -1 where none has it. */
  find(seq: number): number {
    // Most logs count line by line: then the first guess is right.
    let low = 0;
    let high = this.#count - 1;
    let guess = Math.max(0, Math.min(seq - 1, high));
    while (low <= high) {
      const found = this.seqAt(guess);
      if (found === seq) return guess;
      if (found < seq) low = guess + 1;
      else high = guess - 1;
      guess = (low + high) >> 1;
    }
    return -1;
  }

  /** Rows from a place on, as they stand in the file. */
  toBytes(from: number, to = this.#count): Uint8Array {
    const bytes = Buffer.alloc((to - from) * ROW_BYTES);
    for (let row = from; row < to; row += 1) {
      const { chunk, at } = this.#find(row);
      chunk.copy(bytes, (row - from) * ROW_BYTES, at, at + ROW_BYTES);
    }
    return bytes;
  }

  #find(row: number): { readonly chunk: Buffer; readonly at: number } {
    const chunk = this.#chunks[Math.floor(row / CHUNK_ROWS)];
    if (chunk === undefined || row < 0 || row >= this.#count) throw new RangeError(`there is no row ${row}`);
    return { chunk, at: (row % CHUNK_ROWS) * ROW_BYTES };
  }
}

/** The checksum of rows, carried on from that of those before them. */
export function sumRows(bytes: Uint8Array, before: number): number {
  return crc32(bytes, before);
}

/** The branch of lines about the file, and of those that do not say theirs. */
export const NO_BRANCH = 65_535;

/** What a row keeps of the id a client gave its message: enough to read only the messages that may be meant. */
export function markOfSent(clientMessageId: string): number {
  return crc32(clientMessageId) || 1;
}
