import type { InfiniteData } from '@tanstack/react-query';
import type { ListSessionsAnswer, SessionSummary } from '@/server/contract/session';

export type SessionFilter = {
  readonly q?: string;
  readonly agent?: string;
  readonly archived?: boolean;
  readonly behind?: boolean;
  readonly hasSummary?: boolean;
};

export type SessionPages = InfiniteData<ListSessionsAnswer, string | null>;

/** Whether a conversation belongs into a list. A text filter is the server's to judge: null, the list must be read again. */
export function belongs(session: SessionSummary, filter: SessionFilter): boolean | null {
  if (session.deletedAt !== null || session.archived !== (filter.archived ?? false)) return false;
  if (filter.agent !== undefined && session.agentId !== filter.agent) return false;
  if (filter.behind && !session.behind) return false;
  if (filter.hasSummary && session.summaries === 0) return false;
  return filter.q ? null : true;
}

/**
 * The pages of a list after one `session.updated`: changed in place, taken out, or put in front when it is new. An event
 * older than what the list holds changes nothing, so late and repeated events are harmless. Null when only the server can say.
 */
export function patchSessionPages(
  pages: SessionPages,
  session: SessionSummary,
  filter: SessionFilter,
): SessionPages | null {
  const held = pages.pages.flatMap((page) => page.sessions).find((row) => row.id === session.id);
  if (held && held.headSeq > session.headSeq) return pages;
  const wanted = belongs(session, filter);
  if (wanted === null && !held) return null;
  if (wanted === false) return held ? mapRows(pages, (row) => (row.id === session.id ? [] : [row])) : pages;
  if (held) return mapRows(pages, (row) => (row.id === session.id ? [{ ...row, ...session }] : [row]));
  const [first, ...rest] = pages.pages;
  if (!first) return null;
  return { ...pages, pages: [{ ...first, sessions: [session, ...first.sessions] }, ...rest] };
}

type Row = ListSessionsAnswer['sessions'][number];

function mapRows(pages: SessionPages, map: (row: Row) => readonly Row[]): SessionPages {
  return {
    ...pages,
    pages: pages.pages.map((page) => ({ ...page, sessions: page.sessions.flatMap((row) => [...map(row)]) })),
  };
}
