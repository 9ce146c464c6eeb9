import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openFilesSessionLog } from '@/db/files/session-log';
import { ledgerSteps, toLedger } from '@/server/core/compaction/ledger';
import { foldSession } from '@/server/core/projection/session-state';
import { openLog } from './open-log';
import { writeSummarisedLog } from './testing/big-log';

const dirs: string[] = [];
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
});

/** The ledger of a log that was opened from the snapshot beside it, and how many lines were read for it. */
async function readLedger(size: { readonly summaries: number; readonly turnsEach: number }) {
  const dataDir = mkdtempSync(join(tmpdir(), 'tidemark-ledger-'));
  dirs.push(dataDir);
  const { logId } = writeSummarisedLog(dataDir, { ...size, resultBytes: 7_000 });
  const ids = { next: () => '', seen: () => undefined };
  const files = await openFilesSessionLog({ dataDir, ids, clock: { now: () => 0 }, lock: null });
  let reads = 0;
  const side: typeof files.side = {
    ...files.side,
    bytes: (id, place) => {
      reads += 1;
      return files.side.bytes(id, place);
    },
  };
  await (await openLog({ sessionLog: files, side: files.side, ids }, logId)).saved;
  const { log, sessions } = await openLog({ sessionLog: files, side, ids }, logId);
  const session = sessions.get(logId);
  if (!session) throw new TypeError('the snapshot has no session');
  const before = reads;
  const steps = ledgerSteps(session, log, { isAuto: true });
  let mostAtOnce = 0;
  let step = steps.next();
  mostAtOnce = reads - before;
  while (!step.done) {
    const from = reads;
    step = steps.next();
    mostAtOnce = Math.max(mostAtOnce, reads - from);
  }
  const counted = reads - before;
  await files.close();
  return { ledger: step.value, reads: counted, mostAtOnce, whole: toLedger(foldSession(log, logId), log) };
}

it('perf-A3, X3: the ledger reads the lines of compactions, however long the conversation between them', async () => {
  const few = await readLedger({ summaries: 60, turnsEach: 4 });
  const long = await readLedger({ summaries: 60, turnsEach: 8 });
  const many = await readLedger({ summaries: 120, turnsEach: 4 });
  expect(few.ledger.compactions).toHaveLength(60);
  expect(few.ledger).toEqual(few.whole);
  expect(many.ledger.compactions.every(({ checkpointId, attempts }) => checkpointId && attempts.length === 1)).toBe(
    true,
  );
  expect(few.reads).toBeLessThan(60 * 8);
  expect(long.reads).toBeLessThan(few.reads * 1.1);
  expect(many.reads).toBeLessThan(few.reads * 2.5);
  // Others get their turn between.
  expect(many.mostAtOnce).toBeLessThan(150);
});
