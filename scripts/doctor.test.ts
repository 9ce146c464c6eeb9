import { spawnSync } from 'node:child_process';
import { appendFile, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeDrafts } from '@/db/contract-tests/session-log-drafts';
import { openFilesSessionLog } from '@/db/files/session-log';
import { examineLogs, printFindings } from './doctor-report';

describe('doctor', () => {
  let dataDir: string;
  let path: string;
  let whole: Buffer;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'tidemark-doctor-'));
    const make = makeDrafts();
    const logId = make.id();
    const log = await openFilesSessionLog({ dataDir, ...make, lock: null });
    await log.create(logId, make.opened(logId));
    await log.append(logId, [make.message(logId, 'hi')]);
    await log.close();
    path = join(dataDir, 'logs', `${logId}.jsonl`);
    whole = await readFile(path);
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  it('has nothing to say of a log in good health', async () => {
    expect(printFindings(await examineLogs(dataDir))).toEqual([
      'Logs looked at: 1, with something to report: 0. Nothing was changed.',
    ]);
  });

  it('L6: names damage, the torn tail and broken rules with their places, and changes nothing', async () => {
    const spoiled = Buffer.concat([whole, Buffer.from('{"v":1,"half')]);
    spoiled.fill(0x20, 10, 12);
    await writeFile(path, spoiled);
    const [report] = await examineLogs(dataDir);
    expect(report?.findings).toEqual([
      `bytes 0 to ${whole.indexOf(0x0a)}: damaged, checksum does not match`,
      `bytes ${whole.length} to ${spoiled.length}: torn, the write before a crash; it is sealed with the next append`,
      expect.stringContaining('line 2: rule 2, '),
    ]);
    expect(await readFile(path)).toEqual(spoiled);
  });

  it('rel-S22: of a file with very many faults names the first thousand and says how many there are', async () => {
    await writeFile(path, Buffer.concat([whole, Buffer.from('x\n'.repeat(3000))]));
    const [report] = await examineLogs(dataDir);
    expect(report?.findings).toHaveLength(1001);
    expect(report?.findings.at(-1)).toBe('and 2000 more places like these');
  });

  it('rel-S22: names a line of 200 MB without holding it', async () => {
    await writeFile(path, whole);
    await truncate(path, whole.length + 200_000_000);
    await appendFile(path, '\n');
    const [report] = await examineLogs(dataDir);
    expect(report?.findings).toEqual([
      `bytes ${whole.length} to ${whole.length + 200_000_000}: damaged, longer than 64 MiB`,
    ]);
  });

  it('as a command: ends with 0, 1 or 2', async () => {
    const root = fileURLToPath(new URL('..', import.meta.url));
    const run = (...args: string[]) =>
      spawnSync(process.execPath, ['--import', 'tsx', 'scripts/doctor.ts', ...args], { cwd: root, encoding: 'utf8' });
    expect(run(dataDir)).toMatchObject({ status: 0, stdout: expect.stringContaining('report: 0.') });
    await writeFile(path, whole.subarray(5));
    expect(run(dataDir)).toMatchObject({ status: 1, stdout: expect.stringContaining('checksum does not match') });
    expect(run(join(dataDir, 'nowhere')).status).toBe(2);
    expect(run('--fix').status).toBe(2);
  }, 60_000);
});
