'use client';

import { useEffect } from 'react';
import { type PageCommand, useShell } from './shell-context';

/** Lets the palette offer these for as long as the page is there; only what can be done now belongs into them. */
export function usePageCommands(commands: readonly PageCommand[]): void {
  const { offerCommands } = useShell();
  useEffect(() => offerCommands(commands), [offerCommands, commands]);
}
