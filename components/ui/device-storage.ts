/** What this device remembers, as text in the browser's local storage. A browser may forbid it; then nothing is stored. */

/** The text under a key; null where there is none, or where storage is forbidden: the defaults hold then. */
export function readStored(key: string): string | null {
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * Listens for changes made in other tabs, and in this one by whoever dispatches the event `changed`. For
 * `useSyncExternalStore`: made once a module, so that its identity stays.
 */
export function subscribeTo(changed: string): (listener: () => void) => () => void {
  return (listener) => {
    window.addEventListener('storage', listener);
    window.addEventListener(changed, listener);
    return () => {
      window.removeEventListener('storage', listener);
      window.removeEventListener(changed, listener);
    };
  };
}
