'use client';

import { Menu as Base } from '@base-ui/react/menu';
import type { LucideIcon } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { toAriaKeys } from './chord';
import { KeyCaps } from './key-caps';
import type { CommandId } from './keyboard-catalogue';
import { useKeyboard } from './keyboard-provider';

export type MenuProps = {
  /** The element that opens it, a Button or an IconButton. */
  readonly trigger: ReactElement;
  readonly align?: 'start' | 'end';
  readonly side?: 'bottom' | 'top';
  readonly onOpenChange?: (open: boolean) => void;
  readonly children: ReactNode;
};

/** A menu of actions under its button: arrows, letters, Home, End and Escape as everywhere. */
export function Menu({ trigger, align = 'end', side = 'bottom', onOpenChange, children }: MenuProps) {
  return (
    <Base.Root modal={false} onOpenChange={(open) => onOpenChange?.(open)}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} side={side} sideOffset={4} className="z-50">
          <Base.Popup className="popup min-w-48 p-1">{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export type MenuItemProps = {
  readonly icon?: LucideIcon;
  readonly label: string;
  readonly command?: CommandId;
  /** Why it cannot be chosen now; shown in the row. */
  readonly reason?: string | null;
  readonly tone?: 'plain' | 'danger';
  readonly onSelect: () => void;
};

export function MenuItem({ icon: Icon, label, command, reason, tone = 'plain', onSelect }: MenuItemProps) {
  const { keysOf } = useKeyboard();
  const keys = command ? keysOf(command) : [];
  return (
    <Base.Item
      className="menu-row"
      data-tone={tone}
      disabled={Boolean(reason)}
      aria-keyshortcuts={keys.length > 0 ? toAriaKeys(keys) : undefined}
      onClick={onSelect}
    >
      {Icon ? <Icon aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-ink-2" /> : null}
      <span className="min-w-0 flex-1">{label}</span>
      {reason ? <span className="text-small text-ink-3">{reason}</span> : null}
      {keys[0] && !reason ? <KeyCaps chord={keys[0]} /> : null}
    </Base.Item>
  );
}

export function MenuSeparator() {
  return <Base.Separator className="my-1 h-px bg-line" />;
}
