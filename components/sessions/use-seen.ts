'use client';

import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { z } from 'zod';
import { readStored, subscribeTo } from '../ui/device-storage';

const storageKey = 'tidemark.seen';
const changed = 'tidemark:seen';
const maxRemembered = 500;

/** `since`: when this device was first used; replies from before are not news to it. */
const seenSchema = z.object({ since: z.string(), sessions: z.record(z.string(), z.string()) });
type Seen = z.infer<typeof seenSchema>;

const subscribe = subscribeTo(changed);

function parseSeen(stored: string | null): Seen | null {
  try {
    return stored === null ? null : seenSchema.parse(JSON.parse(stored));
  } catch {
    return null;
  }
}

/** Which replies this device has shown, across its tabs. Without storage nothing is ever called new. */
export function useSeen() {
  const stored = useSyncExternalStore(
    subscribe,
    () => readStored(storageKey),
    () => null,
  );
  const seen = useMemo(() => parseSeen(stored), [stored]);
  const seenAt = useCallback(
    (sessionId: string): string | null => {
      const own = seen?.sessions[sessionId];
      return own !== undefined && seen !== null && own > seen.since ? own : (seen?.since ?? null);
    },
    [seen],
  );
  const markSeen = useCallback((sessionId: string, at: string) => {
    const before = parseSeen(readStored(storageKey)) ?? { since: at, sessions: {} };
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
