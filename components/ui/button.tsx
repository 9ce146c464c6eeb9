import type { ComponentPropsWithRef } from 'react';
import { classNames } from './class-names';

export type ButtonLook = 'primary' | 'plain' | 'quiet' | 'link' | 'danger';

export type ButtonProps = ComponentPropsWithRef<'button'> & {
  readonly look?: ButtonLook;
  readonly size?: 'normal' | 'small';
};

/** A button that carries a word. Primary once a view; plain otherwise; danger only for what deletes. */
export function Button({ look = 'plain', size = 'normal', type = 'button', className, ...rest }: ButtonProps) {
  return <button {...rest} type={type} data-look={look} data-size={size} className={classNames('button', className)} />;
}
