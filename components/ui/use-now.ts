'use client';

import { useSyncExternalStore } from 'react';

const stepMs = 30_000;

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, stepMs);
  return () => clearInterval(timer);
}

const read = () => Math.floor(Date.now() / stepMs) * stepMs;

/** The time in steps of half a minute, the same for every row of a list. Null on the server, whose clock and zone are not the reader's. */
export function useNow(): Date | null {
  const now = useSyncExternalStore(subscribe, read, () => null);
  return now === null ? null : new Date(now + stepMs);
}
