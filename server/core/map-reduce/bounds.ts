import { ASSUMED_BYTES_A_TOKEN } from '@/server/core/budget/calibrate';
import type { SummariserFacts } from '@/server/core/compaction/fit';

/*
 * Every bound of R6–R11 (`contract.md` 13). Each has a test at the bound and one beyond it.
 */

/** R6: map requests under way at once. One after a provider failure. */
export const MOST_MAPS_AT_ONCE = 4;
/** R7: repartitions of the maps that are missing; the target halves each time. */
export const MOST_REPARTITIONS = 3;
/** R8: ranges in one `REREAD:`. */
export const MOST_REREAD_RANGES = 3;
/** R8: rereads of one reduction. */
export const MOST_REREADS = 1;
/** R9: levels of reduction, the last one included. */
export const MOST_LEVELS = 8;
/** R9: corrections of one candidate's text. */
export const MOST_CORRECTIONS = 2;
/** Tries of one audit batch whose answer is neither `PASS` nor `FAIL` as asked. */
export const MOST_AUDIT_TRIES = 2;
/** R11: what maps, inner reductions and audits keep free for output: a tenth of the window, within these. Tokens. */
const OUTPUT_WINDOW_RATIO = 0.1;
export const LEAST_OUTPUT_TOKENS = 64;
export const MOST_OUTPUT_TOKENS = 2_000;
/** Half of the window is packed with source: the rest is for instructions, output and a ratio that was too hopeful. */
const PACKING_WINDOW_RATIO = 0.5;
/** Notes are asked to stay this far under what is kept free for them. */
const NOTES_OUTPUT_RATIO = 0.9;
const LEAST_NOTES_BYTES = 100;
/** Kept free where a request carries no ceiling (`contract.md` 7). */
const FREE_WINDOW_RATIO = 0.05;

/** A summariser's window as the requests are sized by it. Tokens. */
export interface SizingWindow {
  readonly tokens: number;
  readonly bytesPerToken: number;
  /** Unknown until a provider reports it: the receiving agent's budget stands in (R0). */
  readonly assumed: boolean;
}

/** The window of a summariser, or what stands in for it. `budgetBytes` is the receiving agent's. */
export function toSizingWindow(facts: SummariserFacts, budgetBytes: number): SizingWindow {
  const { windowTokens, bytesPerToken } = facts;
  if (windowTokens !== null && windowTokens > 0) return { tokens: windowTokens, bytesPerToken, assumed: false };
  const ratio = bytesPerToken > 0 ? bytesPerToken : ASSUMED_BYTES_A_TOKEN;
  return { tokens: Math.max(1, Math.floor(budgetBytes / ratio)), bytesPerToken: ratio, assumed: true };
}

/** Output tokens kept free, and sent as the ceiling, of a map, an inner reduction or an audit (R11). */
export function reserveTokens(windowTokens: number): number {
  const wanted = Math.floor(windowTokens * OUTPUT_WINDOW_RATIO);
  return Math.min(MOST_OUTPUT_TOKENS, Math.max(LEAST_OUTPUT_TOKENS, wanted));
}

/** Soft bytes of source in one segment (R2): an item above it has a segment of its own. */
export function packingTargetBytes({ tokens, bytesPerToken }: SizingWindow): number {
  return Math.max(1, Math.floor(PACKING_WINDOW_RATIO * tokens * bytesPerToken));
}

/** The largest measure of a request that keeps the reserve of R11 free. May be negative: then nothing fits. */
export function reservedLimitBytes({ tokens, bytesPerToken }: SizingWindow): number {
  return Math.floor((tokens - reserveTokens(tokens)) * bytesPerToken);
}

/** The largest measure of a request with the model's own output configuration; the ceiling may depend on the size. */
export function fitsOwnOutput(measureBytes: number, facts: SummariserFacts, { tokens, bytesPerToken }: SizingWindow) {
  const kept = facts.ceilingTokens(measureBytes) ?? Math.ceil(tokens * FREE_WINDOW_RATIO);
  return Math.ceil(measureBytes / bytesPerToken) + kept <= tokens;
}

/** How long notes are asked to be, in bytes. */
export function notesCapBytes(window: SizingWindow): number {
  const bytes = Math.floor(reserveTokens(window.tokens) * window.bytesPerToken * NOTES_OUTPUT_RATIO);
  return Math.max(LEAST_NOTES_BYTES, bytes);
}
