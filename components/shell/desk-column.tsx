'use client';

import type { KeyboardEvent, ReactNode } from 'react';
import { defaultAppearance } from '../ui/appearance';
import { useAppearance } from '../ui/appearance-provider';
import { useShell } from './shell-context';
import { Splitter } from './splitter';

export type DeskColumnProps = {
  readonly hostRef: (host: HTMLElement | null) => void;
  readonly covered: boolean;
  readonly children?: ReactNode;
};

/** The right rail: a column from 1280 px, over the page from 900, a sheet from below under that; not there where no page draws in it. */
export function DeskColumn({ hostRef, covered, children }: DeskColumnProps) {
  const { deskOpen, setDeskOpen, deskFilled } = useShell();
  const { appearance, change } = useAppearance();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    setDeskOpen(false);
  };
  return (
    <aside
      id="desk"
      tabIndex={-1}
      data-region=""
      aria-label="Desk"
      hidden={!deskOpen || !deskFilled}
      inert={covered}
      onKeyDown={onKeyDown}
      className="relative flex w-(--rail-desk) shrink-0 flex-col border-l border-line bg-sunken max-wide:fixed max-wide:inset-y-0 max-wide:right-0 max-wide:z-20 max-wide:shadow-float max-rail:inset-x-0 max-rail:top-auto max-rail:bottom-0 max-rail:h-[78dvh] max-rail:w-full max-rail:rounded-t-composer max-rail:border-t max-rail:border-l-0 max-rail:pb-[env(safe-area-inset-bottom)] [&[hidden]]:hidden"
    >
      <Splitter
        label="Width of the Desk"
        side="right"
        value={appearance.deskRail}
        min={16}
        max={40}
        initial={defaultAppearance.deskRail}
        className="-left-1"
        onChange={(deskRail) => change({ deskRail })}
      />
      {children}
      <div ref={hostRef} className="flex min-h-0 flex-1 flex-col" />
    </aside>
  );
}
