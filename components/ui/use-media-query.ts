'use client';

import { useCallback, useSyncExternalStore } from 'react';

/** Below this the Sessions rail is a drawer and the Desk a bottom sheet; the same number stands in tokens.css. */
export const narrowQuery = '(max-width: 56.24rem)';

/** Follows a media query; on the server the page is taken to be wide, and CSS alone decides what is seen. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia?.(query);
      list?.addEventListener('change', listener);
      return () => list?.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia?.(query).matches ?? false,
    () => false,
  );
}
