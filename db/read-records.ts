import { finishScan, scanChunk, startScan } from '@/server/core/log/scan-log';
import type { LogRecord } from '@/server/ports/session-log';

/**
 * The records in a log's bytes, in order. A line that was written again (L8) is yielded both times: replay lets the
 * first win, and needs the other because a reference to its `seq` means the first (`contract.md` 1).
 */
export async function* readRecords(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<LogRecord> {
  let state = startScan();
  for await (const chunk of chunks) {
    const step = scanChunk(state, chunk);
    state = step.state;
    yield* step.records;
  }
  yield* finishScan(state).records;
}
