import type { MoreMatches, SessionMatch } from '@/server/contract/search';
import type { ListSessionsAnswer, ListSessionsQuery } from '@/server/contract/session';
import type { SearchIndex, SearchMatch } from '@/server/ports/search-index';
import type { SessionIndex } from '@/server/ports/session-index';
import { summaryOf } from './session-summary';

export interface SearchDeps {
  readonly index: SessionIndex;
  readonly search: SearchIndex;
  readonly report: (line: string) => void;
}

/** Matches told of one conversation. */
const EACH = 3;

/** A page of the list; `q` by titles alone, and those `found` elsewhere. */
export function listSessions(
  index: SessionIndex,
  query: ListSessionsQuery,
  found: readonly string[] = [],
): ListSessionsAnswer {
  const page = index.list({
    limit: query.limit,
    archived: query.archived === 'true',
    found,
    ...(query.q === undefined ? {} : { q: query.q }),
    ...(query.agent === undefined ? {} : { agentId: query.agent }),
    ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
  });
  const rows = page.sessions.flatMap((session) => summaryOf(session) ?? []);
  const kept = rows.filter((row) => isAs(query.behind, row.behind) && isAs(query.hasSummary, row.summaries > 0));
  return { sessions: kept, nextCursor: page.nextCursor };
}

const isAs = (wanted: 'true' | 'false' | undefined, is: boolean) => wanted === undefined || (wanted === 'true') === is;

/**
 * The list with a text looked for in all that is said, newest conversation first (X9, `contract.md` 17). Without the
 * full-text index titles are still found: it is derived, and its trouble is not the reader's.
 */
export async function searchSessions(deps: SearchDeps, query: ListSessionsQuery): Promise<ListSessionsAnswer> {
  const q = query.q?.trim() ?? '';
  if (q === '') return listSessions(deps.index, query);
  try {
    const page = listSessions(deps.index, query, await deps.search.find(q));
    const sessionIds = page.sessions.map(({ id }) => id);
    const matches = await deps.search.matches(q, { sessionIds, each: EACH });
    const of = (id: string) => {
      const own = matches.filter(({ sessionId }) => sessionId === id);
      return { matches: own.map(toMatch), moreMatches: moreAfter(own) };
    };
    return { ...page, sessions: page.sessions.map((row) => ({ ...row, ...of(row.id) })) };
  } catch (error) {
    deps.report(`full-text search gave no answer: ${error instanceof Error ? error.message : String(error)}`);
    return listSessions(deps.index, query);
  }
}

/** A match as the API tells it. */
export const toMatch = ({ itemId, kind, at, snippet }: SearchMatch): SessionMatch => ({ itemId, kind, at, snippet });

/** What is beyond the matches of one conversation that were told; null: nothing. */
export function moreAfter(told: readonly SearchMatch[]): MoreMatches | null {
  const last = told.at(-1);
  return last === undefined || last.left < 2 ? null : { count: last.left - 1, cursor: String(last.point) };
}
