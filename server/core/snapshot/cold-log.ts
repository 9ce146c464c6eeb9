import { isEventType, type LogEvent } from '@/server/contract/events/event';
import { parseLine } from '@/server/core/log/parse-line';
import type { ListBase } from '@/server/core/projection/growing-list';
import type { MapBase } from '@/server/core/projection/growing-map';
import { isKnown } from '@/server/core/projection/log-state-path';
import { sentKey } from '@/server/core/projection/state-shape';
import { codeOfType, type LineRow, type LineRows, markOfSent, ROW_FLAGS } from './line-rows';

/** What is handed in: lines never change once written, so reading one is looking up a value. */
export interface ColdSource {
  /** The rows of every line up to the snapshot; read when first asked for. */
  rows(): LineRows;
  /** The bytes of a line as they stand in the file. */
  line(row: Pick<LineRow, 'from' | 'bytes'>): Uint8Array;
}

/** What a snapshot knows of all older lines without their rows: what is not there is told without reading anything. */
export interface ColdFacts {
  readonly lines: number;
  readonly newestSeq: number;
  /** The greatest id, and where those stand that do not sort after all before them. */
  readonly newestId: string;
  readonly unsorted: ReadonlyMap<string, number>;
  /** Branches by the code their rows have. */
  readonly branches: readonly string[];
  /** Ids of messages that wait. */
  readonly queued: ReadonlySet<string>;
}

/** Bytes of lines whose events are kept once they were read. */
const CACHE_BYTES = 2 * 1024 * 1024;

/** The older lines of a log, none of them held: each is read from its place when somebody asks for it (perf-A3). */
export class ColdLog {
  readonly #cache = new Map<number, { readonly event: LogEvent; readonly bytes: number }>();
  readonly #lines = new Map<string, Uint32Array>();
  #cachedBytes = 0;

  constructor(
    readonly source: ColdSource,
    readonly facts: ColdFacts,
  ) {}

  /** The event of a row. A row that names no good line any more is a file that was changed from outside. */
  eventAt(place: number): LogEvent {
    const known = this.#cache.get(place);
    if (known) return known.event;
    const row = this.source.rows().at(place);
    const parsed = parseLine(this.source.line(row), row.seq);
    if (parsed.kind !== 'event') throw new RangeError(`line ${row.seq} is not what it was: ${parsed.why}`);
    this.#keep(place, parsed.event, row.bytes);
    return parsed.event;
  }

  get bySeq(): MapBase<number, LogEvent> {
    const { facts } = this;
    const placeOf = (seq: number) => (seq > facts.newestSeq ? -1 : this.source.rows().find(seq));
    return {
      size: facts.lines,
      has: (seq) => placeOf(seq) >= 0,
      get: (seq) => {
        const place = placeOf(seq);
        return place < 0 ? undefined : this.eventAt(place);
      },
      entries: () => this.#entries((event) => [event.seq, event]),
    };
  }

  get byId(): MapBase<string, LogEvent> {
    return {
      size: this.facts.lines,
      has: (id) => this.findId(id) >= 0,
      get: (id) => {
        const place = this.findId(id);
        return place < 0 ? undefined : this.eventAt(place);
      },
      entries: () => this.#entries((event) => [event.id, event]),
    };
  }

  get placedBy(): MapBase<string, number> {
    const isNew = (id: string) => this.facts.queued.has(id) || this.findId(id) < 0;
    const get = (id: string) => (isNew(id) ? undefined : this.#findPlacing(id));
    return { size: 0, get, has: (id) => get(id) !== undefined, entries: () => [] };
  }

  /** By branch and client id (`sentKey`). */
  get sent(): MapBase<string, number> {
    const get = (key: string) => this.#findSent(key);
    return { size: 0, get, has: (key) => get(key) !== undefined, entries: () => [] };
  }

  #findSent(key: string): number | undefined {
    const rows = this.source.rows();
    const mark = markOfSent(key.slice(key.indexOf(' ') + 1));
    for (let place = 0; place < rows.count; place += 1) {
      if (rows.typeAt(place) !== MESSAGE_USER) continue;
      const { flags, link, seq } = rows.at(place);
      if (link !== mark || (flags & ROW_FLAGS.onPath) !== 0) continue;
      const event = this.eventAt(place);
      if (!isKnown(event) || event.type !== 'message.user' || event.clientMessageId === null) continue;
      if (sentKey(event.branch, event.clientMessageId) === key) return seq;
    }
    return undefined;
  }

  /** The place of the line with an id; -1 where none has it. Ids are made in order, so a search halves. */
  findId(id: string): number {
    const { newestId, unsorted } = this.facts;
    const seq = unsorted.get(id);
    if (seq !== undefined) return this.source.rows().find(seq);
    if (id > newestId) return -1;
    let low = 0;
    let high = this.source.rows().count - 1;
    while (low <= high) {
      const middle = this.#sortedAtOrBefore((low + high) >> 1, low);
      if (middle < low) low = ((low + high) >> 1) + 1;
      else {
        const found = this.eventAt(middle).id;
        if (found === id) return middle;
        if (found < id) low = ((low + high) >> 1) + 1;
        else high = middle - 1;
      }
    }
    return -1;
  }

  /** `seq`s of the lines of a branch; `count` of them, as the snapshot has it. */
  linesOf(branch: string, count: number): ListBase<number> {
    const seqs = () => {
      const known = this.#lines.get(branch);
      if (known) return known;
      const rows = this.source.rows();
      const code = this.facts.branches.indexOf(branch);
      const found = new Uint32Array(count);
      let length = 0;
      for (let place = 0; place < rows.count && length < count; place += 1) {
        const row = rows.at(place);
        if (row.branch !== code) continue;
        found[length] = row.seq;
        length += 1;
      }
      this.#lines.set(branch, found);
      return found;
    };
    const ofType = (type: string) => (isEventType(type) ? this.#linesOfType(branch, codeOfType(type)) : []);
    return { length: count, at: (place) => seqs()[place] ?? 0, ofType };
  }

  /** `seq`s of the lines of a branch of one type that count, told by their rows alone. */
  #linesOfType(branch: string, type: number): readonly number[] {
    const rows = this.source.rows();
    const code = this.facts.branches.indexOf(branch);
    const found: number[] = [];
    for (let place = 0; place < rows.count; place += 1) {
      if (rows.typeAt(place) !== type) continue;
      const row = rows.at(place);
      if (row.branch === code && (row.flags & ROW_FLAGS.ignored) === 0) found.push(row.seq);
    }
    return found;
  }

  #sortedAtOrBefore(place: number, low: number): number {
    const rows = this.source.rows();
    let sorted = place;
    while (sorted >= low && (rows.at(sorted).flags & ROW_FLAGS.unsorted) !== 0) sorted -= 1;
    return sorted;
  }

  /** A message is placed behind its own line, most often right there. */
  #findPlacing(messageId: string): number | undefined {
    const rows = this.source.rows();
    for (let place = this.findId(messageId); place >= 0 && place < rows.count; place += 1) {
      const row = rows.at(place);
      if (row.type !== TURN_STARTED || (row.flags & ROW_FLAGS.places) === 0) continue;
      const event = this.eventAt(place);
      if (isKnown(event) && event.type === 'turn.started' && event.messageId === messageId) return row.seq;
    }
    return undefined;
  }

  *#entries<K, V>(toEntry: (event: LogEvent) => readonly [K, V]): Generator<readonly [K, V]> {
    const { count } = this.source.rows();
    for (let place = 0; place < count; place += 1) yield toEntry(this.eventAt(place));
  }

  #keep(place: number, event: LogEvent, bytes: number): void {
    this.#cache.set(place, { event, bytes });
    this.#cachedBytes += bytes;
    if (this.#cachedBytes <= CACHE_BYTES) return;
    for (const [oldest, { bytes: freed }] of this.#cache) {
      if (this.#cachedBytes <= CACHE_BYTES || oldest === place) return;
      this.#cache.delete(oldest);
      this.#cachedBytes -= freed;
    }
  }
}

const MESSAGE_USER = codeOfType('message.user');
const TURN_STARTED = codeOfType('turn.started');
