'use client';

import { usePathname } from 'next/navigation';
import { useCallback, useEffect, useRef } from 'react';
import { isFocusLost } from '../ui/is-focus-lost';

/** Where one writes on this page; null where nothing can be written. */
export function findComposerField(): HTMLElement | null {
  return document.querySelector<HTMLElement>('#composer [data-region-focus]');
}

/** Whether what held the focus went away with the page before; a page that opens gives it to its main part. */
const isFree = () => isFocusLost() || document.activeElement?.id === 'main';

/**
 * Puts the focus into the composer as soon as the page has one, which is when the conversation has been read. Gives up when
 * the focus was put anywhere else meanwhile. Answers how to stop waiting.
 */
export function focusComposerOnceThere(): () => void {
  const observer = new MutationObserver(() => look());
  const look = () => {
    const field = findComposerField();
    if (field && isFree()) field.focus();
    if (field || !isFree()) observer.disconnect();
  };
  observer.observe(document.body, { childList: true, subtree: true });
  look();
  return () => observer.disconnect();
}

/** Answers what to call before going to a page whose composer shall have the focus, with that page's path. */
export function useComposerArrival(): (path: string) => void {
  const pathname = usePathname();
  const expected = useRef<string | null>(null);
  useEffect(() => {
    if (expected.current !== pathname) return;
    expected.current = null;
    return focusComposerOnceThere();
  }, [pathname]);
  return useCallback((path) => {
    expected.current = path;
  }, []);
}
