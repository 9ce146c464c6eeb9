import type { TrimAction } from '@/server/contract/events/view-events';
import { cutText, splitCut } from '@/server/core/budget/cut-text';
import { utf8Bytes } from '@/server/core/budget/json-bytes';

export interface CutSearch {
  /** The text that is cut. */
  readonly text: string;
  /** Bytes of the measure that the shortened entry may take. */
  readonly targetBytes: number;
  /** The measure of the entry under an action. */
  readonly measure: (action: TrimAction) => number;
  /** The action without its lengths. */
  readonly action: TrimAction;
}

/**
 * The longest cut of a text, two thirds head and one third tail at whole characters, whose entry measures at most
 * `targetBytes`; the empty cut where none does. The lengths recorded are exact, so that the projection never
 * recomputes a decision (B5).
 */
export function findCut({ text, targetBytes, measure, action }: CutSearch): TrimAction {
  // A text's measure is never below its bytes, so a longer cut than the target cannot fit; a whole text is no cut.
  let most = Math.max(0, Math.min(utf8Bytes(text) - 1, targetBytes));
  let best = withCut(action, text, 0);
  let least = 0;
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    const tried = withCut(action, text, middle);
    if (measure(tried) <= targetBytes) {
      least = middle;
      best = tried;
    } else most = middle - 1;
  }
  return best;
}

function withCut(action: TrimAction, text: string, bytes: number): TrimAction {
  const cut = cutText(text, splitCut(bytes));
  return { ...action, headBytes: cut?.headBytes ?? 0, tailBytes: cut?.tailBytes ?? 0 };
}
