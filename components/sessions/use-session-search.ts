'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useState } from 'react';
import type { SessionFilter } from '../sync/patch-session-pages';
import { sessionsQuery } from '../sync/queries';
import { useSpeak } from '../ui/live-region';
import { useDebounced } from '../ui/use-debounced';
import { hrefOfFirst, mergeFound, titlesWith } from './search-sessions';

/** Typing rests this long before the server is asked. Milliseconds. */
const searchAfterMs = 250;

/** Titles at once, and what the server found once typing rests (ux 4). `searching`: its answer is still to come. */
export function useSessionSearch(text: string, filter: SessionFilter, open: (href: string) => void) {
  const typed = useDeferredValue(text.trim());
  const q = useDebounced(text.trim(), searchAfterMs);
  const all = useInfiniteQuery(sessionsQuery(filter));
  // What was said since the last time these words were looked for is to be found too.
  const search = useInfiniteQuery({ ...sessionsQuery({ ...filter, q }), enabled: q !== '', staleTime: 0 });
  const here = all.data?.pages.flatMap((page) => page.sessions) ?? [];
  const answered = typed !== '' && q === typed && !search.isPlaceholderData && search.isSuccess;
  const found = answered ? search.data.pages.flatMap((page) => page.sessions) : [];
  const rows = typed === '' ? here : mergeFound(found, titlesWith(here, typed));
  const failed = typed === '' ? all.isError : q === typed && search.isError;
  const list = typed === '' ? all : search;
  useSpokenCount(answered ? rows.length : null);
  const openFirst = useOpenFirst(hrefOfFirst(rows, typed), { typed, settled: answered || failed }, open);
  return { typed, rows, list, failed, searching: typed !== '' && !answered && !failed, openFirst };
}

function useSpokenCount(count: number | null): void {
  const speak = useSpeak();
  useEffect(() => {
    if (count === null) return;
    speak(count === 0 ? 'Nothing found' : count === 1 ? '1 conversation found' : `${count} conversations found`);
  }, [count, speak]);
}

type Asked = { readonly typed: string; readonly settled: boolean };

/** Enter opens the first result; pressed before there is one, it opens the first of the answer to just these words. */
function useOpenFirst(first: string | null, { typed, settled }: Asked, open: (href: string) => void): () => void {
  const [waitsFor, setWaitsFor] = useState<string | null>(null);
  useEffect(() => {
    if (waitsFor === null) return;
    if (waitsFor === typed && first !== null) open(first);
    if (waitsFor !== typed || first !== null || settled) setWaitsFor(null);
  }, [waitsFor, typed, first, settled, open]);
  return () => {
    if (first !== null) open(first);
    else if (typed !== '') setWaitsFor(typed);
  };
}
