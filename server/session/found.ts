import { AppError } from '@/server/contract/error';
import type { ItemPlace, SessionMatchesAnswer, SessionMatchesQuery } from '@/server/contract/search';
import { kindOf, toFindable } from '@/server/core/projection/search-texts';
import { cutSnippet } from '@/server/core/search/cut-snippet';
import { findPlace } from '@/server/core/travel/find-place';
import type { SearchIndex } from '@/server/ports/search-index';
import type { SessionIndex } from '@/server/ports/session-index';
import type { SessionWriter } from './append-events';
import { moreAfter, toMatch } from './search-sessions';

export interface FoundDeps {
  readonly writer: Pick<SessionWriter, 'load'>;
  readonly index: SessionIndex;
  readonly search: SearchIndex;
}

/** What was found inside one conversation, and the way there (X9). Throws `not_found` for what is not there or was deleted. */
export interface FoundUse {
  /** All places with these words, newest first, page by page. `storage_failed` where the full-text index is not there. */
  matches(sessionId: string, query: SessionMatchesQuery): Promise<SessionMatchesAnswer>;
  place(sessionId: string, itemId: string): Promise<ItemPlace>;
}

/** Over the index of texts; places are read from the log itself. */
export function createFound({ writer, index, search }: FoundDeps): FoundUse {
  return {
    matches: async (sessionId, { q, cursor, limit }) => {
      const known = index.get(sessionId);
      if (known === null || known.deleted) throw new AppError('not_found', 'There is no such conversation.');
      const before = cursor === undefined ? {} : { before: Number(cursor) };
      const found = await search.matches(q, { sessionIds: [sessionId], each: limit, ...before });
      return { matches: found.map(toMatch), more: moreAfter(found) };
    },
    place: async (sessionId, itemId) => {
      const { log, session } = await writer.load(sessionId);
      const found = findPlace(log, session.branch, itemId);
      if (found === null) throw new AppError('not_found', 'There is no such message in this conversation.');
      const { event, onPath, tip } = found;
      return { itemId, kind: kindOf(event), at: event.at, snippet: cutSnippet(toFindable(event), []), onPath, tip };
    },
  };
}
