'use client';

import type { LucideIcon } from 'lucide-react';
import type { ComponentPropsWithRef } from 'react';
import { capsOf, toAriaKeys } from './chord';
import { classNames } from './class-names';
import type { CommandId } from './keyboard-catalogue';
import { useKeyboard } from './keyboard-provider';

export type IconButtonProps = Omit<ComponentPropsWithRef<'button'>, 'children'> & {
  readonly icon: LucideIcon;
  /** The name, always spoken and shown as the tooltip. */
  readonly label: string;
  readonly command?: CommandId;
  readonly size?: 'normal' | 'small';
  readonly iconSize?: 14 | 16 | 18;
};

/** A button drawn as an icon alone; its name and its keys come from one place. */
export function IconButton(props: IconButtonProps) {
  const { icon: Icon, label, command, size = 'normal', iconSize, type = 'button', className, ...rest } = props;
  const { keysOf, platform } = useKeyboard();
  const keys = command ? keysOf(command) : [];
  const caps = keys[0] ? ` (${capsOf(keys[0], platform).join(' ')})` : '';
  return (
    <button
      title={`${label}${caps}`}
      aria-keyshortcuts={keys.length > 0 ? toAriaKeys(keys) : undefined}
      {...rest}
      type={type}
      aria-label={label}
      data-size={size}
      className={classNames('icon-button', className)}
    >
      <Icon aria-hidden size={iconSize ?? (size === 'small' ? 14 : 16)} strokeWidth={1.75} />
    </button>
  );
}
