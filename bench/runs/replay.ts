import { openFilesSessionLog } from '@/db/files/session-log';
import { foldLog } from '@/server/core/projection/log-state';
import type { LogRecord } from '@/server/ports/session-log';
import { peakMb, timeOf, timeUntil } from '../clock';
import type { MadeSession } from '../sessions/session-files';
import { readAllLines } from './floor-read';

/** perf-A1: what the floor takes, in a process of its own. */
export async function runReplayFloor({ path }: MadeSession) {
  let lines = 0;
  const ms = timeOf(() => {
    lines = readAllLines(path).length;
  });
  return { ms, lines, peakMb: peakMb() };
}

/** perf-A1: every line read, verified, parsed and folded, as the writer does when nothing else helps it. */
export async function runReplay({ dataDir, logId }: MadeSession) {
  const log = await openFilesSessionLog({ dataDir, ids, clock: { now: () => 0 }, lock: null });
  let lines = 0;
  const ms = await timeUntil(async () => {
    const records: LogRecord[] = [];
    for await (const record of log.read(logId)) records.push(record);
    lines = foldLog(records).newestSeq;
  });
  return { ms, lines, peakMb: peakMb() };
}

/** Nothing is written here, so no id is ever made. */
const ids = {
  next: () => {
    throw new Error('reading makes no ids');
  },
  seen: () => undefined,
};
