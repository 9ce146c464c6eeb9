import { closeSync, openSync, readSync } from 'node:fs';

const blockBytes = 64 * 1024;
const mostBlocks = 16;

/**
 * Bytes of a log by their place, read at once: a state that names a line must be able to look at it (perf-A3). Blocks
 * read lately are kept, so that lines side by side cost one reading. A file is opened for each, so that nothing is held
 * of logs nobody looks at.
 */
export class LogBlocks {
  readonly #blocks = new Map<string, Buffer>();

  constructor(private readonly pathOf: (logId: string) => string) {}

  read(logId: string, { from, bytes }: { readonly from: number; readonly bytes: number }): Uint8Array {
    const first = Math.floor(from / blockBytes);
    const last = Math.floor((from + Math.max(0, bytes - 1)) / blockBytes);
    if (last - first > 2) return this.#readFile(logId, from, bytes);
    const blocks: Buffer[] = [];
    for (let block = first; block <= last; block += 1) blocks.push(this.#block(logId, block, from + bytes));
    const joined = blocks.length === 1 && blocks[0] !== undefined ? blocks[0] : Buffer.concat(blocks);
    const at = from - first * blockBytes;
    return joined.subarray(at, at + bytes);
  }

  /** The file is gone, or another one. */
  forget(logId: string): void {
    for (const key of [...this.#blocks.keys()]) if (key.startsWith(`${logId} `)) this.#blocks.delete(key);
  }

  /** A block that ends before what is wanted was read while the file was shorter: it is read again. */
  #block(logId: string, block: number, end: number): Buffer {
    const key = `${logId} ${block}`;
    const known = this.#blocks.get(key);
    const wanted = Math.min(blockBytes, end - block * blockBytes);
    if (known && known.length >= wanted) return known;
    const read = this.#readFile(logId, block * blockBytes, blockBytes);
    this.#blocks.set(key, read);
    const [oldest] = this.#blocks.keys();
    if (this.#blocks.size > mostBlocks && oldest !== undefined) this.#blocks.delete(oldest);
    return read;
  }

  #readFile(logId: string, from: number, bytes: number): Buffer {
    const file = openSync(this.pathOf(logId), 'r');
    try {
      const into = Buffer.alloc(bytes);
      let done = 0;
      while (done < bytes) {
        const count = readSync(file, into, done, bytes - done, from + done);
        if (count === 0) break;
        done += count;
      }
      return into.subarray(0, done);
    } finally {
      closeSync(file);
    }
  }
}
