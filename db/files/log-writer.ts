import { dirname } from 'node:path';
import { AppError } from '@/server/contract/error';
import type { StoredEvent } from '@/server/contract/events/event';
import type { BatchPlace } from '@/server/core/log/encode-line-batch';
import { placeDrafts } from '@/server/core/log/encode-line-batch';
import type { PreparedDraft } from '@/server/core/log/encode-line-draft';
import type { ScanStart } from '@/server/core/log/scan-log';
import type { Clock, Ids } from '@/server/ports/clock';
import type { Vouched } from '@/server/ports/log-side';
import { toLogExistsError, toMissingError } from '../prepare-drafts';
import { type FileOps, type LogFile, writeAll } from './file-ops';
import { createLogFile, refuseTaken } from './log-creation';
import type { Repair } from './log-repair';
import { planRepair } from './log-repair';
import type { Survey } from './log-survey';
import { surveyLog } from './log-survey';
import { toStorageError } from './storage-error';

export interface WriterContext {
  readonly path: string;
  readonly logId: string;
  readonly ops: FileOps;
  readonly ids: Ids;
  readonly clock: Clock;
}

/**
 * One call of `append` or `create`: all of its events become durable together with its answer, or none count. A
 * `create` is a batch of its own.
 */
export interface AppendCall {
  readonly drafts: readonly PreparedDraft[];
  /** Only where the log holds nothing yet. */
  readonly creates: boolean;
}

/** The events of a call as they stand in the file, or why the call was refused. */
export type CallOutcome = readonly StoredEvent[] | AppError;

/** Where the next line goes, and what must be written before it. */
interface Position extends Repair {
  /** Bytes of the file before anything is written. */
  readonly size: number;
  /** Lines of the file, a last one without newline included. */
  readonly lines: number;
}

interface Opened {
  readonly file: LogFile;
  /** Null while the handle stands where the last batch left it. */
  readonly survey: Survey | null;
  readonly size: number;
}

const NOTHING_VOUCHED: Vouched = { place: { offset: 0, lines: 0, newestSeq: 0 }, unreported: [] };

/** `prev` may name an event by id while it is on its way; these many stay known after it. */
const knownIds = 1024;

/**
 * The one writer of a log file (L6, L8). It is in one of three states: *closed* (no handle), *open* (the handle
 * stands behind the last acknowledged byte), *suspect* (something failed: nothing is acknowledged on that
 * handle any more). Suspect always leads to closed; opening reads what stands behind the last acknowledged byte
 * and repairs it by adding. No byte is ever changed or removed.
 */
export class LogWriter {
  private file: LogFile | null = null;
  /** Behind the last acknowledged byte; null until a first append of this process succeeded. */
  private place: ScanStart | null = null;
  /** False until the name and size of the file were synced by this process, once. */
  private settled = false;
  private readonly known = new Map<string, number>();
  /** What a snapshot says of the beginning of the file; used until a first append of this process succeeded. */
  private vouched: Vouched | null = null;

  constructor(private readonly context: WriterContext) {}

  vouch(vouched: Vouched): void {
    this.vouched = vouched;
  }

  /** Bytes that are known to be durable, or null before the first append of this process. */
  get committedBytes(): number | null {
    return this.place?.offset ?? null;
  }

  get isOpen(): boolean {
    return this.file !== null;
  }

  /**
   * Writes a batch, syncs once and says what became of each call. After a failure the batch is written anew on
   * a new handle, once, with the same ids; if that fails too the `AppError` is thrown and nothing of it counts.
   */
  async commit(calls: readonly AppendCall[]): Promise<readonly CallOutcome[]> {
    try {
      return await this.tryCommit(calls);
    } catch (thrown) {
      await this.close();
      if (thrown instanceof AppError) throw thrown;
    }
    try {
      return await this.tryCommit(calls);
    } catch (thrown) {
      await this.close();
      throw toStorageError(thrown);
    }
  }

  /** Lets an idle writer's handle go; the next append opens the file again. */
  async release(): Promise<void> {
    this.known.clear();
    await this.close();
  }

  private async tryCommit(calls: readonly AppendCall[]): Promise<readonly CallOutcome[]> {
    const pending = new Set(calls.flatMap((call) => call.drafts.map((draft) => draft.id)));
    if (calls.some((call) => call.creates)) return this.tryCreate(calls, pending);
    const opened = await this.open(pending);
    const position = this.positionOf(opened, pending);
    const seqOf = (id: string) => position.rewritten.get(id) ?? this.known.get(id);
    const placed = placeCalls(calls, { nextSeq: position.nextSeq, seqOf });
    if (placed.lines.length === 0) return this.leave(opened, placed.outcomes);

    const bytes = Buffer.from(position.text + placed.lines.join(''));
    await writeAll(opened.file, bytes);
    await this.sync(opened.file);
    const newestSeq = position.nextSeq + placed.lines.length - 1;
    const repaired = position.nextSeq - position.firstSeq;
    this.place = {
      offset: position.size + bytes.length,
      lines: position.lines + repaired + placed.lines.length,
      newestSeq,
    };
    this.remember(position.rewritten, placed.seqs);
    return placed.outcomes;
  }

  /** The first lines of a log stand in a file of another name until all of them are durable. */
  private async tryCreate(calls: readonly AppendCall[], pending: ReadonlySet<string>): Promise<readonly CallOutcome[]> {
    if (this.place !== null) throw toLogExistsError(this.context.logId);
    await this.close();
    await refuseTaken(this.context, pending);
    const placed = placeCalls(calls, { nextSeq: 1, seqOf: () => undefined });
    if (placed.lines.length === 0) return placed.outcomes;
    const bytes = Buffer.from(placed.lines.join(''));
    this.file = await createLogFile(this.context, bytes);
    this.settled = true;
    this.place = { offset: bytes.length, lines: placed.lines.length, newestSeq: placed.lines.length };
    this.remember(placed.seqs);
    return placed.outcomes;
  }

  /** Nothing was written: a handle whose file still wants repair must not pass for one that was repaired. */
  private async leave({ survey }: Opened, outcomes: readonly CallOutcome[]): Promise<readonly CallOutcome[]> {
    if (survey !== null) await this.close();
    return outcomes;
  }

  private async open(pending: ReadonlySet<string>): Promise<Opened> {
    if (this.file !== null && this.place !== null) return { file: this.file, survey: null, size: this.place.offset };
    await this.close();
    const { ops, path } = this.context;
    this.file = await ops.openAppend(path);
    const size = await this.file.size();
    // A file that shrank was changed behind our back: everything that was known of it is void.
    if (this.place !== null && size < this.place.offset) this.place = null;
    if (this.vouched !== null && size < this.vouched.place.offset) this.vouched = null;
    const { place, unreported } = this.vouched ?? NOTHING_VOUCHED;
    const isFirst = this.place === null;
    const survey = await surveyLog(this.file, {
      start: this.place ?? place,
      size,
      pending,
      isFirst,
      unreported: isFirst ? unreported : [],
    });
    return { file: this.file, survey, size };
  }

  private positionOf({ survey, size }: Opened, pending: ReadonlySet<string>): Position {
    if (survey === null) {
      const { lines, newestSeq } = this.place ?? { lines: 0, newestSeq: 0 };
      const nextSeq = Math.max(lines, newestSeq) + 1;
      return { size, lines, text: '', firstSeq: nextSeq, nextSeq, rewritten: new Map() };
    }
    return { size, lines: survey.lines, ...planRepair(survey, { ...this.context, pending }) };
  }

  /** A process before may have died between the file's name and its directory (rel-S16); once is enough. */
  private async sync(file: LogFile): Promise<void> {
    if (this.settled) return file.syncData();
    await file.syncAll();
    await this.context.ops.syncDirectory(dirname(this.context.path));
    this.settled = true;
  }

  private remember(...named: readonly ReadonlyMap<string, number>[]): void {
    for (const seqs of named) for (const [id, seq] of seqs) this.known.set(id, seq);
    for (const id of this.known.keys()) {
      if (this.known.size <= knownIds) return;
      this.known.delete(id);
    }
  }

  /** A failing close loses nothing that was synced, and nothing else of this handle counts. */
  private async close(): Promise<void> {
    const file = this.file;
    this.file = null;
    await file?.close().catch(() => undefined);
  }
}

/** Calls one after the other; one that builds on an event nobody knows is refused alone. */
function placeCalls(calls: readonly AppendCall[], { nextSeq, seqOf }: BatchPlace) {
  const outcomes: CallOutcome[] = [];
  const lines: string[] = [];
  const seqs = new Map<string, number>();
  for (const call of calls) {
    const place = { nextSeq: nextSeq + lines.length, seqOf: (id: string) => seqs.get(id) ?? seqOf(id) };
    const batch = placeDrafts(call.drafts, place);
    if (batch.kind === 'missing') {
      outcomes.push(toMissingError(batch.id));
      continue;
    }
    outcomes.push(batch.events.map(({ event }) => event));
    for (const { event, line } of batch.events) {
      lines.push(line);
      seqs.set(event.id, event.seq);
    }
  }
  return { outcomes, lines, seqs };
}
