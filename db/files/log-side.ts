import { closeSync, openSync, readSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import type { LogSide, SideWrite } from '@/server/ports/log-side';
import { LogBlocks } from './log-blocks';

export interface FilesLogSideOptions extends Pick<LogSide, 'readFrom' | 'vouch'> {
  readonly dataDir: string;
  readonly pathOf: (logId: string) => string;
}

/** Bytes of a snapshot at most: a larger one is none of ours. */
const mostSnapshotBytes = 64 * 1024 * 1024;

/**
 * `<data>/derived/<logId>.snapshot` and `.rows`. Nothing is synced: what a power cut leaves half is thrown away by who
 * reads it. Rows are written before the snapshot that counts them, which gets its name in one step.
 */
export function createFilesLogSide({ dataDir, pathOf, readFrom, vouch }: FilesLogSideOptions): LogSide {
  const directory = `${dataDir}/derived`;
  const snapshotOf = (logId: string) => `${directory}/${logId}.snapshot`;
  const rowsOf = (logId: string) => `${directory}/${logId}.rows`;
  const blocks = new LogBlocks(pathOf);
  return {
    readFrom,
    vouch,
    bytes: (logId, place) => blocks.read(logId, place),
    load: async (logId) => {
      const bytes = await readFile(snapshotOf(logId)).catch(() => null);
      return bytes === null || bytes.length > mostSnapshotBytes ? null : bytes;
    },
    save: async (logId, written) => {
      try {
        await mkdir(directory, { recursive: true, mode: 0o700 });
        await writeRows(rowsOf(logId), written.rows);
        const half = `${snapshotOf(logId)}.new`;
        await writeWhole(half, written.snapshot);
        await rename(half, snapshotOf(logId));
      } catch {
        // What is derived must never stand in the way of what it is derived from.
      }
    },
    rows: (logId, bytes) => readRows(rowsOf(logId), bytes),
    forget: async (logId) => {
      blocks.forget(logId);
      const files = [snapshotOf(logId), `${snapshotOf(logId)}.new`, rowsOf(logId)];
      await Promise.all(files.map((path) => rm(path, { force: true }).catch(() => undefined)));
    },
  };
}

async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(bytes);
  } finally {
    await file.close();
  }
}

/** Behind the rows there are; with a file that is shorter than it should be everything is written anew by the next replay. */
async function writeRows(path: string, { at, bytes }: SideWrite['rows']): Promise<void> {
  const file = await open(path, at === 0 ? 'w' : 'r+', 0o600);
  try {
    if ((await file.stat()).size < at) throw new RangeError('rows are missing');
    for (let done = 0; done < bytes.length; ) {
      done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
    }
  } finally {
    await file.close();
  }
}

function readRows(path: string, bytes: number): Uint8Array | null {
  let file: number | null = null;
  try {
    file = openSync(path, 'r');
    const into = Buffer.alloc(bytes);
    let done = 0;
    while (done < bytes) {
      const count = readSync(file, into, done, bytes - done, done);
      if (count === 0) return null;
      done += count;
    }
    return into;
  } catch {
    return null;
  } finally {
    if (file !== null) closeSync(file);
  }
}
