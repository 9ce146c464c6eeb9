/** Time and ids are handed in everywhere, so that a test decides them. */
export interface Clock {
  /** Milliseconds since the epoch, wall clock; it may jump. */
  now(): number;
}

/**
 * ULIDs from one monotonic generator a process: time part = max(clock, newest id seen), so ids sort even
 * when the clock jumps (`contract.md` 1).
 */
export interface Ids {
  next(): string;
  /** Tells the generator of an id read from a log, so that later ones sort behind it. */
  seen(id: string): void;
}
