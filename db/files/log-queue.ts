import { AppError } from '@/server/contract/error';
import type { StoredEvent } from '@/server/contract/events/event';
import type { Vouched } from '@/server/ports/log-side';
import { toLogMissingError } from '../prepare-drafts';
import type { FileOps, LogFile } from './file-ops';
import type { AppendCall, LogWriter } from './log-writer';
import { errnoOf, toStorageError } from './storage-error';

export interface LogQueueOptions {
  readonly path: string;
  readonly logId: string;
  readonly ops: FileOps;
  readonly writer: LogWriter;
}

interface WaitingCall extends AppendCall {
  readonly bytes: number;
  readonly resolve: (events: readonly StoredEvent[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Bytes of a batch; one call that is larger goes alone (`contract.md` 1). */
const batchBytes = 1024 * 1024;

/**
 * Group commit of one log without a timer: a batch is whatever arrived while the one before it was being synced.
 * One batch is on its way at a time, so calls become durable in the order they came.
 */
export class LogQueue {
  private waiting: WaitingCall[] = [];
  private running: Promise<void> | null = null;
  private atFirst: Promise<number> | null = null;
  private durableBytes: number | null = null;

  constructor(private readonly options: LogQueueOptions) {}

  get isOpen(): boolean {
    return this.options.writer.isOpen;
  }

  /** Bytes a reader may see, null before this process first used the log. */
  get readableBytes(): number | null {
    return this.options.writer.committedBytes ?? this.durableBytes;
  }

  append(call: AppendCall): Promise<readonly StoredEvent[]> {
    const bytes = call.drafts.reduce((sum, draft) => sum + draft.bytes, 0);
    return new Promise((resolve, reject) => {
      this.waiting.push({ ...call, bytes, resolve, reject });
      this.running ??= this.run();
    });
  }

  /** Bytes that may be read; 0 for a log that holds nothing yet. Throws `not_found`. */
  async readable(): Promise<number> {
    return this.readableBytes ?? (await this.firstUse());
  }

  /** What stands before a place is known: the first append reads from there on. */
  vouch(vouched: Vouched): void {
    this.options.writer.vouch(vouched);
  }

  releaseWhenIdle(): void {
    this.running ??= this.options.writer.release().then(this.goOn, this.goOn);
  }

  /** Waits for what was accepted, then lets the handle go. */
  async close(): Promise<void> {
    while (this.running !== null) await this.running;
    await this.options.writer.release();
  }

  /** One batch. However it ends its calls are answered and the queue goes on: nobody waits behind it for ever (rel-R13). */
  private run(): Promise<void> {
    const batch = this.takeBatch();
    return this.runBatch(batch).then(this.goOn, (thrown: unknown) => {
      for (const call of batch) call.reject(thrown);
      this.goOn();
    });
  }

  private readonly goOn = (): void => {
    this.running = this.waiting.length > 0 ? this.run() : null;
  };

  private takeBatch(): readonly WaitingCall[] {
    let bytes = 0;
    let count = 0;
    for (const call of this.waiting) {
      bytes += call.bytes;
      if (count > 0 && (bytes > batchBytes || call.creates)) break;
      count += 1;
      if (call.creates) break;
    }
    return this.waiting.splice(0, count);
  }

  private async runBatch(batch: readonly WaitingCall[]): Promise<void> {
    try {
      const creates = batch.some((call) => call.creates);
      if (this.readableBytes === null) await this.firstUse(creates);
      // What is left of a `create` that failed is no log.
      if (this.readableBytes === 0 && !creates) throw toLogMissingError(this.options.logId);
      const outcomes = await this.options.writer.commit(batch);
      batch.forEach((call, index) => {
        const outcome = outcomes[index];
        if (outcome === undefined || outcome instanceof AppError) call.reject(outcome);
        else call.resolve(outcome);
      });
    } catch (thrown) {
      for (const call of batch) call.reject(this.toError(thrown));
    }
  }

  /**
   * What a process before this one wrote may be readable and yet not on the disk. It is synced once, before
   * anybody reads it or builds on it. On a disk that refuses, reading goes on; the next append meets the fault.
   */
  private firstUse(creates = false): Promise<number> {
    this.atFirst ??= this.syncFound(creates).catch((thrown: unknown) => {
      this.atFirst = null;
      throw this.toError(thrown);
    });
    return this.atFirst;
  }

  private async syncFound(creates: boolean): Promise<number> {
    let file: LogFile | null = null;
    try {
      file = await this.options.ops.openRead(this.options.path);
      await file.syncData().catch(() => undefined);
      this.durableBytes = await file.size();
    } catch (thrown) {
      if (!creates || errnoOf(thrown) !== 'ENOENT') throw thrown;
      this.durableBytes = 0;
    } finally {
      await file?.close().catch(() => undefined);
    }
    return this.durableBytes;
  }

  private toError(thrown: unknown): AppError {
    if (errnoOf(thrown) !== 'ENOENT') return toStorageError(thrown);
    return toLogMissingError(this.options.logId);
  }
}
