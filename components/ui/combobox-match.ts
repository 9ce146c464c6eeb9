export type MatchRank = 'prefix' | 'word' | 'letters';

export type TextMatch = {
  readonly rank: MatchRank;
  /** Half-open ranges of the text to draw bold. */
  readonly bold: readonly { readonly from: number; readonly to: number }[];
};

const ranks: readonly MatchRank[] = ['prefix', 'word', 'letters'];

function wordStart(text: string, query: string): number {
  for (let at = text.indexOf(query); at !== -1; at = text.indexOf(query, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')) return at;
  }
  return -1;
}

function lettersInOrder(text: string, query: string): TextMatch['bold'] | null {
  const bold: { from: number; to: number }[] = [];
  let at = 0;
  for (const letter of query) {
    const found = text.indexOf(letter, at);
    if (found === -1) return null;
    const last = bold.at(-1);
    if (last && last.to === found) last.to = found + letter.length;
    else bold.push({ from: found, to: found + letter.length });
    at = found + letter.length;
  }
  return bold;
}

/**
 * How a query meets a text: at its start, at the start of a word, or with its letters in order; null when it does not.
 * Case does not matter. An empty query meets everything.
 */
export function matchText(text: string, query: string): TextMatch | null {
  const low = text.toLowerCase();
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return { rank: 'prefix', bold: [] };
  // Lower case can change the length of a text (İ); ranges would then be off, so such a text is matched without bold.
  const sameLength = low.length === text.length;
  const range = (from: number) => (sameLength ? [{ from, to: from + wanted.length }] : []);
  if (low.startsWith(wanted)) return { rank: 'prefix', bold: range(0) };
  const word = wordStart(low, wanted);
  if (word !== -1) return { rank: 'word', bold: range(word) };
  const bold = lettersInOrder(low, wanted);
  return bold === null ? null : { rank: 'letters', bold: sameLength ? bold : [] };
}

export type Ranked<Item> = { readonly item: Item; readonly match: TextMatch };

export type RankOptions<Item> = {
  /** The texts an item answers to; the first is the one drawn, and its match is the one reported. */
  readonly textsOf: (item: Item) => readonly string[];
  /** Place in the list of recently used, 0 the newest; null when not there. Decides ties only. */
  readonly recencyOf?: (item: Item) => number | null;
};

function bestMatch(texts: readonly string[], query: string): TextMatch | null {
  const shown = matchText(texts[0] ?? '', query);
  const others = texts.slice(1).map((text) => matchText(text, query)?.rank);
  const best = ranks.find((rank) => shown?.rank === rank || others.includes(rank));
  if (best === undefined) return null;
  return { rank: best, bold: shown?.bold ?? [] };
}

/** The items that meet the query: prefix first, then word start, then letters in order; recent first on ties, else in their own order. */
export function rankItems<Item>(
  items: readonly Item[],
  query: string,
  options: RankOptions<Item>,
): readonly Ranked<Item>[] {
  const recency = (item: Item) => options.recencyOf?.(item) ?? Number.POSITIVE_INFINITY;
  return items
    .flatMap((item) => {
      const match = bestMatch(options.textsOf(item), query);
      return match ? [{ item, match }] : [];
    })
    .toSorted((a, b) => {
      const byRank = ranks.indexOf(a.match.rank) - ranks.indexOf(b.match.rank);
      if (byRank !== 0) return byRank;
      const left = recency(a.item);
      const right = recency(b.item);
      return left === right ? 0 : left - right;
    });
}
