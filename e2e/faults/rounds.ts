import { randomBytes } from 'node:crypto';
import { createIds } from '../../server/core/ids';

/** Decides what happens in a run. One that failed is run again with the seed it named. */
export const SEED = Number(process.env.TIDEMARK_FAULT_SEED ?? 20);

const isFull = process.env.TIDEMARK_FAULT_SIZE === 'full';

/**
 * How often it is done: `usual` in every run, `full` with `TIDEMARK_FAULT_SIZE=full`, the size that the bar of the row is
 * stated for. `TIDEMARK_FAULT_ROUNDS` sets another number for every test that counts in rounds.
 */
export const timesOf = (usual: number, full: number): number =>
  Number(process.env.TIDEMARK_FAULT_ROUNDS ?? sizeOf(usual, full));

/** As `timesOf`, of what is not counted in rounds: how many at once, for how long. */
export const sizeOf = (usual: number, full: number): number => (isFull ? full : usual);

/** What was measured or counted, for whoever reads the log of the run. */
export function say(line: string): void {
  process.stdout.write(`    ${line}\n`);
}

/** The value below which this share of all values lies; 0 for none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

const clock = { now: () => Date.now() };

/** Ids as the product makes them, each one new. */
export const newIds = createIds({ clock, drawBytes: randomBytes });
