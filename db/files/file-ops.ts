import { constants, type Stats } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';

/**
 * What the log driver asks of a disk. A parameter of the driver, so that a test can hand in a disk that fails,
 * forgets or keeps a record of what was synced.
 */
export interface LogFile {
  /** Resolves with the number of bytes taken, which may be fewer than given (reliability 0.3). */
  write(bytes: Uint8Array): Promise<number>;
  /** Fills as much of `into` as there is from `position` on; 0 at the end. */
  read(into: Uint8Array, position: number): Promise<number>;
  /** `fdatasync`: the file's bytes and size. */
  syncData(): Promise<void>;
  /** `fsync`: everything about the file; for one that was just made. */
  syncAll(): Promise<void>;
  size(): Promise<number>;
  close(): Promise<void>;
}

export interface FileOps {
  /** For appending and reading; the file must be there. */
  openAppend(path: string): Promise<LogFile>;
  /** An empty file with mode 0600, for appending and reading; what stood there is gone. */
  openNew(path: string): Promise<LogFile>;
  openRead(path: string): Promise<LogFile>;
  /** Gives a file another name in one step; a file of that name is replaced. Durable with `syncDirectory`. */
  rename(from: string, to: string): Promise<void>;
  /** Removes a file; one that is not there is no fault. */
  remove(path: string): Promise<void>;
  /** Makes names that were just created in a directory durable. */
  syncDirectory(path: string): Promise<void>;
  /** Makes a directory and its parents with mode 0700; an existing one stays as it is. */
  makeDirectory(path: string): Promise<void>;
  /** The files of a directory whose names end so. */
  list(path: string, ending: string): Promise<readonly { readonly name: string; readonly bytes: number }[]>;
}

/** Writes all of it: short writes are completed (L8); a write that takes nothing at all would never end, so it throws. */
export async function writeAll(file: LogFile, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const count = await file.write(bytes.subarray(done));
    if (count === 0) throw new Error('the disk took no byte');
    done += count;
  }
}

const fileMode = 0o600;
const directoryMode = 0o700;

async function openFile(path: string, flags: number): Promise<LogFile> {
  const handle = await open(path, flags, fileMode);
  return {
    write: async (bytes) => (await handle.write(bytes, 0, bytes.length, null)).bytesWritten,
    read: async (into, position) => (await handle.read(into, 0, into.length, position)).bytesRead,
    syncData: () => handle.datasync(),
    syncAll: () => handle.sync(),
    size: async () => (await handle.stat()).size,
    close: () => handle.close(),
  };
}

/** The disk of the machine. */
export const nodeFileOps: FileOps = {
  openAppend: (path) => openFile(path, constants.O_RDWR | constants.O_APPEND),
  openNew: (path) => openFile(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_TRUNC),
  openRead: (path) => openFile(path, constants.O_RDONLY),
  rename: (from, to) => rename(from, to),
  remove: (path) => rm(path, { force: true }),
  async syncDirectory(path) {
    const handle = await open(path, constants.O_RDONLY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
  async makeDirectory(path) {
    await mkdir(path, { recursive: true, mode: directoryMode });
  },
  async list(path, ending) {
    const names = (await readdir(path)).filter((name) => name.endsWith(ending));
    const sized = names.map(async (name) => {
      const found: Stats = await stat(`${path}/${name}`);
      return { name, bytes: found.size };
    });
    return Promise.all(sized);
  },
};
