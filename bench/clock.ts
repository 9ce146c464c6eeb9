import { performance } from 'node:perf_hooks';

/** Milliseconds that `work` took. */
export function timeOf(work: () => void): number {
  const from = performance.now();
  work();
  return performance.now() - from;
}

/** Milliseconds until what `work` promised was there. */
export async function timeUntil(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** The middle one of some numbers; `NaN` of none. */
export const median = (numbers: readonly number[]): number => quantile(numbers, 0.5);

/** The number below which `share` of them lie; `NaN` of none. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Most memory this process ever held, in MB. */
export const peakMb = (): number => process.resourceUsage().maxRSS / 1024;
