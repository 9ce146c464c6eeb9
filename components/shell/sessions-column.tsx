'use client';

import type { KeyboardEvent, ReactNode } from 'react';
import { defaultAppearance } from '../ui/appearance';
import { useAppearance } from '../ui/appearance-provider';
import { classNames } from '../ui/class-names';
import { useShell } from './shell-context';
import { Splitter } from './splitter';

/** The left rail: a column from 900 px, a drawer with a scrim under that. */
export function SessionsColumn({ children }: { readonly children: ReactNode }) {
  const { narrow, sessionsShown, closeDrawer } = useShell();
  const { appearance, change } = useAppearance();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !narrow || event.defaultPrevented) return;
    event.preventDefault();
    closeDrawer();
  };
  return (
    <>
      {narrow && sessionsShown ? <div aria-hidden className="scrim z-20" onClick={closeDrawer} /> : null}
      <nav
        id="sessions"
        tabIndex={-1}
        data-region=""
        aria-label="Sessions"
        hidden={!narrow && !sessionsShown}
        inert={narrow && !sessionsShown}
        onKeyDown={onKeyDown}
        className={classNames(
          'relative flex w-(--rail-sessions) shrink-0 flex-col border-r border-line bg-sunken [&[hidden]]:hidden',
          'max-rail:fixed max-rail:inset-y-0 max-rail:left-0 max-rail:z-30 max-rail:w-80 max-rail:max-w-[calc(100vw-3.5rem)]',
          'max-rail:rounded-r-composer max-rail:duration-[180ms]',
          // In sight at once when it opens: the focus goes in at that moment, and what is invisible takes none.
          sessionsShown && narrow
            ? 'max-rail:visible max-rail:transition-[translate]'
            : 'max-rail:invisible max-rail:-translate-x-full max-rail:transition-[translate,visibility]',
        )}
      >
        {children}
        <Splitter
          label="Width of Sessions"
          side="left"
          value={appearance.sessionsRail}
          min={13}
          max={30}
          initial={defaultAppearance.sessionsRail}
          className="-right-1"
          onChange={(sessionsRail) => change({ sessionsRail })}
        />
      </nav>
    </>
  );
}
