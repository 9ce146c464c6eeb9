interface Store<K, V> {
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

  private constructor(store: Store<K, V>, size: number) {
    this.#store = store;
    this.size = size;
  }

  static empty<K, V>(): GrowingMap<K, V> {
    return new GrowingMap<K, V>({ entries: [], places: new Map() }, 0);
  }

  /** The map with one entry more. A key that is there already keeps its first value. */
  with(key: K, value: V): GrowingMap<K, V> {
    if (this.has(key)) return this;
    const isNewest = this.#store.entries.length === this.size;
    const store = isNewest ? this.#store : copyOf(this.#store.entries.slice(0, this.size));
    store.places.set(key, store.entries.length);
    store.entries.push([key, value]);
    return new GrowingMap(store, store.entries.length);
  }

  get(key: K): V | undefined {
    const place = this.#store.places.get(key);
    return place === undefined || place >= this.size ? undefined : this.#store.entries[place]?.[1];
  }

  has(key: K): boolean {
    const place = this.#store.places.get(key);
    return place !== undefined && place < this.size;
  }

  forEach(visit: (value: V, key: K, map: ReadonlyMap<K, V>) => void): void {
    for (const [key, value] of this.entries()) visit(value, key, this);
  }

  *entries(): MapIterator<[K, V]> {
    for (let place = 0; place < this.size; place += 1) {
      const entry = this.#store.entries[place];
      if (entry) yield [entry[0], entry[1]];
    }
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

function copyOf<K, V>(entries: [K, V][]): Store<K, V> {
  return { entries, places: new Map(entries.map(([key], place) => [key, place])) };
}
