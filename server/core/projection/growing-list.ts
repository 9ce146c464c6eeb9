/** The beginning of a list that is not held: its members are made when somebody asks for one. */
export interface ListBase<T> {
  readonly length: number;
  at(place: number): T;
  /** Its members of a type that count for state, in order, without making any other; only where members have one. */
  ofType?(type: string): readonly T[];
}

const CORE = Symbol('core of a growing list');

/**
 * A list that only grows at its end. Versions of one history share what they have in common: a version is the first
 * `count` members of the store and one last member of its own, so the newest may be replaced without a copy.
 */
class Core<T> {
  readonly length: number;
  #array: readonly T[] | null = null;

  constructor(
    readonly base: ListBase<T> | null,
    readonly store: T[],
    readonly count: number,
    readonly last: readonly [T] | null,
  ) {
    this.length = (base?.length ?? 0) + count + (last === null ? 0 : 1);
  }

  at(place: number): T | undefined {
    const baseLength = this.base?.length ?? 0;
    if (place < 0 || place >= this.length) return undefined;
    if (place < baseLength) return this.base?.at(place);
    if (place === this.length - 1 && this.last !== null) return this.last[0];
    return this.store[place - baseLength];
  }

  slice(from = 0, to = this.length): T[] {
    const first = from < 0 ? Math.max(0, this.length + from) : from;
    const end = Math.min(this.length, to < 0 ? this.length + to : to);
    const part: T[] = [];
    for (let place = first; place < end; place += 1) {
      const member = this.at(place);
      if (member !== undefined) part.push(member);
    }
    return part;
  }

  /** All members; kept for the next one who asks unless that would hold what the base spares. */
  toArray(): readonly T[] {
    const array = this.#array ?? this.slice();
    if (this.base === null) this.#array = array;
    return array;
  }

  *members(): ArrayIterator<T> {
    for (let place = 0; place < this.length; place += 1) {
      const member = this.at(place);
      if (member !== undefined) yield member;
    }
  }

  findLastIndex(isWanted: (member: T, place: number) => unknown): number {
    for (let place = this.length - 1; place >= 0; place -= 1) {
      const member = this.at(place);
      if (member !== undefined && isWanted(member, place)) return place;
    }
    return -1;
  }

  findIndex(isWanted: (member: T, place: number) => unknown): number {
    for (let place = 0; place < this.length; place += 1) {
      const member = this.at(place);
      if (member !== undefined && isWanted(member, place)) return place;
    }
    return -1;
  }

  with(member: T): Core<T> {
    const { base, store, count, last } = this;
    if (last === null) return new Core(base, store, count, [member]);
    const own = store.length === count ? store : store.slice(0, count);
    own.push(last[0]);
    return new Core(base, own, count + 1, [member]);
  }
}

/**
 * A list of a history, read as any array is. Adding to its end costs the same however long it is; every version stays
 * as it was for whoever holds it. With a base, the beginning is made on demand and not kept.
 */
export function growingList<T>(base: ListBase<T> | null = null, members: Iterable<T> = []): readonly T[] {
  const held = [...members];
  const last = held.pop();
  const before = base !== null && base.length > 0 ? base : null;
  return toList(new Core(before, held, held.length, last === undefined ? null : [last]));
}

/** The list with one member more; the list given stays as it is. Plain arrays are taken over once. */
export function withMember<T>(list: readonly T[], member: T): readonly T[] {
  const core = coreOf(list);
  return core === null ? growingList(null, [...list, member]) : toList(core.with(member));
}

/** The list with another newest member. It must not be empty. */
export function withNewest<T>(list: readonly T[], member: T): readonly T[] {
  const core = coreOf(list);
  if (core === null) return growingList(null, [...list.slice(0, -1), member]);
  return toList(new Core(core.base, core.store, core.count, [member]));
}

/** What is held of a list behind its base: how much that is, too. Any other array is held whole. */
export function heldMembers<T>(list: readonly T[]): { readonly from: number; readonly members: readonly T[] } {
  const core = coreOf(list);
  const from = core?.base?.length ?? 0;
  return { from, members: core === null ? list : core.slice(from) };
}

/** The members of some types, in order. Of a beginning that is not held only those are made. */
export function membersOfType<T extends { readonly type: string }>(
  list: readonly T[],
  types: readonly string[],
): readonly T[] {
  const core = coreOf(list);
  const find = core?.base?.ofType;
  if (core === null || !find) return list.filter(({ type }) => types.includes(type));
  const before = types.flatMap((type) => find.call(core.base, type));
  return [...before, ...heldMembers(list).members.filter(({ type }) => types.includes(type))];
}

/** The beginning that is not held; null where all of a list is. */
export function baseOf<T>(list: readonly T[]): ListBase<T> | null {
  return coreOf(list)?.base ?? null;
}

/** True for a list made here: it cannot be written to, and freezing it means nothing. */
export function isGrowingList(value: object): boolean {
  return Array.isArray(value) && coreOf(value) !== null;
}

function coreOf<T>(list: readonly T[]): Core<T> | null {
  const core: unknown = Reflect.get(list, CORE);
  return core instanceof Core ? core : null;
}

const placeOf = (key: string | symbol): number => {
  if (typeof key === 'symbol') return -1;
  const first = key.charCodeAt(0);
  return first >= 48 && first <= 57 ? Number(key) : -1;
};

/** What every list is to an engine: an empty array that its handler answers for. */
class ListHandler<T> implements ProxyHandler<T[]> {
  constructor(readonly core: Core<T>) {}

  get(target: readonly T[], key: string | symbol): unknown {
    const place = placeOf(key);
    if (place >= 0) return this.core.at(place);
    const read = READS.get(key);
    return read === undefined ? readOther(this.core, target, key) : read(this.core);
  }

  has(target: readonly T[], key: string | symbol): boolean {
    const place = placeOf(key);
    return place >= 0 ? place < this.core.length : Reflect.has(target, key);
  }

  ownKeys(): string[] {
    return [...Array.from({ length: this.core.length }, (_, place) => String(place)), 'length'];
  }

  getOwnPropertyDescriptor(_target: readonly T[], key: string | symbol): PropertyDescriptor | undefined {
    if (key === 'length') return { value: this.core.length, writable: true, enumerable: false, configurable: false };
    const value = this.core.at(placeOf(key));
    return value === undefined ? undefined : { value, writable: true, enumerable: true, configurable: true };
  }

  set(): boolean {
    return refuse();
  }

  defineProperty(): boolean {
    return refuse();
  }

  deleteProperty(): boolean {
    return refuse();
  }

  preventExtensions(): boolean {
    return false;
  }
}

function toList<T>(core: Core<T>): readonly T[] {
  return new Proxy<T[]>([], new ListHandler(core));
}

function refuse(): never {
  throw new TypeError('a list of a history is read-only');
}

/** What is asked of the end of long lists again and again, without making an array of all of it first. */
const READS: ReadonlyMap<string | symbol, (core: Core<unknown>) => unknown> = new Map<
  string | symbol,
  (core: Core<unknown>) => unknown
>([
  [CORE, (core) => core],
  ['length', (core) => core.length],
  ['at', (core) => (place: number) => core.at(place < 0 ? core.length + place : place)],
  ['slice', (core) => (from?: number, to?: number) => core.slice(from, to)],
  [Symbol.iterator, (core) => () => core.members()],
  ['findLastIndex', (core) => (wanted: (member: unknown) => unknown) => core.findLastIndex(wanted)],
  ['findIndex', (core) => (wanted: (member: unknown) => unknown) => core.findIndex(wanted)],
  ['findLast', (core) => (wanted: (member: unknown) => unknown) => core.at(core.findLastIndex(wanted))],
  ['find', (core) => (wanted: (member: unknown) => unknown) => core.at(core.findIndex(wanted))],
  ['some', (core) => (wanted: (member: unknown) => unknown) => core.findIndex(wanted) >= 0],
]);

/** Anything else an array can do is done by an array of the same members. */
function readOther<T>(core: Core<T>, target: readonly T[], key: string | symbol): unknown {
  const value: unknown = Reflect.get(target, key);
  return typeof value === 'function' ? value.bind(core.toArray()) : value;
}
