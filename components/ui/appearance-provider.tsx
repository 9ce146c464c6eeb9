'use client';

import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import {
  type Appearance,
  appearanceCookie,
  defaultAppearance,
  rootAttributes,
  serialiseAppearance,
} from './appearance';

type AppearanceStore = {
  readonly appearance: Appearance;
  readonly change: (patch: Partial<Appearance>) => void;
};

const AppearanceContext = createContext<AppearanceStore>({ appearance: defaultAppearance, change: () => undefined });

const yearSeconds = 31_536_000;

function apply(appearance: Appearance): void {
  const root = document.documentElement;
  for (const [name, value] of Object.entries(rootAttributes(appearance))) {
    if (value === undefined) root.removeAttribute(name);
    else root.setAttribute(name, value);
  }
  root.style.setProperty('--rail-sessions', `${appearance.sessionsRail}rem`);
  root.style.setProperty('--rail-desk', `${appearance.deskRail}rem`);
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http and in two browsers.
  document.cookie = `${appearanceCookie}=${serialiseAppearance(appearance)}; Path=/; Max-Age=${yearSeconds}; SameSite=Lax`;
}

export type AppearanceProviderProps = { readonly initial: Appearance; readonly children: ReactNode };

/** Holds the look of this device; a change is on the page and in the cookie at once. */
export function AppearanceProvider({ initial, children }: AppearanceProviderProps) {
  const [appearance, setAppearance] = useState(initial);
  const change = useCallback(
    (patch: Partial<Appearance>) => {
      const next = { ...appearance, ...patch };
      setAppearance(next);
      apply(next);
    },
    [appearance],
  );
  const store = useMemo(() => ({ appearance, change }), [appearance, change]);
  return <AppearanceContext value={store}>{children}</AppearanceContext>;
}

export function useAppearance(): AppearanceStore {
  return useContext(AppearanceContext);
}
