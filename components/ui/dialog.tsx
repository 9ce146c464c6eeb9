'use client';

import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { classNames } from './class-names';
import { IconButton } from './icon-button';

export type DialogProps = {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** A quiet phrase beside the title. */
  readonly note?: ReactNode;
  readonly width?: 'small' | 'normal' | 'wide' | 'settings' | 'diff';
  readonly initialFocus?: RefObject<HTMLElement | null>;
  readonly foot?: ReactNode;
  readonly bodyClassName?: string;
  /** For a body of text alone: it takes the focus, so that keys can scroll it. */
  readonly scrollsByKeys?: boolean;
  readonly children: ReactNode;
};

/** An undo belongs to what was done in the dialog: taking it must not close it. */
function isOnToast(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-toast]') !== null;
}

/** A dialog over the page: focus is held inside and returns to where it came from; Escape and the scrim close it. */
export function Dialog(props: DialogProps) {
  const { open, onClose, title, note, width = 'normal', initialFocus, foot, children } = props;
  return (
    <Base.Root
      open={open}
      onOpenChange={(next, { event }) => {
        if (!next && !isOnToast(event.target)) onClose();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className="scrim" />
        <Base.Popup className="dialog" data-width={width} initialFocus={initialFocus}>
          <header className="flex min-h-15 shrink-0 items-center gap-3 border-b border-line pr-3.5 pl-6">
            <Base.Title className="title-dialog">{title}</Base.Title>
            {note ? <span className="min-w-0 truncate text-ui text-ink-2">{note}</span> : null}
            <Base.Close render={<IconButton icon={X} label="Close" className="ml-auto" />} />
          </header>
          <div
            tabIndex={props.scrollsByKeys ? 0 : undefined}
            className={classNames(
              'min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2',
              props.bodyClassName ?? 'p-6',
            )}
          >
            {children}
          </div>
          {foot ? (
            <footer className="flex shrink-0 flex-wrap items-center justify-end gap-2 border-t border-line px-4 py-2.5">
              {foot}
            </footer>
          ) : null}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
