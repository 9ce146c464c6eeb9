'use client';

import { createContext, useContext } from 'react';

/** What the page on the screen can do right now, for the palette. */
export interface PageCommand {
  readonly key: string;
  readonly text: string;
  /** Other words that a person may look for it by. */
  readonly words: string;
  readonly run: () => void;
}

/** What the parts of the page may ask of the shell around them. */
export type Shell = {
  /** Under 900 px the Sessions are a drawer over the page and the Desk is a sheet from below. */
  readonly narrow: boolean;
  readonly sessionsShown: boolean;
  readonly toggleSessions: () => void;
  /** After a choice in the drawer; does nothing where the rail is a column. */
  readonly closeDrawer: () => void;
  readonly deskOpen: boolean;
  readonly setDeskOpen: (open: boolean) => void;
  /** Where `DeskRegion` puts its content; null before the first effect. */
  readonly deskHost: HTMLElement | null;
  /** A page draws in the Desk while this is held; answers how to let go. Nothing is shown where nobody draws. */
  readonly holdDesk: () => () => void;
  readonly deskFilled: boolean;
  /** Called before going to a page: its composer takes the focus once it is there. */
  readonly expectComposer: (path: string) => void;
  /** The newest address that is not of the settings: where their overlay returns to. */
  readonly pageUnder: () => string;
  /** What the page can do, for the palette; answers how to take it back. */
  readonly offerCommands: (commands: readonly PageCommand[]) => () => void;
  readonly openPalette: () => void;
  readonly openHelp: () => void;
};

const nothing = () => undefined;

export const ShellContext = createContext<Shell>({
  narrow: false,
  sessionsShown: true,
  toggleSessions: nothing,
  closeDrawer: nothing,
  deskOpen: false,
  setDeskOpen: nothing,
  deskHost: null,
  holdDesk: () => nothing,
  deskFilled: false,
  expectComposer: nothing,
  pageUnder: () => '/',
  offerCommands: () => nothing,
  openPalette: nothing,
  openHelp: nothing,
});

export function useShell(): Shell {
  return useContext(ShellContext);
}
