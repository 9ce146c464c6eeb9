'use client';

import { Menu as MenuIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../ui/icon-button';
import { useShell } from './shell-context';

/** The head of the main column, as high as the rail's, so their rules meet. Brings Sessions back where it is hidden. */
export function MainHeader({ children }: { readonly children?: ReactNode }) {
  const { sessionsShown, toggleSessions } = useShell();
  return (
    <header className="flex h-(--header) shrink-0 items-center gap-3 border-b border-line pr-3.5 pl-6 max-rail:pl-2.5">
      <IconButton
        icon={MenuIcon}
        iconSize={18}
        label="Sessions"
        command="toggleSessions"
        aria-expanded={sessionsShown}
        aria-controls="sessions"
        className={sessionsShown ? 'rail:hidden' : '-ml-2.5'}
        onClick={toggleSessions}
      />
      {children}
    </header>
  );
}

/** The head and the scrolling body of a page that is not a conversation. */
export function PageFrame({ title, actions, children }: PageFrameProps) {
  return (
    <>
      <MainHeader>
        <h1 className="title-2 min-w-0 truncate">{title}</h1>
        <div className="ml-auto flex items-center gap-1">{actions}</div>
      </MainHeader>
      <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
    </>
  );
}

export type PageFrameProps = { readonly title: string; readonly actions?: ReactNode; readonly children: ReactNode };
