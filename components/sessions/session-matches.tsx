'use client';

import Link from 'next/link';
import type { KeyboardEvent } from 'react';
import { MatchedText } from '../ui/matched-text';
import { markWords } from './mark-words';
import { hrefOfMatch, type Match } from './search-sessions';

export type SessionMatchesProps = {
  readonly sessionId: string;
  readonly title: string;
  readonly matches: readonly Match[];
  /** What was looked for. */
  readonly query: string;
  readonly onOpen: (match: Match) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
};

/** The places in a conversation where the words were found, each a way to its message. Snippets are text, never markup. */
export function SessionMatches({ sessionId, title, matches, query, onOpen, onKeyDown }: SessionMatchesProps) {
  return (
    <ul aria-label={`Matches in ${title}`} className="mb-1 ml-5 border-l border-line">
      {matches.map((match) => (
        <li key={match.itemId ?? match.snippet}>
          <Link
            href={hrefOfMatch(sessionId, match)}
            prefetch={false}
            data-session-match=""
            className="line-clamp-2 rounded-control px-2 py-0.5 text-small break-words text-ink-2 hover:bg-code-wash pointer-coarse:py-2"
            onClick={(event) => {
              if (!event.ctrlKey && !event.metaKey && !event.shiftKey) onOpen(match);
            }}
            onKeyDown={onKeyDown}
          >
            <MatchedText text={match.snippet} bold={markWords(match.snippet, query)} />
          </Link>
        </li>
      ))}
    </ul>
  );
}
