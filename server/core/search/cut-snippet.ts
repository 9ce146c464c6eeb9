import { findWords, type Word } from './words';

/** UTF-16 units shown before the first match, and in all. */
const BEFORE = 32;
const LENGTH = 160;

/**
 * A short stretch of a text around the first place where one of the phrases occurs, the longest phrase first; its
 * head where none does. One line of plain text, whole characters, an ellipsis where something was left out.
 */
export function cutSnippet(text: string, phrases: readonly (readonly string[])[]): string {
  const words = [...findWords(text)];
  const at = firstMatch(words, phrases) ?? 0;
  const from = at <= BEFORE ? 0 : toWordStart(words, at);
  const to = Math.min(text.length, from + LENGTH);
  const shown = text.slice(toBorder(text, from), toBorder(text, to)).replace(/\s+/g, ' ').trim();
  return `${from > 0 ? '…' : ''}${shown}${to < text.length ? '…' : ''}`;
}

function firstMatch(words: readonly Word[], phrases: readonly (readonly string[])[]): number | null {
  const last = phrases.at(-1);
  const longestFirst = [...phrases].sort((a, b) => b.join('').length - a.join('').length);
  for (const phrase of longestFirst) {
    const found = words.find((_, at) => occursAt(words, at, { phrase, isPrefix: phrase === last }));
    if (found) return found.from;
  }
  return null;
}

interface Sought {
  readonly phrase: readonly string[];
  /** Its last word may go on. */
  readonly isPrefix: boolean;
}

function occursAt(words: readonly Word[], at: number, { phrase, isPrefix }: Sought): boolean {
  return phrase.every((wanted, step) => {
    const { folded } = words[at + step] ?? { folded: '' };
    return isPrefix && step === phrase.length - 1 ? folded.startsWith(wanted) : folded === wanted;
  });
}

/** Where the first word begins that stands at most `BEFORE` in front of the match. */
function toWordStart(words: readonly Word[], at: number): number {
  return words.find(({ from }) => from >= at - BEFORE)?.from ?? at;
}

/** Not inside a surrogate pair. */
function toBorder(text: string, at: number): number {
  const isLow = (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  return isLow && at > 0 ? at - 1 : at;
}
