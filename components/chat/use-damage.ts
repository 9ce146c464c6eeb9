'use client';

import { useMemo, useState } from 'react';
import type { Session } from '@/server/contract/session';
import { type Damage, findUntold, keepTold } from './damage-words';

/** Null where the browser forbids it. */
function deviceStore(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

/** Damage of the conversation's log that is still to be said, and what closing the note does. */
export function useDamage({ id, damage }: Pick<Session, 'id' | 'damage'>): {
  readonly untold: readonly Damage[];
  readonly close: () => void;
} {
  // Beside what the device keeps, for where it keeps nothing.
  const [closed, setClosed] = useState({ id: '', count: 0 });
  const untold = useMemo(
    () => (closed.id === id && closed.count === damage.length ? [] : findUntold(deviceStore(), id, damage)),
    [closed, id, damage],
  );
  const close = () => {
    keepTold(deviceStore(), id, damage);
    setClosed({ id, count: damage.length });
  };
  return { untold, close };
}
