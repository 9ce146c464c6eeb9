import { closeSync, openSync, readSync } from 'node:fs';

const blockBytes = 64 * 1024;
const mostBlocks = 24;

/**
 * Bytes of a log by their place, read at once: a state that names a line must be able to look at it (perf-A3). Blocks
 * read lately are kept, so that lines side by side cost one reading, and used again: what is handed out is good until a
 * few more are read. A file is opened for each, so that nothing is held of logs nobody looks at.
 */
export class LogBlocks {
  readonly #blocks = new Map<string, Buffer>();

  constructor(private readonly pathOf: (logId: string) => string) {}

  read(logId: string, { from, bytes }: { readonly from: number; readonly bytes: number }): Uint8Array {
    const first = Math.floor(from / blockBytes);
    const last = Math.floor((from + Math.max(0, bytes - 1)) / blockBytes);
    if (last - first > 2) return this.#readFile({ logId, from, into: Buffer.alloc(bytes) });
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
    const isGood = known !== undefined && known.length >= wanted;
    // Moved to the end, so that the memory of a block that is in use just now is not given to the next one.
    this.#blocks.delete(key);
    const held = isGood ? known : this.#readFile({ logId, from: block * blockBytes, into: this.#spare() });
    this.#blocks.set(key, held);
    return held;
  }

  /** The memory of the block that was read first, once there are enough. */
  #spare(): Buffer {
    const [oldest] = this.#blocks;
    if (oldest === undefined || this.#blocks.size < mostBlocks) return Buffer.alloc(blockBytes);
    this.#blocks.delete(oldest[0]);
    return Buffer.from(oldest[1].buffer, 0, blockBytes);
  }

  #readFile({ logId, from, into }: { readonly logId: string; readonly from: number; readonly into: Buffer }): Buffer {
    const file = openSync(this.pathOf(logId), 'r');
    try {
      let done = 0;
      while (done < into.length) {
        const count = readSync(file, into, done, into.length - done, from + done);
        if (count === 0) break;
        done += count;
      }
      return into.subarray(0, done);
    } finally {
      closeSync(file);
    }
  }
}
