'use client';

import { Popover as Base } from '@base-ui/react/popover';
import type { ReactElement, ReactNode } from 'react';

export type PopoverProps = {
  readonly trigger: ReactElement;
  /** Its spoken name, drawn as a section label. */
  readonly title: string;
  readonly align?: 'start' | 'center' | 'end';
  readonly side?: 'bottom' | 'top';
  readonly open?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
  readonly children: ReactNode;
};

/** A small panel under its button; focus moves in, Escape returns it. */
export function Popover(props: PopoverProps) {
  const { trigger, title, align = 'start', side = 'bottom', open, onOpenChange, children } = props;
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange?.(next)}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} side={side} sideOffset={6} className="z-50">
          <Base.Popup className="popup p-3">
            <Base.Title className="title-3 mb-2">{title}</Base.Title>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
