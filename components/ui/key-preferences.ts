'use client';

import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { z } from 'zod';
import { readStored, subscribeTo } from './device-storage';
import { type CommandId, isCommandId } from './keyboard-catalogue';

/** A person's own bindings on this device. */
export type KeyPreferences = {
  readonly singleLetters: boolean;
  readonly bindings: Readonly<Partial<Record<CommandId, readonly string[]>>>;
};

export const noKeyPreferences: KeyPreferences = { singleLetters: true, bindings: {} };

const storageKey = 'tidemark.keys';
const storedSchema = z.object({
  singleLetters: z.boolean(),
  bindings: z.record(z.string(), z.array(z.string().min(1).max(40)).max(4)),
});

/** Reads what was stored; anything unreadable counts as nothing stored, because keys must always work. */
export function parseKeyPreferences(stored: string | null): KeyPreferences {
  if (stored === null) return noKeyPreferences;
  try {
    const parsed = storedSchema.parse(JSON.parse(stored));
    const bindings = Object.fromEntries(Object.entries(parsed.bindings).filter(([id]) => isCommandId(id)));
    return { singleLetters: parsed.singleLetters, bindings };
  } catch {
    return noKeyPreferences;
  }
}

const changed = 'tidemark:keys';

const subscribe = subscribeTo(changed);

/** The bindings of this device, followed across its tabs. */
export function useKeyPreferences() {
  const stored = useSyncExternalStore(
    subscribe,
    () => readStored(storageKey),
    () => null,
  );
  const setPreferences = useCallback((next: KeyPreferences) => {
    try {
      window.localStorage.setItem(storageKey, JSON.stringify(next));
    } catch {
      return;
    }
    window.dispatchEvent(new Event(changed));
  }, []);
  const preferences = useMemo(() => parseKeyPreferences(stored), [stored]);
  return { preferences, setPreferences };
}
