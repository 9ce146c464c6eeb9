'use client';

import { useCallback, useEffect, useRef } from 'react';
import { isFocusLost } from '../ui/is-focus-lost';

/** The link of a row; null where it is not in the list. */
export function findRowLink(id: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-session-link="${CSS.escape(id)}"]`);
}

/** The row after this one, else before it: where the focus goes when it leaves. */
export function findNeighbour(id: string): string | null {
  const ids = [...document.querySelectorAll<HTMLElement>('[data-session-link]')].map(
    (link) => link.dataset.sessionLink,
  );
  const at = ids.indexOf(id);
  return ids[at + 1] ?? ids[at - 1] ?? null;
}

/**
 * Keeps the focus in the list when rows are drawn in another place or leave (ux 4): asked for before a change, it puts the focus
 * on that row as soon as it would be lost. A row that comes back by an undo gets it too. `leaving`: rows that were taken out and
 * can still come back.
 */
export function useRowFocus(leaving: ReadonlySet<string>): (id: string | null) => void {
  const wanted = useRef<string | null>(null);
  const left = useRef(leaving);
  useEffect(() => {
    const forget = () => {
      wanted.current = null;
    };
    document.addEventListener('pointerdown', forget);
    return () => document.removeEventListener('pointerdown', forget);
  }, []);
  // After every drawing of the list.
  useEffect(() => {
    const back = [...left.current].find((id) => !leaving.has(id) && findRowLink(id) !== null);
    left.current = leaving;
    if (back !== undefined) wanted.current = back;
    if (wanted.current === null || !isFocusLost()) return;
    const link = findRowLink(wanted.current) ?? document.querySelector<HTMLElement>('[data-session-filter]');
    wanted.current = null;
    link?.focus();
  });
  return useCallback((id) => {
    wanted.current = id ?? '';
  }, []);
}
