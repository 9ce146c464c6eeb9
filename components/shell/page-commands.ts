'use client';

import { useEffect } from 'react';
import { useShell } from './shell-context';

/** What the page on the screen can do right now, for the palette. */
export interface PageCommand {
  readonly key: string;
  readonly text: string;
  /** Other words that a person may look for it by. */
  readonly words: string;
  readonly run: () => void;
}

/** Lets the palette offer these for as long as the page is there; only what can be done now belongs into them. */
export function usePageCommands(commands: readonly PageCommand[]): void {
  const { offerCommands } = useShell();
  useEffect(() => offerCommands(commands), [offerCommands, commands]);
}
