/** The older entries of a map that are not held: they are looked up where they are kept. */
export interface MapBase<K, V> {
  readonly size: number;
  get(key: K): V | undefined;
  has(key: K): boolean;
  entries(): Iterable<readonly [K, V]>;
}

interface Store<K, V> {
  readonly base: MapBase<K, V> | null;
  readonly entries: [K, V][];
  readonly places: Map<K, number>;
}

/**
 * A map that only grows, read as it was when it was made. `with` costs nothing like a copy: the versions of one
 * history share their entries, each sees only its own first `size` of them. A second history that grows from an
 * old version gets its own copy, so no version ever changes for whoever holds it.
 */
export class GrowingMap<K, V> implements ReadonlyMap<K, V> {
  readonly size: number;
  readonly #store: Store<K, V>;
  readonly #held: number;

  private constructor(store: Store<K, V>, held: number) {
    this.#store = store;
    this.#held = held;
    this.size = held + (store.base?.size ?? 0);
  }

  static empty<K, V>(): GrowingMap<K, V> {
    return new GrowingMap<K, V>({ base: null, entries: [], places: new Map() }, 0);
  }

  /** A map whose older entries are looked up elsewhere; those given are held and found first. */
  static over<K, V>(base: MapBase<K, V> | null, held: Iterable<readonly [K, V]> = []): GrowingMap<K, V> {
    const entries = [...held].map(([key, value]): [K, V] => [key, value]);
    return new GrowingMap(copyOf(base, entries), entries.length);
  }

  /** The entries that are held, the oldest first. */
  *heldEntries(): Generator<readonly [K, V]> {
    for (let place = 0; place < this.#held; place += 1) {
      const entry = this.#store.entries[place];
      if (entry) yield entry;
    }
  }

  /** The map with one entry more. A key that is there already keeps its first value. */
  with(key: K, value: V): GrowingMap<K, V> {
    if (this.has(key)) return this;
    const { base, entries } = this.#store;
    const store = entries.length === this.#held ? this.#store : copyOf(base, entries.slice(0, this.#held));
    store.places.set(key, store.entries.length);
    store.entries.push([key, value]);
    return new GrowingMap(store, store.entries.length);
  }

  get(key: K): V | undefined {
    const place = this.#store.places.get(key);
    if (place === undefined || place >= this.#held) return this.#store.base?.get(key);
    return this.#store.entries[place]?.[1];
  }

  has(key: K): boolean {
    const place = this.#store.places.get(key);
    return (place !== undefined && place < this.#held) || (this.#store.base?.has(key) ?? false);
  }

  forEach(visit: (value: V, key: K, map: ReadonlyMap<K, V>) => void): void {
    for (const [key, value] of this.entries()) visit(value, key, this);
  }

  *entries(): MapIterator<[K, V]> {
    for (const [key, value] of this.#store.base?.entries() ?? []) {
      const place = this.#store.places.get(key);
      if (place === undefined || place >= this.#held) yield [key, value];
    }
    for (const [key, value] of this.heldEntries()) yield [key, value];
  }

  *keys(): MapIterator<K> {
    for (const [key] of this.entries()) yield key;
  }

  *values(): MapIterator<V> {
    for (const [, value] of this.entries()) yield value;
  }

  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries();
  }
}

function copyOf<K, V>(base: MapBase<K, V> | null, entries: [K, V][]): Store<K, V> {
  return { base, entries, places: new Map(entries.map(([key], place) => [key, place])) };
}
