'use client';

import { usePathname } from 'next/navigation';
import { useCallback, useEffect, useRef } from 'react';

/** Where one writes on this page; null where nothing can be written. */
export function findComposerField(): HTMLElement | null {
  return document.querySelector<HTMLElement>('#composer [data-region-focus]');
}

/** Whether the focus lies nowhere a person put it: what held it went away with the page before. */
function isFocusLost(): boolean {
  const active = document.activeElement;
  return active === null || active === document.body || active.id === 'main';
}

/**
 * Puts the focus into the composer as soon as the page has one, which is when the conversation has been read. Gives up when
 * the focus was put anywhere else meanwhile. Answers how to stop waiting.
 */
export function focusComposerOnceThere(): () => void {
  const observer = new MutationObserver(() => look());
  const look = () => {
    const field = findComposerField();
    if (field && isFocusLost()) field.focus();
    if (field || !isFocusLost()) observer.disconnect();
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
