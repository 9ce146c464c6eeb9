import type { Cut } from '@/server/contract/shapes';
import { utf8Bytes } from './json-bytes';

/** A text of which the middle is left out. Bytes are of UTF-8; `headBytes` and `tailBytes` are exact. */
export interface CutText {
  readonly head: string;
  readonly tail: string;
  readonly headBytes: number;
  readonly tailBytes: number;
  readonly leftOutBytes: number;
  readonly totalBytes: number;
}

/**
 * Keeps at most `headBytes` from the start and `tailBytes` from the end, ending at whole characters (B5, case-B07):
 * a character that straddles the border is left out, lone surrogates come back as U+FFFD. Null when both together
 * hold the whole text, so nothing is ever marked as cut that is not. Cutting again at the lengths of a cut gives the
 * same cut.
 */
export function cutText(text: string, cut: Cut): CutText | null {
  const totalBytes = utf8Bytes(text);
  if (cut.headBytes + cut.tailBytes >= totalBytes) return null;
  const bytes = Buffer.from(text, 'utf8');
  const headEnd = toBorderBefore(bytes, cut.headBytes);
  const tailStart = toBorderAfter(bytes, totalBytes - cut.tailBytes);
  return {
    head: bytes.toString('utf8', 0, headEnd),
    tail: bytes.toString('utf8', tailStart),
    headBytes: headEnd,
    tailBytes: totalBytes - tailStart,
    leftOutBytes: tailStart - headEnd,
    totalBytes,
  };
}

/** Two thirds head, one third tail (`contract.md` 7). */
export function splitCut(bytes: number): Cut {
  const whole = Math.max(0, Math.floor(bytes));
  return { headBytes: Math.floor((whole * 2) / 3), tailBytes: Math.floor(whole / 3) };
}

/** The cut of a text that is longer than `capBytes`, with its exact lengths; null where the text fits. */
export function cutAtCap(text: string, capBytes: number): Cut | null {
  if (utf8Bytes(text) <= capBytes) return null;
  const cut = cutText(text, splitCut(capBytes));
  return cut === null ? null : { headBytes: cut.headBytes, tailBytes: cut.tailBytes };
}

/** A byte of the form 10xxxxxx continues a character. */
function isInside(bytes: Buffer, at: number): boolean {
  return at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80;
}

function toBorderBefore(bytes: Buffer, at: number): number {
  let border = at;
  while (border > 0 && isInside(bytes, border)) border -= 1;
  return border;
}

function toBorderAfter(bytes: Buffer, at: number): number {
  let border = at;
  while (isInside(bytes, border)) border += 1;
  return border;
}
