'use client';

import { useEffect, useState } from 'react';

const stepMs = 1_000;

/** Milliseconds since `since` (ISO), in steps of a second; 0 while there is nothing to count or the clocks disagree. */
export function useElapsed(since: string | null): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (since === null) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), stepMs);
    return () => clearInterval(timer);
  }, [since]);
  const start = since === null ? Number.NaN : Date.parse(since);
  return Number.isNaN(start) ? 0 : Math.max(0, now - start);
}
