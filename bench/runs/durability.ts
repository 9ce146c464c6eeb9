import { rmSync } from 'node:fs';
import { mkdtemp, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDrafts } from '@/db/contract-tests/session-log-drafts';
import { openFilesSessionLog } from '@/db/files/session-log';
import { median, timeUntil } from '../clock';

const TEXT = 'x'.repeat(900);
const WRITERS = 64;

/** perf-F1: one durable append against a raw write and `fdatasync` of as many bytes, turn by turn; then 64 writers. */
export async function runDurability({ count }: { readonly count: number }) {
  const dataDir = await mkdtemp(join(tmpdir(), 'tidemark-bench-'));
  const make = makeDrafts();
  const logId = make.id();
  const log = await openFilesSessionLog({ dataDir, ...make, lock: null });
  await log.create(logId, make.opened(logId));
  const raw = await open(join(dataDir, 'raw'), 'a');
  const line = Buffer.from(`${'x'.repeat(1150)}\n`);
  const append = () => log.append(logId, [make.message(logId, TEXT)]);
  for (let warm = 0; warm < 20; warm += 1) await append();

  const floors: number[] = [];
  const ours: number[] = [];
  for (let turn = 0; turn < count; turn += 1) {
    floors.push(
      await timeUntil(async () => {
        await raw.write(line);
        await raw.datasync();
      }),
    );
    ours.push(await timeUntil(append));
  }
  const oneWriterMs = await timeUntil(async () => {
    for (let done = 0; done < count; done += 1) await append();
  });
  const many = count * 10;
  const manyMs = await timeUntil(() => runWriters(many, append));
  await raw.close();
  await log.close();
  rmSync(dataDir, { recursive: true });
  return {
    floorMs: median(floors),
    oursMs: median(ours),
    onePerSecond: (count / oneWriterMs) * 1000,
    manyPerSecond: (many / manyMs) * 1000,
  };
}

/** Each writer waits for its own append before the next one, as sessions do. */
async function runWriters(count: number, append: () => Promise<unknown>): Promise<void> {
  const write = async () => {
    for (let done = 0; done < count / WRITERS; done += 1) await append();
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
}
