import { finishScan, scanChunk, startScan } from '@/server/core/log/scan-log';
import type { ScannedRecord } from '@/server/core/log/scan-log-record';
import type { LogRecord } from '@/server/ports/session-log';

/** Ids remembered at once; twice as many at most. */
const span = 65_536;

/**
 * The records in a log's bytes, in order. An id that comes again is left out: the first valid line wins
 * (`contract.md` 1). A line is written again only right after its first try failed (L8), a batch of 1 MiB
 * behind it at most, so a bounded memory finds every repeat.
 */
export async function* readRecords(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<LogRecord> {
  const isFirst = firstOfEach();
  let state = startScan();
  for await (const chunk of chunks) {
    const step = scanChunk(state, chunk);
    state = step.state;
    yield* step.records.filter(isFirst);
  }
  yield* finishScan(state).records.filter(isFirst);
}

function firstOfEach(): (record: ScannedRecord) => boolean {
  let fresh = new Set<string>();
  let older = new Set<string>();
  return (record) => {
    if (record.kind !== 'event') return true;
    const { id } = record.event;
    if (fresh.has(id) || older.has(id)) return false;
    if (fresh.size >= span) {
      older = fresh;
      fresh = new Set();
    }
    fresh.add(id);
    return true;
  };
}
