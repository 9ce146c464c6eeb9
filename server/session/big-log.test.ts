import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFilesSessionLog } from '@/db/files/session-log';
import { openLog } from './open-log';
import { type BigLog, writeBigLog } from './testing/big-log';

const script = fileURLToPath(new URL('./testing/big-log-child.ts', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));
const patience = 600_000;

let dirs: string[] = [];
let small: BigLog;
let big: BigLog;

interface Step {
  readonly step: string;
  readonly rssMb: number;
  readonly liveMb: number;
  readonly items?: number;
  readonly seen?: number;
  readonly found?: number;
  readonly covers?: number;
  readonly bytes?: number;
}

async function write(dir: string, turns: number): Promise<BigLog> {
  const log = writeBigLog(dir, { turns, resultBytes: 42_000 });
  const ids = { next: () => '', seen: () => undefined };
  const files = await openFilesSessionLog({ dataDir: dir, ids, clock: { now: () => 0 }, lock: null });
  await (await openLog({ sessionLog: files, side: files.side, ids }, log.logId)).saved;
  await files.close();
  return log;
}

beforeAll(async () => {
  dirs = ['small', 'big'].map((name) => mkdtempSync(join(tmpdir(), `tidemark-${name}-`)));
  const [smallDir = '', bigDir = ''] = dirs;
  small = await write(smallDir, 60);
  big = await write(bigDir, 2_400);
}, patience);
afterAll(() => {
  for (const dir of dirs) rmSync(dir, { recursive: true, force: true });
});

describe('rel-S21: a log of 100 MB', () => {
  it(
    'is opened, paged to its oldest message, searched, planned to be folded and exported within 60 MB',
    () => {
      const [smallDir = '', bigDir = ''] = dirs;
      const args = ['--import', 'tsx', '--expose-gc', script, smallDir, small.logId, bigDir, big.logId];
      const child = spawnSync(process.execPath, args, {
        cwd: root,
        encoding: 'utf8',
      });
      expect(child.stderr).toBe('');
      const steps: Step[] = child.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      const of = (name: string) => steps.find(({ step }) => step === name);
      const base = of('base');
      expect(of('open')?.items).toBe(big.items);
      expect(of('pages')?.seen).toBe(big.items + 1);
      expect(of('search')?.found).toBe(2_400 + 1);
      expect(of('compact')?.covers).toBeGreaterThan(big.items - 80);
      expect(of('export jsonl')?.bytes).toBeGreaterThan(100_000_000);
      expect(of('export markdown')?.bytes).toBeGreaterThan(100_000_000);
      for (const { rssMb } of steps) expect(rssMb - (base?.rssMb ?? 0)).toBeLessThan(60);
      // perf-A4: what opening itself takes.
      expect((of('open')?.liveMb ?? Number.NaN) - (base?.liveMb ?? 0)).toBeLessThan(15);
    },
    patience,
  );
});
