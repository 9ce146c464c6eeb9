'use client';

import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { z } from 'zod';

const storageKey = 'tidemark.seen';
const changed = 'tidemark:seen';
const maxRemembered = 500;

/** `since`: when this device was first used; replies from before are not news to it. */
const seenSchema = z.object({ since: z.string(), sessions: z.record(z.string(), z.string()) });
type Seen = z.infer<typeof seenSchema>;

function subscribe(listener: () => void): () => void {
  window.addEventListener('storage', listener);
  window.addEventListener(changed, listener);
  return () => {
    window.removeEventListener('storage', listener);
    window.removeEventListener(changed, listener);
  };
}

function readStored(): string | null {
  try {
    return window.localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

function parseSeen(stored: string | null): Seen | null {
  try {
    return stored === null ? null : seenSchema.parse(JSON.parse(stored));
  } catch {
    return null;
  }
}

/** Which replies this device has shown, across its tabs. Without storage nothing is ever called new. */
export function useSeen() {
  const stored = useSyncExternalStore(subscribe, readStored, () => null);
  const seen = useMemo(() => parseSeen(stored), [stored]);
  const seenAt = useCallback(
    (sessionId: string): string | null => {
      const own = seen?.sessions[sessionId];
      return own !== undefined && seen !== null && own > seen.since ? own : (seen?.since ?? null);
    },
    [seen],
  );
  const markSeen = useCallback((sessionId: string, at: string) => {
    const before = parseSeen(readStored()) ?? { since: at, sessions: {} };
    const { [sessionId]: own = '', ...others } = before.sessions;
    if (own >= at) return;
    const sessions = Object.fromEntries([...Object.entries(others).slice(1 - maxRemembered), [sessionId, at]]);
    try {
      window.localStorage.setItem(storageKey, JSON.stringify({ ...before, sessions }));
    } catch {
      return;
    }
    window.dispatchEvent(new Event(changed));
  }, []);
  return { seenAt, markSeen };
}
