'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import type { MoreMatches, SessionMatch } from '@/server/contract/search';
import { toMessage } from '../sync/api-client';
import { matchesQuery } from '../sync/queries';
import { Button } from '../ui/button';
import { formatRelative } from '../ui/format-time';
import { MatchedText } from '../ui/matched-text';
import { kindWords } from './found-words';
import { markWords } from './mark-words';
import { hrefOfMatch } from './search-sessions';

export type SessionMatchesProps = {
  readonly sessionId: string;
  readonly title: string;
  /** The newest of them; `more` says how many older ones there are. */
  readonly matches: readonly SessionMatch[];
  readonly more: MoreMatches | null;
  /** What was looked for. */
  readonly query: string;
  readonly now: Date;
  readonly onOpen: (match: SessionMatch) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
};

/** The places in a conversation where the words were found, newest first, each a way to its message (X9). */
export function SessionMatches(props: SessionMatchesProps) {
  const { sessionId, title, matches, more, query, now, onOpen, onKeyDown } = props;
  const list = useRef<HTMLUListElement>(null);
  const rest = useRest({ sessionId, query, more });
  const shown = [...matches, ...rest.matches];
  const focusFrom = useFocusOnNew(list, shown.length);
  const { left } = rest;
  const readMore = () => {
    focusFrom(shown.length);
    rest.read();
  };
  return (
    <ul ref={list} aria-label={`Matches in ${title}`} className="mb-1 ml-5 border-l border-line">
      {shown.map((match, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a list that only grows, and a call may be found more than once.
        <li key={`${match.itemId} ${index}`}>
          <Link
            href={hrefOfMatch(sessionId, match)}
            prefetch={false}
            data-session-match=""
            className="block rounded-control px-2 py-0.5 text-small text-ink-2 hover:bg-code-wash pointer-coarse:py-2"
            onClick={(event) => {
              if (!event.ctrlKey && !event.metaKey && !event.shiftKey) onOpen(match);
            }}
            onKeyDown={onKeyDown}
          >
            <span className="numbers block text-ink-3">
              {kindWords[match.kind]} · {formatRelative(new Date(match.at), now)}
              <span className="sr-only">: </span>
            </span>
            <span className="line-clamp-2 break-words">
              <MatchedText text={match.snippet} bold={markWords(match.snippet, query)} />
            </span>
          </Link>
        </li>
      ))}
      {left > 0 ? (
        <li className="px-2 py-0.5">
          <Button
            look="link"
            size="small"
            data-session-match=""
            aria-label={`And ${left} more in ${title}`}
            aria-disabled={rest.reading}
            onClick={readMore}
            onKeyDown={onKeyDown}
          >
            {rest.reading ? 'Reading…' : `and ${left} more`}
          </Button>
          {rest.problem === null ? null : (
            <p role="alert" className="text-small text-danger">
              {toMessage(rest.problem)}
            </p>
          )}
        </li>
      ) : null}
    </ul>
  );
}

/** The older places, page by page, once they are asked for. */
function useRest({ sessionId, query, more }: Pick<SessionMatchesProps, 'sessionId' | 'query' | 'more'>) {
  const [asked, setAsked] = useState(false);
  const cursor = more?.cursor ?? '';
  const read = useInfiniteQuery({ ...matchesQuery({ sessionId, q: query, cursor }), enabled: asked && cursor !== '' });
  const pages = read.data?.pages ?? [];
  return {
    matches: pages.flatMap((page) => page.matches),
    left: (pages.length === 0 ? more : pages.at(-1)?.more)?.count ?? 0,
    reading: read.isFetching,
    problem: read.isError ? read.error : null,
    read: () => {
      if (read.isFetching) return;
      if (!asked) setAsked(true);
      else if (read.isError && pages.length === 0) void read.refetch();
      else void read.fetchNextPage();
    },
  };
}

/** The focus goes on to the first place that came, since the button that asked for it may be gone. */
function useFocusOnNew(list: React.RefObject<HTMLElement | null>, count: number): (from: number) => void {
  const from = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (from.current === null || count <= from.current) return;
    list.current?.querySelectorAll<HTMLElement>('a[data-session-match]')[from.current]?.focus();
    from.current = null;
  }, [count, list]);
  return (at) => {
    from.current = at;
  };
}
