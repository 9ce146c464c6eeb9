import { constants, existsSync, readdirSync } from 'node:fs';
import { chmod, copyFile, cp, type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { copyDatabase } from '@/db/sqlite/copy-database';
import { AppError } from '@/server/contract/error';

export interface BackupRequest {
  readonly dataDir: string;
  /** Becomes a data directory of its own; must be empty or not there. */
  readonly into: string;
  /** Whoever has the secret reads the stored keys, so it comes along only when it is asked for (reliability 6.7). */
  readonly withSecret: boolean;
}

export interface BackupReport {
  readonly logs: number;
  readonly bytes: number;
  /** Logs that held no whole line, and were left out. */
  readonly empty: readonly string[];
}

/**
 * Copies a data directory, in use or not, to one that can be started from (rel-S26). The database comes first, by its
 * own connection, then every log up to the end of its last whole line: what the database knows of is then in the logs,
 * and a list that is behind them is made anew at start. `search.sqlite`, sign-ins and locks are left out. `into` has
 * its name only when everything in it is synced. Throws `invalid_request` for a place that will not do.
 */
export async function backUpDirectory({ dataDir, into, withSecret }: BackupRequest): Promise<BackupReport> {
  refusePlace(dataDir, into);
  const half = `${resolve(into)}.part`;
  await rm(half, { recursive: true, force: true });
  await mkdir(join(half, 'logs'), { recursive: true, mode: 0o700 });
  try {
    const database = join(dataDir, 'main.sqlite');
    if (existsSync(database)) {
      await copyDatabase(database, join(half, 'main.sqlite'));
      await chmod(join(half, 'main.sqlite'), 0o600);
    }
    const report = await copyLogs(join(dataDir, 'logs'), join(half, 'logs'));
    await copyRest({ dataDir, into: half, withSecret });
    await syncFolder(join(half, 'logs'));
    await syncFolder(half);
    await rm(into, { recursive: true, force: true });
    await rename(half, into);
    await syncFolder(resolve(into, '..'));
    return report;
  } catch (error) {
    await rm(half, { recursive: true, force: true });
    throw error;
  }
}

function refusePlace(dataDir: string, into: string): void {
  if (!existsSync(join(dataDir, 'logs')))
    throw new AppError('invalid_request', `${dataDir} is no data directory: it has no logs.`);
  const way = relative(resolve(dataDir), resolve(into));
  if (way === '' || !way.startsWith('..'))
    throw new AppError('invalid_request', 'A backup cannot lie within the directory it is of.');
  if (existsSync(into) && readdirSync(into).length > 0)
    throw new AppError('invalid_request', `${into} is not empty, and nothing is overwritten.`);
}

async function copyLogs(from: string, to: string): Promise<BackupReport> {
  const empty: string[] = [];
  let logs = 0;
  let bytes = 0;
  for (const name of (await readdir(from)).filter((name) => name.endsWith('.jsonl')).sort()) {
    const size = await copyLog(join(from, name), join(to, name));
    if (size === 0) empty.push(name);
    else logs += 1;
    bytes += size;
  }
  return { logs, bytes, empty };
}

/** Bytes that were taken; 0 where no line was whole, and then there is no copy. */
async function copyLog(from: string, to: string): Promise<number> {
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  await chmod(to, 0o600);
  const file = await open(to, 'r+');
  try {
    const end = await endOfLastLine(file);
    if (end > 0) {
      await file.truncate(end);
      await file.sync();
      return end;
    }
  } finally {
    await file.close();
  }
  await rm(to);
  return 0;
}

const PIECE_BYTES = 64 * 1024;

/** Where the last newline ends, looked for from behind: a log may be as large as a disk. */
async function endOfLastLine(file: FileHandle): Promise<number> {
  const piece = Buffer.alloc(PIECE_BYTES);
  for (let end = (await file.stat()).size; end > 0; ) {
    const from = Math.max(0, end - PIECE_BYTES);
    const { bytesRead } = await file.read(piece, 0, end - from, from);
    const newline = piece.subarray(0, bytesRead).lastIndexOf(0x0a);
    if (newline >= 0) return from + newline + 1;
    end = from;
  }
  return 0;
}

async function copyRest({ dataDir, into, withSecret }: BackupRequest): Promise<void> {
  const workspace = join(dataDir, 'workspace');
  if (existsSync(workspace)) await cp(workspace, join(into, 'workspace'), { recursive: true, verbatimSymlinks: true });
  const secret = join(dataDir, 'secret');
  if (!withSecret || !existsSync(secret)) return;
  await copyFile(secret, join(into, 'secret'));
  await chmod(join(into, 'secret'), 0o600);
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
