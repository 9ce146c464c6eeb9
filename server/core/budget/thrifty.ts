import { ASSUMED_BYTES_A_TOKEN } from './calibrate';
import { THRIFTY_TAIL_BYTES, THRIFTY_TAIL_ITEMS } from './numbers';

/** Prices relative to one plain input token, where the real ones are unknown (`contract.md` 7). */
export const ASSUMED_PRICES: Prices = { read: 0.1, write: 1.25, output: 5 };

/** Price of a token read from the cache, written to it, and put out; any one unit. */
export interface Prices {
  readonly read: number;
  readonly write: number;
  readonly output: number;
}

export interface ThriftyInput {
  /** System prompt and tools, in bytes. */
  readonly systemBytes: number;
  /** The view right after a cut, system included, in bytes. */
  readonly afterCutBytes: number;
  /** What a model call adds to the view on average, in bytes. */
  readonly newBytesPerCall: number;
  readonly summaryBytes: number;
  readonly bytesPerToken: number | null;
  readonly prices: Prices | null;
}

/**
 * The cost-optimal trigger h* = l + √((2D/r)(w(l−S) + r·l + 5s)) of `performance.md` D, in bytes: the bill is set by
 * how large a context is carried, so a cut pays for itself earlier than the window demands (C15). `output` stands
 * where the formula has 5.
 */
export function planThriftyTrigger(input: ThriftyInput): number {
  const ratio = input.bytesPerToken ?? ASSUMED_BYTES_A_TOKEN;
  const { read, write, output } = input.prices ?? ASSUMED_PRICES;
  const l = input.afterCutBytes / ratio;
  const system = input.systemBytes / ratio;
  const added = input.newBytesPerCall / ratio;
  const summary = input.summaryBytes / ratio;
  const perCut = write * Math.max(0, l - system) + read * l + output * summary;
  if (read <= 0) return Math.floor(l * ratio);
  return Math.floor((l + Math.sqrt(((2 * added) / read) * perCut)) * ratio);
}

export interface ThriftyConversation {
  /** Bytes of each item as the view shows it, in path order, and whether it is a reply of the model. */
  readonly items: readonly { readonly viewBytes: number; readonly isReply: boolean }[];
  /** Prompt and tools. */
  readonly systemBytes: number;
  /** Floor and room as `planNumbers` has them. */
  readonly floorBytes: number;
  readonly roomBytes: number;
  /** Bytes of the newest summary as installed; null before the first. */
  readonly summaryBytes: number | null;
  readonly bytesPerToken: number | null;
  readonly prices: Prices | null;
}

/** A summary of ordinary length, about 1,500 tokens. */
const ORDINARY_SUMMARY_BYTES = 3_000;
/** How far back the growth of a conversation is looked at: newer calls say more about the next. */
const LOOK_BACK_ITEMS = 200;

/** h* of a conversation as it has grown so far; null before a model has said anything: then *roomy* holds. */
export function estimateThriftyTrigger(input: ThriftyConversation): number | null {
  const recent = input.items.slice(-LOOK_BACK_ITEMS);
  const calls = recent.filter((item) => item.isReply).length;
  if (calls === 0) return null;
  const sum = (items: ThriftyConversation['items']) => items.reduce((total, item) => total + item.viewBytes, 0);
  const summaryBytes = input.summaryBytes ?? ORDINARY_SUMMARY_BYTES;
  const tail = Math.max(THRIFTY_TAIL_BYTES, sum(recent.slice(-THRIFTY_TAIL_ITEMS)));
  const afterCutBytes = input.floorBytes + Math.min(summaryBytes + tail, Math.max(0, input.roomBytes));
  return planThriftyTrigger({ ...input, summaryBytes, afterCutBytes, newBytesPerCall: sum(recent) / calls });
}
