import { mkdtemp, rm, stat } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '@/server/contract/error';
import { startChild } from './child-process';
import { takeDirectoryLock } from './directory-lock';

const now = () => Date.UTC(2026, 0, 2);

describe('L7, rel-S18: one writer a data directory', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'tidemark-lock-'));
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  const refusal = () => {
    try {
      takeDirectoryLock({ dataDir, now }).release();
      return null;
    } catch (thrown) {
      return thrown instanceof AppError ? thrown : null;
    }
  };

  it('a second one in the same process is refused, and may come when the first has left', () => {
    const first = takeDirectoryLock({ dataDir, now });
    expect(refusal()).toMatchObject({ code: 'storage_locked', details: { pid: process.pid, host: hostname() } });
    first.release();
    expect(refusal()).toBeNull();
  });

  it('another process is refused within a second with a name to look for, also while the holder is paused; a kill frees it', async () => {
    const child = startChild(dataDir);
    expect(await child.nextLine()).toBe('ready');
    const asked = performance.now();
    const error = refusal();
    expect(performance.now() - asked).toBeLessThan(1000);
    expect(error?.code).toBe('storage_locked');
    expect(error?.message).toContain(`process ${child.process.pid} on ${hostname()}`);

    child.process.kill('SIGSTOP');
    expect(refusal()?.code).toBe('storage_locked');

    await child.kill();
    const lock = takeDirectoryLock({ dataDir, now });
    expect(lock.holder).toMatchObject({ pid: process.pid, since: '2026-01-02T00:00:00.000Z' });
    lock.release();
  }, 60_000);

  it('rel-S30: its files are private', async () => {
    const lock = takeDirectoryLock({ dataDir, now });
    for (const name of ['lock.sqlite', 'lock.json']) expect((await stat(join(dataDir, name))).mode & 0o777).toBe(0o600);
    lock.release();
  });
});
