import { AppError } from '@/server/contract/error';
import type { EventDraft, StoredEvent } from '@/server/contract/events/event';
import { ULID_PATTERN } from '@/server/contract/ids';
import type { PreparedDraft } from '@/server/core/log/encode-line-draft';
import type { Clock, Ids } from '@/server/ports/clock';
import type { LogSide } from '@/server/ports/log-side';
import type { LogRecord, SessionLog } from '@/server/ports/session-log';
import { prepareDrafts, toClosedError, toLogMissingError } from '../prepare-drafts';
import { readRecords } from '../read-records';
import type { FileOps, LogFile } from './file-ops';
import { nodeFileOps } from './file-ops';
import { removeUnfinished } from './log-creation';
import { readChunks } from './log-file-scan';
import { LogQueue } from './log-queue';
import { createFilesLogSide } from './log-side';
import { LogWriter } from './log-writer';
import { errnoOf, toReadError, toStorageError } from './storage-error';

export interface FilesSessionLogOptions {
  /** Holds `logs/<logId>.jsonl`. Made with mode 0700, files in it with 0600 (rel-S30). */
  readonly dataDir: string;
  readonly ids: Ids;
  readonly clock: Clock;
  /** The hold on the directory that `close` gives back (L7); null where somebody else keeps it. */
  readonly lock: { release(): void } | null;
  readonly ops?: FileOps;
}

/** The logs, and what is kept beside each of them. */
export interface FilesLog extends SessionLog {
  readonly side: LogSide;
}

/** Handles kept open for logs that nothing is being written to. */
const idleHandles = 64;

/**
 * Logs as files (`contract.md` 1): the driver of the port. What a reader gets is what is durable: bytes that were
 * written but not synced are not shown, and on its first use by this process a file is synced before it is read,
 * since the process before may have died between the two.
 */
export async function openFilesSessionLog(options: FilesSessionLogOptions): Promise<FilesLog> {
  const { dataDir, ops = nodeFileOps } = options;
  const directory = `${dataDir}/logs`;
  try {
    await ops.makeDirectory(directory);
    await ops.syncDirectory(directory);
    await ops.syncDirectory(dataDir);
    await removeUnfinished(ops, directory);
  } catch (thrown) {
    throw toStorageError(thrown);
  }
  return new FilesSessionLog({ ...options, ops, directory });
}

class FilesSessionLog implements FilesLog {
  private readonly logs = new Map<string, LogQueue>();
  private closed = false;
  readonly side: LogSide;

  constructor(private readonly options: Required<FilesSessionLogOptions> & { readonly directory: string }) {
    this.side = createFilesLogSide({
      dataDir: options.dataDir,
      pathOf: (logId) => this.pathOf(logId),
      readFrom: (logId, offset) => this.readFrom(logId, offset),
      vouch: (logId, vouched) => this.logOf(logId).vouch(vouched),
    });
  }

  async create(logId: string, drafts: readonly EventDraft[]): Promise<readonly StoredEvent[]> {
    return this.enqueue(logId, { drafts: prepareDrafts(drafts), creates: true });
  }

  async append(logId: string, drafts: readonly EventDraft[]): Promise<readonly StoredEvent[]> {
    return this.enqueue(logId, { drafts: prepareDrafts(drafts), creates: false });
  }

  read(logId: string): AsyncIterable<LogRecord> {
    return readRecords(this.readBytes(logId));
  }

  readBytes(logId: string): AsyncGenerator<Uint8Array> {
    return this.readFrom(logId, 0);
  }

  private async *readFrom(logId: string, offset: number): AsyncGenerator<Uint8Array> {
    const committed = await this.logOf(logId).readable();
    if (committed === 0) throw toLogMissingError(logId);
    let file: LogFile | null = null;
    try {
      file = await this.options.ops.openRead(this.pathOf(logId));
      yield* readChunks(file, offset, committed);
    } catch (thrown) {
      throw errnoOf(thrown) === 'ENOENT' ? toLogMissingError(logId) : toReadError(thrown);
    } finally {
      await file?.close().catch(() => undefined);
    }
  }

  async list(): Promise<readonly { readonly logId: string; readonly bytes: number }[]> {
    const found = await this.options.ops.list(this.options.directory, '.jsonl').catch((thrown: unknown) => {
      throw toReadError(thrown);
    });
    return found
      .map(({ name, bytes }) => ({ logId: name.replace(/\.jsonl$/, ''), bytes }))
      .filter(({ logId }) => ULID_PATTERN.test(logId))
      .map(({ logId, bytes }) => ({ logId, bytes: this.logs.get(logId)?.readableBytes ?? bytes }))
      .filter(({ bytes }) => bytes > 0)
      .sort((a, b) => (a.logId < b.logId ? -1 : 1));
  }

  async remove(logId: string): Promise<void> {
    if (this.closed) throw toClosedError();
    const { ops, directory } = this.options;
    const log = this.logOf(logId);
    try {
      if ((await log.readable()) === 0) throw toLogMissingError(logId);
      await log.close();
      await ops.remove(this.pathOf(logId));
      // From here on it is not there, whether or not the name is known to be gone for good.
      this.logs.delete(logId);
      await this.side.forget(logId);
      await ops.syncDirectory(directory);
    } catch (thrown) {
      throw thrown instanceof AppError ? thrown : toStorageError(thrown);
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.logs.values()].map((log) => log.close()));
    this.options.lock?.release();
  }

  private enqueue(logId: string, call: { readonly drafts: readonly PreparedDraft[]; readonly creates: boolean }) {
    if (this.closed) throw toClosedError();
    const log = this.logOf(logId);
    // Moved to the end, so that the first ones are those unused for longest.
    this.logs.delete(logId);
    this.logs.set(logId, log);
    this.releaseIdle();
    return log.append(call);
  }

  private logOf(logId: string): LogQueue {
    const known = this.logs.get(logId);
    if (known !== undefined) return known;
    if (!ULID_PATTERN.test(logId)) throw toLogMissingError(logId);
    const path = this.pathOf(logId);
    const { ops, ids, clock } = this.options;
    const log = new LogQueue({ path, ops, logId, writer: new LogWriter({ path, logId, ops, ids, clock }) });
    this.logs.set(logId, log);
    return log;
  }

  private releaseIdle(): void {
    const open = [...this.logs.values()].filter((log) => log.isOpen);
    for (const log of open.slice(0, Math.max(0, open.length - idleHandles))) log.releaseWhenIdle();
  }

  private pathOf(logId: string): string {
    return `${this.options.directory}/${logId}.jsonl`;
  }
}
