'use client';

import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { isSingleLetter, type KeyPress, matchesChord, type Platform, parseChord } from './chord';
import { type KeyPreferences, noKeyPreferences, useKeyPreferences } from './key-preferences';
import { type CommandId, defaultKeys, keyboardCatalogue } from './keyboard-catalogue';

type Handler = (event: KeyboardEvent) => void;
type Registered = { readonly id: CommandId; readonly handler: { current: Handler }; readonly inDialog: boolean };

export type Keyboard = {
  readonly platform: Platform;
  readonly preferences: KeyPreferences;
  readonly keysOf: (id: CommandId) => readonly string[];
  /** The first of `ids` whose chord this press is, by the bindings in force; null when none. For handlers on an element. */
  readonly match: (press: KeyPress, ids: readonly CommandId[]) => CommandId | null;
  readonly register: (entry: Registered) => () => void;
};

function keysInForce(preferences: KeyPreferences, id: CommandId): readonly string[] {
  const keys = preferences.bindings[id] ?? defaultKeys(id);
  return preferences.singleLetters ? keys : keys.filter((key) => !isSingleLetter(parseChord(key)));
}

function makeKeyboard(platform: Platform, preferences: KeyPreferences, register: Keyboard['register']): Keyboard {
  const keysOf = (id: CommandId) => keysInForce(preferences, id);
  const match = (press: KeyPress, ids: readonly CommandId[]) =>
    ids.find((id) => keysOf(id).some((key) => matchesChord(press, parseChord(key), platform))) ?? null;
  return { platform, preferences, keysOf, match, register };
}

const KeyboardContext = createContext<Keyboard>(makeKeyboard('other', noKeyPreferences, () => () => undefined));

/** True where typing lands: letters belong to the text there, whatever they are bound to. */
export function isTextField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true;
  return (
    target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit', 'range'].includes(target.type)
  );
}

function mayFire(entry: Registered, press: KeyboardEvent, keyboard: Keyboard): boolean {
  if (!entry.inDialog && document.querySelector('.dialog') !== null) return false;
  const hit = keyboard.keysOf(entry.id).find((key) => matchesChord(press, parseChord(key), keyboard.platform));
  if (hit === undefined) return false;
  const typing = isTextField(press.target);
  return !(typing && (keyboardCatalogue[entry.id].scope === 'no field' || isSingleLetter(parseChord(hit))));
}

const subscribeNever = () => () => undefined;
const readPlatform = (): Platform => (/mac|iphone|ipad/i.test(navigator.platform) ? 'apple' : 'other');
const serverPlatform = (): Platform => 'other';

/** One listener for the whole page. The newest registration of a chord wins; a composing input method is never disturbed. */
export function KeyboardProvider({ children }: { readonly children: ReactNode }) {
  const platform = useSyncExternalStore(subscribeNever, readPlatform, serverPlatform);
  const { preferences } = useKeyPreferences();
  const entries = useRef<Registered[]>([]);
  const keyboard = useMemo(
    () =>
      makeKeyboard(platform, preferences, (entry) => {
        entries.current.push(entry);
        return () => {
          entries.current = entries.current.filter((other) => other !== entry);
        };
      }),
    [platform, preferences],
  );
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const entry = entries.current.findLast((candidate) => mayFire(candidate, event, keyboard));
      if (!entry) return;
      event.preventDefault();
      entry.handler.current(event);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [keyboard]);
  return <KeyboardContext value={keyboard}>{children}</KeyboardContext>;
}

export function useKeyboard(): Keyboard {
  return useContext(KeyboardContext);
}

export type CommandOptions = { readonly enabled?: boolean; readonly inDialog?: boolean };

/** Lets a command of the catalogue run `handler` while the component is mounted and `enabled`. */
export function useCommand(id: CommandId, handler: Handler, options: CommandOptions = {}): void {
  const { enabled = true, inDialog = false } = options;
  const { register } = useKeyboard();
  const latest = useRef(handler);
  useEffect(() => {
    latest.current = handler;
  });
  useEffect(
    () => (enabled ? register({ id, handler: latest, inDialog }) : undefined),
    [id, enabled, inDialog, register],
  );
}
