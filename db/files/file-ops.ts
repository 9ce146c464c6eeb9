import { constants, type Stats } from 'node:fs';
import { mkdir, open, readdir, stat } from 'node:fs/promises';

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
  /** For appending and reading; made with mode 0600 when `create` is set and it does not exist. */
  openAppend(path: string, options: { readonly create: boolean }): Promise<LogFile>;
  openRead(path: string): Promise<LogFile>;
  /** Makes names that were just created in a directory durable. */
  syncDirectory(path: string): Promise<void>;
  /** Makes a directory and its parents with mode 0700; an existing one stays as it is. */
  makeDirectory(path: string): Promise<void>;
  list(path: string): Promise<readonly { readonly name: string; readonly bytes: number }[]>;
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
  openAppend: (path, { create }) =>
    openFile(path, constants.O_RDWR | constants.O_APPEND | (create ? constants.O_CREAT : 0)),
  openRead: (path) => openFile(path, constants.O_RDONLY),
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
  async list(path) {
    const names = await readdir(path);
    const sized = names.map(async (name) => {
      const found: Stats = await stat(`${path}/${name}`);
      return { name, bytes: found.size };
    });
    return Promise.all(sized);
  },
};
