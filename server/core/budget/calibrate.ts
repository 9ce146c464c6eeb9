import { toKnownWindow } from './budget';

/** Until a model has reported three usages, every token is taken to be two bytes (B1). */
export const ASSUMED_BYTES_A_TOKEN = 2;
export const USAGES_NEEDED = 3;
const CAUTION = 0.95;
const LEAST = 1;
const MOST = 6;
/** Beyond these a count is no count of this text: a server that reports a part, or a constant (case-D06). */
const LEAST_PLAUSIBLE = 0.25;
const MOST_PLAUSIBLE = 24;
/** Kept free in the calculation where no output ceiling is sent. */
const FREE_WINDOW_RATIO = 0.05;

/** A request that a provider answered: what we measured, and the input tokens it reported. */
export interface ReportedUsage {
  readonly measureBytes: number;
  readonly inputTokens: number;
}

/** Measured bytes a token of one model: slightly under the mean, so that fits are never promised too early. */
export function calibrateBytesPerToken(usages: readonly ReportedUsage[]): number {
  const known = usages.filter(isPlausible);
  if (known.length < USAGES_NEEDED) return ASSUMED_BYTES_A_TOKEN;
  const bytes = known.reduce((sum, usage) => sum + usage.measureBytes, 0);
  const tokens = known.reduce((sum, usage) => sum + usage.inputTokens, 0);
  return Math.min(MOST, Math.max(LEAST, (CAUTION * bytes) / tokens));
}

/** Whether the tokens may be those of the bytes; others are not counted with. */
export function isPlausible({ measureBytes, inputTokens }: ReportedUsage): boolean {
  if (inputTokens <= 0 || measureBytes <= 0) return false;
  const ratio = measureBytes / inputTokens;
  return ratio >= LEAST_PLAUSIBLE && ratio <= MOST_PLAUSIBLE;
}

export interface WindowFit {
  readonly measureBytes: number;
  readonly bytesPerToken: number;
  /** Tokens of output the adapter will really send as a ceiling; null: none is sent. */
  readonly ceilingTokens: number | null;
  /** Null: unknown, and then everything fits until a provider says otherwise. */
  readonly windowTokens: number | null;
}

/** Whether a request and its answer fit a window (`contract.md` 7). */
export function fitsWindow({ measureBytes, bytesPerToken, ceilingTokens, windowTokens }: WindowFit): boolean {
  const window = toKnownWindow(windowTokens);
  if (window === null) return true;
  const reserve = ceilingTokens ?? Math.ceil(window * FREE_WINDOW_RATIO);
  return Math.ceil(measureBytes / bytesPerToken) + reserve <= window;
}
