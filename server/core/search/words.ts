/** A word of a text: where it stands (UTF-16 offsets, half-open), and the form it is looked for in. */
export interface Word {
  readonly from: number;
  readonly to: number;
  readonly folded: string;
}

/** Scripts written without blanks: each character is a word of its own, so that any run of them can be found. */
const UNSPACED = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]`;
const WORD = new RegExp(String.raw`${UNSPACED}|(?:(?!${UNSPACED})[\p{L}\p{N}\p{M}])+`, 'gu');
const ASCII_WORD = /[a-z0-9]+/gi;
const ASCII = /^[\0-\x7f]*$/;
const LATIN_MARKS = /[\u0300-\u036f]/g;

/**
 * The words of a text: runs of letters and digits, whatever stands between them. Letter case, Latin accents and
 * compatibility forms make no difference, so "Café", "CAFE" and "cafe" are one word.
 */
export function* findWords(text: string): Generator<Word> {
  const pattern = ASCII.test(text) ? ASCII_WORD : WORD;
  for (const match of text.matchAll(pattern)) {
    yield { from: match.index, to: match.index + match[0].length, folded: foldWord(match[0]) };
  }
}

/** A text as the index holds it: its folded words with blanks between. */
export function toSearchable(text: string): string {
  return Array.from(findWords(text), ({ folded }) => folded).join(' ');
}

/**
 * What a person looks for: each word of the query as the run of words it is ("run_turn.ts" is three in a row). All of
 * them must occur; the last word of the last one may go on. Nothing in a query is an operator, so none is invalid; a
 * query of signs alone has no words and finds no text.
 */
export function toPhrases(query: string): readonly (readonly string[])[] {
  return query
    .split(/\s+/)
    .map((word) => Array.from(findWords(word), ({ folded }) => folded))
    .filter((words) => words.length > 0);
}

function foldWord(word: string): string {
  if (ASCII.test(word)) return word.toLowerCase();
  return word.normalize('NFKD').replace(LATIN_MARKS, '').normalize('NFC').toLowerCase();
}
