import { randomBytes } from 'node:crypto';
import { createIds } from '../../server/core/ids';

/**
 * How much is done: `TIDEMARK_FAULT_ROUNDS` sets the rounds of every test that counts in rounds, `TIDEMARK_FAULT_SEED` the
 * seed that decides what happens in them. A run that failed is run again with the seed it named.
 */
export const SEED = Number(process.env.TIDEMARK_FAULT_SEED ?? 20);

export const timesOf = (usual: number): number => Number(process.env.TIDEMARK_FAULT_ROUNDS ?? usual);

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
