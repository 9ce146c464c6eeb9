import type { FileOps, LogFile } from './file-ops';

/** What a disk of tests does with one call; `short` takes only so many bytes of a write. */
export type Fault = { readonly errno: string } | { readonly short: number } | null;
export type DiskCall = 'write' | 'syncData' | 'syncAll' | 'syncDirectory' | 'rename' | 'remove' | 'open' | 'read';

/** Bytes `[from, to)`. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** A file as it stood at one moment: what a power cut right then could leave (reliability 4). */
export interface DiskMoment {
  readonly length: number;
  /** Bytes that a successful sync has put on the disk. */
  readonly synced: number;
  /** Bytes whose sync failed once: the system may have let them go for ever, though it reads them back. */
  readonly doubtful: readonly Stretch[];
  /** True once the directory was synced under the name it has now: a rename takes that back. */
  readonly named: boolean;
}

interface MemoryFile {
  bytes: Buffer;
  synced: number;
  doubtful: Stretch[];
  named: boolean;
}

export interface MemoryDiskOptions {
  /** Asked before each call; `nth` counts the calls of that kind from 1. */
  readonly fault?: (call: DiskCall, nth: number) => Fault;
  /** Told after each call that changed the file or what of it is durable. */
  readonly onMoment?: (path: string) => void;
}

/**
 * A disk in memory that keeps account of what is durable and fails on request, so that power cuts and faults are
 * modelled byte by byte: `kill -9` alone would prove nothing, since the page cache survives it (reliability 0.2).
 */
export class MemoryDisk implements FileOps {
  private readonly files = new Map<string, MemoryFile>();
  private readonly calls = new Map<DiskCall, number>();

  constructor(private readonly options: MemoryDiskOptions = {}) {}

  /** Puts a file there as if it had always been. */
  put(path: string, bytes: Uint8Array): void {
    this.files.set(path, { bytes: Buffer.from(bytes), synced: bytes.length, doubtful: [], named: true });
  }

  bytesOf(path: string): Buffer {
    return this.files.get(path)?.bytes ?? Buffer.alloc(0);
  }

  momentOf(path: string): DiskMoment {
    const file = this.files.get(path);
    if (file === undefined) return { length: 0, synced: 0, doubtful: [], named: false };
    return { length: file.bytes.length, synced: file.synced, doubtful: [...file.doubtful], named: file.named };
  }

  async openAppend(path: string): Promise<LogFile> {
    this.meet('open');
    return this.handleOf(path);
  }

  async openNew(path: string): Promise<LogFile> {
    this.meet('open');
    this.files.set(path, { bytes: Buffer.alloc(0), synced: 0, doubtful: [], named: false });
    this.options.onMoment?.(path);
    return this.handleOf(path);
  }

  /** The bytes and what of them is durable move along; the new name is durable with the next `syncDirectory` only. */
  async rename(from: string, to: string): Promise<void> {
    this.meet('rename');
    const file = this.files.get(from);
    if (file === undefined) throw toErrno('ENOENT');
    this.files.delete(from);
    file.named = false;
    this.files.set(to, file);
    this.options.onMoment?.(to);
  }

  async remove(path: string): Promise<void> {
    this.meet('remove');
    this.files.delete(path);
    this.options.onMoment?.(path);
  }

  async openRead(path: string): Promise<LogFile> {
    this.meet('open');
    return this.handleOf(path);
  }

  async syncDirectory(path: string): Promise<void> {
    this.meet('syncDirectory');
    for (const [name, file] of this.files) if (name.startsWith(`${path}/`)) file.named = true;
    for (const name of this.files.keys()) this.options.onMoment?.(name);
  }

  async makeDirectory(): Promise<void> {}

  async list(path: string, ending: string) {
    return [...this.files]
      .filter(([name]) => name.startsWith(`${path}/`) && name.endsWith(ending))
      .map(([name, { bytes }]) => ({ name: name.slice(path.length + 1), bytes: bytes.length }));
  }

  private handleOf(path: string): LogFile {
    const file = this.files.get(path);
    if (file === undefined) throw toErrno('ENOENT');
    return {
      write: async (bytes) => {
        const count = this.meet('write') ?? bytes.length;
        file.bytes = Buffer.concat([file.bytes, bytes.subarray(0, count)]);
        this.options.onMoment?.(path);
        return Math.min(count, bytes.length);
      },
      read: async (into, position) => {
        this.meet('read');
        const found = file.bytes.subarray(position, position + into.length);
        into.set(found);
        return found.length;
      },
      syncData: async () => this.sync('syncData', path, file),
      syncAll: async () => this.sync('syncAll', path, file),
      size: async () => file.bytes.length,
      close: async () => undefined,
    };
  }

  private sync(call: 'syncData' | 'syncAll', path: string, file: MemoryFile): void {
    try {
      this.meet(call);
    } catch (thrown) {
      // The kernel marks the pages clean all the same: the next sync succeeds and the bytes are gone (0.4).
      if (file.synced < file.bytes.length) file.doubtful.push({ from: file.synced, to: file.bytes.length });
      file.synced = file.bytes.length;
      this.options.onMoment?.(path);
      throw thrown;
    }
    file.synced = file.bytes.length;
    this.options.onMoment?.(path);
  }

  /** The bytes a short write takes; null for a call that goes well. */
  private meet(call: DiskCall): number | null {
    const nth = (this.calls.get(call) ?? 0) + 1;
    this.calls.set(call, nth);
    const fault = this.options.fault?.(call, nth) ?? null;
    if (fault === null) return null;
    if ('short' in fault) return fault.short;
    throw toErrno(fault.errno);
  }
}

function toErrno(code: string): Error {
  return Object.assign(new Error(`${code}: made by the test`), { code });
}
