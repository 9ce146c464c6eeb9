import type { SessionMatch } from '@/server/contract/search';
import type { ListSessionsAnswer } from '@/server/contract/session';

type Row = ListSessionsAnswer['sessions'][number];

/** Rows whose title holds every word of the query, as typed: what is shown before the server has answered. */
export function titlesWith<R extends Pick<Row, 'title'>>(rows: readonly R[], query: string): readonly R[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => words.every((word) => row.title.toLowerCase().includes(word)));
}

/** The server's results first in their order, with what already stood here behind them, each conversation once. */
export function mergeFound(found: readonly Row[], here: readonly Row[]): readonly Row[] {
  const ids = new Set(found.map((row) => row.id));
  return [...found, ...here.filter((row) => !ids.has(row.id))];
}

/** The address of the message, which is scrolled to and marked there (ux 3). */
export function hrefOfMatch(sessionId: string, { itemId }: Pick<SessionMatch, 'itemId'>): string {
  return itemId === null ? `/c/${sessionId}` : `/c/${sessionId}?m=${itemId}`;
}

/** Where Enter leads: the first row, at its first match unless it was found by its title. */
export function hrefOfFirst(rows: readonly Row[], query: string): string | null {
  const [first] = rows;
  if (!first) return null;
  const [match] = titlesWith([first], query).length > 0 ? [] : (first.matches ?? []);
  return match ? hrefOfMatch(first.id, match) : `/c/${first.id}`;
}
