import type { Row } from './session-row';

/** Rows whose title holds every word of the query, as typed: what is shown before the server has answered. */
export function titlesWith(rows: readonly Row[], query: string): readonly Row[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => words.every((word) => row.title.toLowerCase().includes(word)));
}

/** The server's results first in their order, with what already stood here behind them, each conversation once. */
export function mergeFound(found: readonly Row[], here: readonly Row[]): readonly Row[] {
  const ids = new Set(found.map((row) => row.id));
  return [...found, ...here.filter((row) => !ids.has(row.id))];
}
