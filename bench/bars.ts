import type { RunName } from './child';

/** What one process answered: numbers by name. */
export type Measured = Readonly<Record<string, number>>;

/** The medians of a benchmark at one size, by the run they come from. */
export type Medians = Readonly<Partial<Record<RunName, Measured>>>;

export interface Bar {
  /** As in `docs/rules.md`. */
  readonly id: string;
  readonly what: string;
  /** What was measured, what it is held against, and the value that the bar speaks of. */
  readonly value: (at: Medians) => number;
  readonly limit: number;
  /** `most`: the value may not be above the limit; `least`: not below. */
  readonly sense: 'most' | 'least';
  /**
   * A ratio is the verdict on any machine. An absolute bar, and a ratio of rare moments (`quiet`), counts on a machine that
   * does nothing else: it falls at three times, and a quick run only shows it.
   */
  readonly kind: 'ratio' | 'absolute' | 'quiet';
  /** What it stands at where it is not held yet: a run falls where it gets worse than this, beyond the slack. */
  readonly owed?: number;
  readonly unit: string;
}

const of = (at: Medians, run: RunName, name: string): number => at[run]?.[name] ?? Number.NaN;

const ratio = (id: string, what: string, bar: Pick<Bar, 'value' | 'limit'> & Partial<Bar>): Bar => ({
  id,
  what,
  sense: 'most',
  kind: 'ratio',
  unit: '×',
  ...bar,
});

const absolute = (id: string, what: string, bar: Pick<Bar, 'value' | 'limit' | 'unit'>): Bar => ({
  id,
  what,
  sense: 'most',
  kind: 'absolute',
  ...bar,
});

/** The bars that are measured at one size each, by the benchmark they belong to. */
export const BARS: Readonly<Record<string, readonly Bar[]>> = {
  replay: [
    ratio('perf-A1', 'full verified replay / floor', {
      value: (at) => of(at, 'replay', 'ms') / of(at, 'replay-floor', 'ms'),
      limit: 1.25,
      owed: 4,
    }),
    absolute('perf-A1', 'replay: memory beyond the floor', {
      value: (at) => of(at, 'replay', 'peakMb') - of(at, 'replay-floor', 'peakMb'),
      limit: 60,
      unit: 'MB',
    }),
  ],
  open: [
    absolute('perf-A2', 'open to a sendable view', { value: (at) => of(at, 'open', 'ms'), limit: 10, unit: 'ms' }),
    absolute('perf-A4', 'open: memory beyond before', {
      value: (at) => of(at, 'open', 'moreMb'),
      limit: 15,
      unit: 'MB',
    }),
  ],
  append: [
    ratio('perf-A5', 'bytes written / payload', {
      value: (at) => of(at, 'append', 'written') / of(at, 'append', 'payload'),
      limit: 1.25,
    }),
  ],
  projection: [
    ratio('perf-B1', 'projection after an append / stringify', {
      value: (at) => of(at, 'projection', 'stepMs') / of(at, 'projection', 'floorMs'),
      limit: 0.25,
    }),
    ratio('perf-B2', 'first projection / stringify', {
      value: (at) => of(at, 'projection', 'firstMs') / of(at, 'projection', 'floorMs'),
      limit: 1.5,
    }),
    absolute('perf-B3', 'choosing a cut', { value: (at) => of(at, 'projection', 'cutMs'), limit: 1, unit: 'ms' }),
  ],
  durability: [
    ratio('perf-F1', 'durable append / raw write and sync', {
      value: (at) => of(at, 'durability', 'oursMs') / of(at, 'durability', 'floorMs'),
      limit: 1.3,
    }),
    ratio('perf-F1', '64 writers / one writer, appends a second', {
      value: (at) => of(at, 'durability', 'manyPerSecond') / of(at, 'durability', 'onePerSecond'),
      limit: 10,
      sense: 'least',
      // Where a sync takes no longer than an append, there is little to share.
      owed: 3,
    }),
  ],
  jobs: [
    ratio('perf-F3', 'jobs a second / three raw transactions', {
      value: (at) => of(at, 'jobs', 'floorMs') / of(at, 'jobs', 'oursMs'),
      limit: 0.7,
      sense: 'least',
    }),
    ratio('perf-F3', 'claim p99, 20,000 queued / p50, none', {
      value: (at) => of(at, 'jobs', 'fullP99') / of(at, 'jobs', 'emptyP50'),
      limit: 3,
      kind: 'quiet',
    }),
  ],
  'fan-out': [
    absolute('perf-F4', 'append to client, p50', { value: (at) => of(at, 'fan-out', 'p50'), limit: 1.5, unit: 'ms' }),
    absolute('perf-F4', 'append to client, p99', { value: (at) => of(at, 'fan-out', 'p99'), limit: 10, unit: 'ms' }),
    ratio('perf-F4', 'serialisations of an event, 100 clients', {
      value: (at) => of(at, 'fan-out', 'serialised'),
      // A client that connects while it is measured is told once more.
      limit: 1.1,
    }),
    ratio('perf-F4', 'lines that arrived, a stalled client beside', {
      value: (at) => of(at, 'fan-out', 'arrivedShare'),
      limit: 1,
      sense: 'least',
    }),
  ],
};

/** Bars that hold a value at the largest size against the same at another one. */
export interface FlatBar {
  readonly id: string;
  readonly what: string;
  readonly bench: string;
  readonly value: (at: Medians) => number;
  /** Items or appends of the size it is held against. */
  readonly against: number;
  readonly limit: number;
}

export const FLAT_BARS: readonly FlatBar[] = [
  {
    id: 'perf-A2',
    what: 'open, largest / at 10 MB',
    bench: 'open',
    value: (at) => of(at, 'open', 'ms'),
    against: 10_000,
    limit: 1.5,
  },
  {
    id: 'perf-A5',
    what: 'bytes a payload byte, largest / smallest',
    bench: 'append',
    value: (at) => of(at, 'append', 'written') / of(at, 'append', 'payload'),
    against: 100,
    limit: 1.02,
  },
  {
    id: 'perf-B1',
    what: 'projection after an append, largest / 1,000 items',
    bench: 'projection',
    value: (at) => of(at, 'projection', 'stepMs') / of(at, 'projection', 'floorMs'),
    against: 1000,
    limit: 2,
  },
];
