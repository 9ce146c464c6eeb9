import { chmodSync, mkdirSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import Database from 'better-sqlite3';
import { z } from 'zod';
import { AppError } from '@/server/contract/error';

/** Who holds a data directory: only for the message, never for the decision. */
const holderSchema = z.object({ pid: z.number(), host: z.string(), bootId: z.string(), since: z.string() });
export type LockHolder = z.infer<typeof holderSchema>;

export interface DirectoryLock {
  readonly holder: LockHolder;
  release(): void;
}

export interface DirectoryLockOptions {
  readonly dataDir: string;
  readonly now: () => number;
  /** Locks of network disks are not to be trusted; set only when a person said so. */
  readonly allowNetworkDisk?: boolean;
}

/** `statfs` types of NFS, SMB, SMB2 and CIFS. */
const networkDisks = new Set([0x6969, 0x517b, 0xfe534d42, 0xff534d42]);

/**
 * Takes a data directory for this process, or throws `storage_locked` at once, naming the holder (L7). The hold is
 * an exclusive transaction on a small database of its own: it survives pauses and the kernel frees it when the
 * process dies, however it dies (reliability 0.6). `lock.sqlite` must never be opened with `node:fs` while it is
 * held: closing any handle of the file would give the lock away (reliability 0.5).
 */
export function takeDirectoryLock({ dataDir, now, allowNetworkDisk = false }: DirectoryLockOptions): DirectoryLock {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (!allowNetworkDisk && networkDisks.has(statfsSync(dataDir).type >>> 0)) {
    throw new AppError('storage_locked', 'The data directory is on a network disk, where locks cannot be trusted.');
  }
  const database = new Database(`${dataDir}/lock.sqlite`, { timeout: 0 });
  try {
    chmodSync(`${dataDir}/lock.sqlite`, 0o600);
    database.exec('BEGIN EXCLUSIVE');
  } catch (thrown) {
    database.close();
    if (isBusy(thrown)) throw toLocked(readHolder(dataDir), thrown);
    throw thrown;
  }
  const holder = { pid: process.pid, host: hostname(), bootId: readBootId(), since: new Date(now()).toISOString() };
  writeFileSync(`${dataDir}/lock.json`, `${JSON.stringify(holder)}\n`, { mode: 0o600 });
  return { holder, release: () => void database.close() };
}

function isBusy(thrown: unknown): boolean {
  return thrown instanceof Database.SqliteError && thrown.code.startsWith('SQLITE_BUSY');
}

function toLocked(holder: LockHolder | null, cause: unknown): AppError {
  const who = holder === null ? 'another process' : `process ${holder.pid} on ${holder.host}, since ${holder.since}`;
  const message = `This data directory is in use by ${who}. Stop that server first, or start this one on another directory.`;
  return new AppError('storage_locked', message, { details: holder === null ? {} : { ...holder }, cause });
}

function readHolder(dataDir: string): LockHolder | null {
  try {
    return holderSchema.parse(JSON.parse(readFileSync(`${dataDir}/lock.json`, 'utf8')));
  } catch {
    return null;
  }
}

/** Tells a process of this start of the machine from one whose number was given out again. */
function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
