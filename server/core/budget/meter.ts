import type { Numbers } from './numbers';

export type MeterWord = 'quiet' | 'compact_soon' | 'nearly_full' | 'trim_ahead';

const SOON = 0.7;
const NEARLY_FULL = 0.85;
const TRIM_AHEAD = 0.95;

export interface Meter {
  /** Floor and conversation. */
  readonly usedBytes: number;
  /** Used of budget, a part of one; more than one while the floor alone does not fit. */
  readonly share: number;
  /** Where the automatic threshold stands on the bar, a part of one. */
  readonly tick: number;
  readonly word: MeterWord;
}

/**
 * The context meter (`contract.md` 7). The bar shows used of budget; the words go by conversation of room, because
 * only the conversation can be compacted. `trim_ahead` is said only where automatic compaction is off.
 */
export function planMeter(numbers: Numbers, conversationBytes: number, autoCompaction: boolean): Meter {
  const usedBytes = numbers.floorBytes + conversationBytes;
  const filled = conversationBytes / Math.max(1, numbers.roomBytes);
  return {
    usedBytes,
    share: usedBytes / numbers.budgetBytes,
    tick: (numbers.floorBytes + numbers.triggerBytes) / numbers.budgetBytes,
    word: toWord(filled, autoCompaction),
  };
}

function toWord(filled: number, autoCompaction: boolean): MeterWord {
  if (filled >= TRIM_AHEAD && !autoCompaction) return 'trim_ahead';
  if (filled >= NEARLY_FULL) return 'nearly_full';
  return filled >= SOON ? 'compact_soon' : 'quiet';
}
