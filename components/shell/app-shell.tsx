'use client';

import { usePathname, useRouter } from 'next/navigation';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { HelpSheet } from '../ui/help-sheet';
import { useCommand } from '../ui/keyboard-provider';
import { narrowQuery, useMediaQuery } from '../ui/use-media-query';
import { focusNextRegion } from './cycle-regions';
import { DeskColumn } from './desk-column';
import { Palette } from './palette';
import { SessionsColumn } from './sessions-column';
import { type PageCommand, type Shell, ShellContext } from './shell-context';
import { SkipLinks } from './skip-links';
import { useComposerArrival } from './use-composer-arrival';

export type AppShellProps = {
  readonly sessionsRail: ReactNode;
  /** The page. It draws its own `MainHeader` and may fill the Desk through `DeskRegion`. */
  readonly main: ReactNode;
  readonly desk?: ReactNode;
  /** Drawn outside the columns, for a dialog that a route opens. */
  readonly overlay?: ReactNode;
};

type Columns = {
  readonly narrow: boolean;
  readonly sessionsShown: boolean;
  readonly setSessionsShown: (shown: boolean) => void;
  readonly deskOpen: boolean;
  readonly setDeskOpen: (open: boolean) => void;
};

/** The rail is a column and open at first, the drawer an overlay and closed at first: two memories, one switch. */
function useColumns(): Columns {
  const narrow = useMediaQuery(narrowQuery);
  const [rail, setRail] = useState(true);
  const [drawer, setDrawer] = useState(false);
  const [deskOpen, setDeskOpen] = useState(false);
  return {
    narrow,
    sessionsShown: narrow ? drawer : rail,
    setSessionsShown: narrow ? setDrawer : setRail,
    deskOpen,
    setDeskOpen,
  };
}

/** How many parts of the page draw in the Desk now. */
function useDeskHolders(): Pick<Shell, 'deskFilled' | 'holdDesk'> {
  const [holders, setHolders] = useState(0);
  const holdDesk = useCallback(() => {
    setHolders((count) => count + 1);
    return () => setHolders((count) => count - 1);
  }, []);
  return { deskFilled: holders > 0, holdDesk };
}

/** Kept without a render: only the closing overlay asks for it. */
function usePageUnder(): () => string {
  const pathname = usePathname();
  const under = useRef('/');
  useEffect(() => {
    if (!pathname.startsWith('/settings')) under.current = pathname;
  }, [pathname]);
  return useCallback(() => under.current, []);
}

/** What the page on the screen offers the palette. Nothing is drawn anew when it changes: the palette asks when it is open. */
function useOffered() {
  const offered = useRef<readonly PageCommand[]>([]);
  const offerCommands = useCallback((commands: readonly PageCommand[]) => {
    offered.current = commands;
    return () => {
      if (offered.current === commands) offered.current = [];
    };
  }, []);
  const readOffered = useCallback(() => offered.current, []);
  return { offerCommands, readOffered };
}

function useShellCommands(shell: Shell): void {
  const router = useRouter();
  useCommand('toggleSessions', shell.toggleSessions);
  useCommand('toggleDesk', () => shell.setDeskOpen(!shell.deskOpen));
  useCommand('newConversation', () => router.push('/'));
  useCommand('settings', () => router.push('/settings/general'));
  useCommand('palette', shell.openPalette);
  useCommand('help', shell.openHelp);
  useCommand('nextRegion', () => focusNextRegion(1), { inDialog: false });
  useCommand('previousRegion', () => focusNextRegion(-1), { inDialog: false });
}

function ShellCommands({ shell }: { readonly shell: Shell }) {
  useShellCommands(shell);
  return null;
}

/**
 * Landmarks and columns. From 1280 px three columns; from 900 px the Desk lies over the right; under that Sessions is a
 * drawer and the Desk a sheet. All by CSS on one tree, so crossing a breakpoint remounts nothing.
 */
export function AppShell({ sessionsRail, main, desk, overlay }: AppShellProps) {
  const columns = useColumns();
  const { narrow, sessionsShown, setSessionsShown, deskOpen, setDeskOpen } = columns;
  const [deskHost, setDeskHost] = useState<HTMLElement | null>(null);
  const [open, setOpen] = useState<'none' | 'palette' | 'help'>('none');
  const pageUnder = usePageUnder();
  const expectComposer = useComposerArrival();
  const { deskFilled, holdDesk } = useDeskHolders();
  const { offerCommands, readOffered } = useOffered();
  const conversation = /^\/(c\/.*)?$/.test(usePathname());
  const closeDrawer = useCallback(() => {
    if (narrow) setSessionsShown(false);
  }, [narrow, setSessionsShown]);
  const shell = useMemo<Shell>(
    () => ({
      narrow,
      sessionsShown,
      toggleSessions: () => setSessionsShown(!sessionsShown),
      closeDrawer,
      deskOpen,
      setDeskOpen,
      deskHost,
      holdDesk,
      deskFilled,
      expectComposer,
      pageUnder,
      offerCommands,
      openPalette: () => setOpen('palette'),
      openHelp: () => setOpen('help'),
    }),
    [
      narrow,
      sessionsShown,
      setSessionsShown,
      closeDrawer,
      deskOpen,
      setDeskOpen,
      deskHost,
      holdDesk,
      deskFilled,
      expectComposer,
      pageUnder,
      offerCommands,
    ],
  );
  const covered = narrow && sessionsShown;
  useEffect(() => {
    if (!covered) return;
    const before = document.activeElement;
    document.getElementById('sessions')?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, [covered]);
  return (
    <ShellContext value={shell}>
      <ShellCommands shell={shell} />
      <SkipLinks />
      <div className="flex h-dvh overflow-hidden">
        <SessionsColumn>{sessionsRail}</SessionsColumn>
        <main
          id="main"
          tabIndex={-1}
          data-region=""
          aria-label={conversation ? 'Conversation' : undefined}
          inert={covered}
          className="relative flex min-w-0 flex-1 flex-col bg-paper"
        >
          {main}
        </main>
        <DeskColumn hostRef={setDeskHost} covered={covered}>
          {desk}
        </DeskColumn>
      </div>
      {overlay}
      <HelpSheet open={open === 'help'} onClose={() => setOpen('none')} />
      <Palette open={open === 'palette'} readOffered={readOffered} onClose={() => setOpen('none')} />
    </ShellContext>
  );
}
