export type Word = { readonly text: string; readonly changed: boolean };

const tooManyWords = 400;

function toWords(text: string): readonly string[] {
  return text.match(/\s+|[\p{L}\p{N}_]+(?:[.,:][\p{L}\p{N}_]+)*|[^\s\p{L}\p{N}_]/gu) ?? [];
}

/** Longest common run of words, as a table of lengths from each pair of places to the ends. */
function commonLengths(before: readonly string[], after: readonly string[]): readonly (readonly number[])[] {
  const table = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  for (let i = before.length - 1; i >= 0; i -= 1) {
    const row = table[i] ?? [];
    const below = table[i + 1] ?? [];
    for (let j = after.length - 1; j >= 0; j -= 1) {
      row[j] = before[i] === after[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return table;
}

/** Neighbours of one kind become one piece; a blank between two changed words belongs to the change. */
function join(words: readonly Word[]): readonly Word[] {
  const bridged = words.map((word, index) => {
    const between = word.text.trim() === '' && words[index - 1]?.changed && words[index + 1]?.changed;
    return between ? { ...word, changed: true } : word;
  });
  const joined: Word[] = [];
  for (const word of bridged) {
    const last = joined.at(-1);
    if (last && last.changed === word.changed) joined[joined.length - 1] = { ...last, text: last.text + word.text };
    else joined.push(word);
  }
  return joined;
}

export type WordDiff = { readonly before: readonly Word[]; readonly after: readonly Word[] };

/**
 * The words that differ between a removed line and the added one in its place. Joining the texts of a side gives the line
 * back. Lines too long to compare word by word, or with nothing in common, are wholly changed.
 */
export function diffWords(beforeText: string, afterText: string): WordDiff {
  const before = toWords(beforeText);
  const after = toWords(afterText);
  const whole = { before: [{ text: beforeText, changed: true }], after: [{ text: afterText, changed: true }] };
  if (before.length > tooManyWords || after.length > tooManyWords) return whole;
  const table = commonLengths(before, after);
  const sides: { before: Word[]; after: Word[] } = { before: [], after: [] };
  let shared = 0;
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    const left = before[i];
    const right = after[j];
    if (left !== undefined && left === right) {
      sides.before.push({ text: left, changed: false });
      sides.after.push({ text: right, changed: false });
      if (/[\p{L}\p{N}]/u.test(left)) shared += 1;
      i += 1;
      j += 1;
    } else if (left !== undefined && (right === undefined || (table[i + 1]?.[j] ?? 0) >= (table[i]?.[j + 1] ?? 0))) {
      sides.before.push({ text: left, changed: true });
      i += 1;
    } else if (right !== undefined) {
      sides.after.push({ text: right, changed: true });
      j += 1;
    }
  }
  return shared === 0 ? whole : { before: join(sides.before), after: join(sides.after) };
}
