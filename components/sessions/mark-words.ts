/**
 * Where the words of a query stand in a snippet, as half-open ranges in order: whole words, and the beginning of one
 * for the query's last, in any letter case. What the server found by another form, as without an accent, stays plain.
 */
export function markWords(snippet: string, query: string): readonly { readonly from: number; readonly to: number }[] {
  const words = query.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  if (words.length === 0) return [];
  // Words hold letters and digits alone, so nothing in them is a sign of the pattern.
  const wanted = [...new Set(words)].map((word) => (word === words.at(-1) ? word : `${word}(?![\\p{L}\\p{N}])`));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${wanted.join('|')})`, 'giu');
  return [...snippet.matchAll(pattern)].map(({ index, 0: found }) => ({ from: index, to: index + found.length }));
}
