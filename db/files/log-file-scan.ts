import type { LogTail, ScanStart } from '@/server/core/log/scan-log';
import { finishScan, scanChunk, startScan } from '@/server/core/log/scan-log';
import type { ScannedRecord } from '@/server/core/log/scan-log-record';
import type { LogFile } from './file-ops';

const chunkBytes = 256 * 1024;

/** The bytes of a file from one offset to another, never past its end. Each chunk is a buffer of its own. */
export async function* readChunks(file: LogFile, from: number, to: number): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to; ) {
    const into = new Uint8Array(Math.min(chunkBytes, to - at));
    const count = await file.read(into, at);
    if (count === 0) return;
    yield into.subarray(0, count);
    at += count;
  }
}

export interface ScanFileEnd {
  readonly lines: number;
  readonly newestSeq: number;
  readonly tail: LogTail;
}

/** Hands every record from a place to `to` to `take`, in order, and says how the file ends. */
export async function scanFile(
  file: LogFile,
  range: { readonly start: ScanStart; readonly to: number },
  take: (record: ScannedRecord) => void,
): Promise<ScanFileEnd> {
  let state = startScan(range.start);
  for await (const chunk of readChunks(file, range.start.offset, range.to)) {
    const step = scanChunk(state, chunk);
    step.records.forEach(take);
    state = step.state;
  }
  const { records, lines, newestSeq, tail } = finishScan(state);
  records.forEach(take);
  return { lines, newestSeq, tail };
}
