import type { RunName } from './child';

/** One benchmark: the processes that are started, one after the other, at each size, so many times. */
export interface Plan {
  readonly bench: string;
  readonly runs: readonly RunName[];
  /** Run once a size before anything is measured. */
  readonly prepare?: RunName;
  /** `session`: sizes are items of a conversation that is made. `count`: how often the thing is done. */
  readonly input: 'session' | 'count';
  readonly quick: readonly number[];
  readonly full: readonly number[];
}

/** In the order they are measured. A benchmark that comes later is a line here, its bars in `bars.ts`, a run in `child.ts`. */
export const PLANS: readonly Plan[] = [
  {
    bench: 'replay',
    runs: ['replay-floor', 'replay'],
    input: 'session',
    quick: [10_000],
    full: [10_000, 100_000, 1_000_000],
  },
  {
    bench: 'open',
    runs: ['open'],
    prepare: 'open-prepare',
    input: 'session',
    quick: [10_000],
    full: [10_000, 100_000, 1_000_000],
  },
  { bench: 'append', runs: ['append'], input: 'count', quick: [100, 2000], full: [100, 1000, 10_000, 100_000] },
  { bench: 'projection', runs: ['projection'], input: 'session', quick: [1000, 10_000], full: [1000, 10_000, 100_000] },
  { bench: 'durability', runs: ['durability'], input: 'count', quick: [200], full: [1000] },
  { bench: 'jobs', runs: ['jobs'], input: 'count', quick: [200], full: [1000] },
  { bench: 'fan-out', runs: ['fan-out'], input: 'count', quick: [40], full: [400] },
];

/** Processes a size; the median of them counts. */
export const TIMES = { quick: 3, full: 5 } as const;
