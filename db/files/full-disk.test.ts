import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { makeDrafts } from '../contract-tests/session-log-drafts';
import { codeOf, eventsOf, recordsOf } from '../contract-tests/session-log-suite';
import { openFilesSessionLog } from './session-log';

/** A disk of 2 MB, or why there is none. */
function mountSmallDisk(): { readonly path: string } | { readonly why: string } {
  if (process.platform !== 'linux') return { why: 'only Linux has tmpfs' };
  if (process.getuid?.() !== 0) return { why: 'mounting needs root' };
  const path = mkdtempSync(join(tmpdir(), 'tidemark-full-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', path], { stdio: 'ignore' });
    return { path };
  } catch {
    rmdirSync(path);
    return { why: 'this machine lets nobody mount' };
  }
}

describe('case-C05, rel-S9: the disk is full', () => {
  let mounted: string | null = null;
  afterEach(() => {
    if (mounted === null) return;
    execFileSync('umount', [mounted]);
    rmdirSync(mounted);
    mounted = null;
  });

  it('on a real disk of 2 MB: refused by name, nothing lost, and it goes on when there is room', async ({ skip }) => {
    const disk = mountSmallDisk();
    if ('why' in disk) return skip(`not run: ${disk.why}`);
    mounted = disk.path;
    const dataDir = disk.path;
    const make = makeDrafts();
    const logId = make.id();
    const log = await openFilesSessionLog({ dataDir, ...make, lock: null });
    await writeFile(join(dataDir, 'ballast'), Buffer.alloc(500_000));
    await log.create(logId, make.opened(logId));

    const saved: string[] = [];
    let code = 'no error';
    while (code === 'no error') {
      const message = make.message(logId, 'wörd '.repeat(1000));
      code = await codeOf(log.append(logId, [message]));
      if (code === 'no error') saved.push(message.id);
    }
    expect(code).toBe('storage_full');
    expect(saved.length).toBeGreaterThan(100);
    expect(await codeOf(log.append(logId, [make.message(logId, 'wörd '.repeat(1000))]))).toBe('storage_full');
    expect((await eventsOf(log, logId)).slice(2).map((event) => event.id)).toEqual(saved);

    await rm(join(dataDir, 'ballast'));
    const again = make.message(logId, 'wörd '.repeat(1000));
    expect(await codeOf(log.append(logId, [again]))).toBe('no error');
    await log.close();

    const next = await openFilesSessionLog({ dataDir, ...make, lock: null });
    const records = await recordsOf(next, logId);
    const ids = records.flatMap((record) => (record.kind === 'event' ? [record.event.id] : []));
    expect([...saved, again.id].filter((id) => !ids.includes(id))).toEqual([]);
    expect(ids.at(-1)).toBe(again.id);
    await next.close();
  }, 60_000);
});
