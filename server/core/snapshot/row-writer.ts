import type { LogEvent } from '@/server/contract/events/event';
import { isKnown, isPathLine, linkOf } from '@/server/core/projection/log-state-path';
import { itemPlacedBy } from '@/server/core/projection/log-state-tally';
import type { LogState } from '@/server/core/projection/state-shape';
import { LineRows, lineTypeOf, markOfSent, NO_BRANCH, ROW_FLAGS, sumRows } from './line-rows';

/** A line as it stands in its file, half-open and without the newline. */
export interface PlacedLine {
  readonly event: LogEvent;
  readonly from: number;
  readonly to: number;
}

/** On no path a row's link is free: a message's says which one its client meant, as four bytes of its name. */
function markOf(event: LogEvent): number {
  const isSent = isKnown(event) && event.type === 'message.user' && event.clientMessageId !== null;
  return isSent ? markOfSent(event.clientMessageId) : 0;
}

/** Rows that are in the file already, and what was told of the lines they stand for. */
export interface RowsBefore {
  readonly count: number;
  readonly sum: number;
  readonly newestId: string;
  readonly unsorted: readonly (readonly [string, number])[];
  readonly codes: readonly string[];
}

const NO_ROWS: RowsBefore = { count: 0, sum: 0, newestId: '', unsorted: [], codes: [] };

/** Writes a row for each line that a log holds, in file order, behind those there are. */
export class RowWriter {
  readonly fresh = new LineRows();
  readonly unsorted: Map<string, number>;
  readonly #codes: Map<string, number>;
  #newestId: string;
  /** Of the rows that were summed so far: a long replay asks again and again. */
  #sum: number;
  #summed = 0;

  constructor(readonly before: RowsBefore = NO_ROWS) {
    this.unsorted = new Map(before.unsorted);
    this.#codes = new Map(before.codes.map((branch, code) => [branch, code]));
    this.#newestId = before.newestId;
    this.#sum = before.sum;
  }

  get newestId(): string {
    return this.#newestId;
  }

  get codes(): readonly string[] {
    return [...this.#codes.keys()];
  }

  get count(): number {
    return this.before.count + this.fresh.count;
  }

  /** The checksum of all rows, those before too. */
  get sum(): number {
    this.#sum = sumRows(this.fresh.toBytes(this.#summed), this.#sum);
    this.#summed = this.fresh.count;
    return this.#sum;
  }

  /** `log` holds the line already. A line that repeats an id, or came too late, is held by no log and gets no row. */
  take(log: LogState, { event, from, to }: PlacedLine): void {
    if (log.byId.get(event.id) !== event) return;
    const { seq } = event;
    const isSorted = event.id > this.#newestId;
    if (isSorted) this.#newestId = event.id;
    else this.unsorted.set(event.id, seq);
    const onPath = isPathLine(event);
    const flags =
      (onPath ? ROW_FLAGS.onPath : 0) +
      (itemPlacedBy(log, event) === null ? 0 : ROW_FLAGS.places) +
      (log.ignored.has(event.id) ? ROW_FLAGS.ignored : 0) +
      (isSorted ? 0 : ROW_FLAGS.unsorted);
    const link = onPath ? (linkOf(log, event) ?? 0) : markOf(event);
    this.fresh.push({
      from,
      bytes: to - from,
      seq,
      link,
      type: lineTypeOf(event),
      flags,
      branch: this.#codeOf(log, event),
    });
  }

  #codeOf(log: LogState, event: LogEvent): number {
    if (log.branches.get(event.branch)?.lines.at(-1) !== event.seq) return NO_BRANCH;
    const code = this.#codes.get(event.branch) ?? this.#codes.size;
    this.#codes.set(event.branch, code);
    return code;
  }
}
