import { type ItemEvent, isEventType, isItem, type LogEvent, type StoredEvent } from '@/server/contract/events/event';
import type { CountedItems, ItemKinds } from '@/server/core/projection/count-items';
import type { ListBase } from '@/server/core/projection/growing-list';
import type { MapBase } from '@/server/core/projection/growing-map';
import { isKnown } from '@/server/core/projection/log-state-path';
import type { Item, TurnOnPath } from '@/server/core/projection/state-shape';
import type { ColdLog } from './cold-log';
import { isOfType } from './held-events';
import { codeOfType, ROW_FLAGS } from './line-rows';

export interface ColdPathPlace {
  /** `seq` of the last line of this beginning of a path; the lines, items and turns up to it. */
  readonly head: number;
  readonly lines: number;
  readonly items: number;
  readonly turns: number;
}

/**
 * The beginning of a path, none of it held: which lines it has is told by their rows once somebody asks, four bytes a
 * line, and each line is read when it is asked for. What is answered is what folding the whole log says.
 */
export class ColdPath {
  #rows: Uint32Array | null = null;
  #itemRows: Uint32Array | null = null;
  #turns: readonly TurnOnPath[] | null = null;
  readonly #ofType = new Map<number, readonly number[]>();

  constructor(
    readonly log: ColdLog,
    readonly place: ColdPathPlace,
  ) {}

  get path(): ListBase<LogEvent> {
    return {
      length: this.place.lines,
      at: (place) => this.log.eventAt(this.rows()[place] ?? -1),
      ofType: (type) => (isEventType(type) ? this.eventsOf(type) : []),
    };
  }

  get items(): ListBase<Item> & CountedItems {
    return {
      length: this.place.items,
      at: (place) => toColdItem(this, place),
      countKinds: (end) => this.#countKinds(end),
    };
  }

  /** By the types of rows: a message is placed by its turn or stands where it was said. */
  #countKinds(end: number): ItemKinds {
    const rows = this.log.source.rows();
    const kinds = { user: 0, assistant: 0, tool: 0 };
    for (const place of this.itemRows().subarray(0, end)) {
      const type = rows.typeAt(place);
      if (type === ASSISTANT) kinds.assistant += 1;
      else if (type === TOOL_RESULT) kinds.tool += 1;
      else kinds.user += 1;
    }
    return kinds;
  }

  get turns(): ListBase<TurnOnPath> {
    return { length: this.place.turns, at: (place) => this.#allTurns()[place] ?? missing() };
  }

  /** Masks of the path by item id, `count` of them. `isHeld`: ids of items that are held, and their masks with them. */
  masks(count: number, isHeld: (itemId: string) => boolean): MapBase<string, StoredEvent<'view.masked'>> {
    let all: ReadonlyMap<string, StoredEvent<'view.masked'>> | null = null;
    const masks = () => {
      all ??= new Map(this.eventsOf('view.masked').map((event) => [event.item, event]));
      return all;
    };
    return {
      size: count,
      has: (id) => !isHeld(id) && masks().has(id),
      get: (id) => (isHeld(id) ? undefined : masks().get(id)),
      entries: () => masks(),
    };
  }

  /** The lines of one type that count, in path order; no other line is read, and the rows are looked through once. */
  eventsOf<T extends StoredEvent['type']>(type: T): readonly StoredEvent<T>[] {
    const code = codeOfType(type);
    const places = this.#ofType.get(code) ?? this.#findOfType(code);
    return places.flatMap((place) => {
      const event = this.log.eventAt(place);
      return isKnown(event) && isOfType(event, type) ? [event] : [];
    });
  }

  #findOfType(code: number): readonly number[] {
    const rows = this.log.source.rows();
    const found: number[] = [];
    for (const place of this.rows())
      if (rows.typeAt(place) === code && (rows.at(place).flags & ROW_FLAGS.ignored) === 0) found.push(place);
    this.#ofType.set(code, found);
    return found;
  }

  /** Places of the rows of the path, the first line first. */
  rows(): Uint32Array {
    if (this.#rows !== null) return this.#rows;
    const rows = this.log.source.rows();
    const found = new Uint32Array(this.place.lines);
    let seq = this.place.head;
    for (let left = found.length - 1; left >= 0; left -= 1) {
      const place = rows.find(seq);
      if (place < 0) missing();
      found[left] = place;
      seq = rows.at(place).link;
    }
    this.#rows = found;
    return found;
  }

  itemRows(): Uint32Array {
    if (this.#itemRows !== null) return this.#itemRows;
    const rows = this.log.source.rows();
    const found = new Uint32Array(this.place.items);
    let count = 0;
    for (const place of this.rows()) {
      if ((rows.at(place).flags & ROW_FLAGS.places) === 0) continue;
      found[count] = place;
      count += 1;
    }
    this.#itemRows = found;
    return found;
  }

  /** The turn that a line of the path stands in: told by the nearest line before it that begins or ends one. */
  turnAt(rowPlace: number): string | null {
    const rows = this.log.source.rows();
    for (let place = rowPlace; place >= 0; ) {
      const { type, flags, link } = rows.at(place);
      const counts = (flags & ROW_FLAGS.ignored) === 0;
      if (counts && (type === TURN_STARTED || type === TURN_ENDED || type === BRANCH_OPENED))
        return this.#turnAfter(place);
      place = link === 0 ? -1 : rows.find(link);
    }
    return null;
  }

  #turnAfter(place: number): string | null {
    const event = this.log.eventAt(place);
    if (!isKnown(event)) return null;
    if (event.type === 'turn.started') return event.turnId;
    if (event.type !== 'turn.ended') return null;
    const { link } = this.log.source.rows().at(place);
    const before = link === 0 ? null : this.turnAt(this.log.source.rows().find(link));
    return before === event.turnId ? null : before;
  }

  #allTurns(): readonly TurnOnPath[] {
    if (this.#turns !== null) return this.#turns;
    const turns: TurnOnPath[] = [];
    const rows = this.log.source.rows();
    for (const place of this.rows()) {
      const { type, flags } = rows.at(place);
      if ((type !== TURN_STARTED && type !== TURN_ENDED) || (flags & ROW_FLAGS.ignored) !== 0) continue;
      const event = this.log.eventAt(place);
      if (!isKnown(event)) continue;
      if (event.type === 'turn.started') beginTurn(turns, event);
      if (event.type === 'turn.ended') endTurn(turns, event);
    }
    this.#turns = turns;
    return turns;
  }
}

const TURN_STARTED = codeOfType('turn.started');
const TURN_ENDED = codeOfType('turn.ended');
const ASSISTANT = codeOfType('message.assistant');
const TOOL_RESULT = codeOfType('tool.result');
const BRANCH_OPENED = codeOfType('branch.opened');

function beginTurn(turns: TurnOnPath[], started: StoredEvent<'turn.started'>): void {
  if (started.why === 'approval' && turns.at(-1)?.turnId === started.turnId) return;
  turns.push({ turnId: started.turnId, started, ended: null });
}

function endTurn(turns: TurnOnPath[], ended: StoredEvent<'turn.ended'>): void {
  const place = turns.findLastIndex(({ turnId }) => turnId === ended.turnId);
  const turn = turns[place];
  if (turn) turns[place] = { ...turn, ended };
}

/** An item that is read when somebody looks at it. */
function toColdItem(path: ColdPath, place: number): Item {
  const row = () => path.itemRows()[place] ?? missing();
  const read = () => readItem(path.log, path.log.eventAt(row()));
  return {
    number: place + 1,
    get id() {
      return read().id;
    },
    get point() {
      return path.log.source.rows().seqAt(row());
    },
    get turnId() {
      return path.turnAt(row());
    },
    get event() {
      return read();
    },
  };
}

/** A message stands on its own line and is placed by that of its turn. */
function readItem(log: ColdLog, line: LogEvent): ItemEvent {
  const isTurn = isKnown(line) && line.type === 'turn.started' && line.messageId !== null;
  const event = isTurn ? log.byId.get(line.messageId) : line;
  return event && isItem(event) ? event : missing();
}

function missing(): never {
  throw new RangeError('a line of this log is not where it was');
}
