'use client';

import { ChevronsUpDown } from 'lucide-react';
import { type ComponentPropsWithRef, type ReactNode, useId } from 'react';
import { classNames } from './class-names';

export type FieldControl = {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
};

export type FieldProps = {
  readonly label: string;
  readonly hint?: ReactNode;
  /** What went wrong, beside its cause; the value stays. */
  readonly error?: ReactNode;
  readonly className?: string;
  readonly children: (control: FieldControl) => ReactNode;
};

/** Label, hint and error around one control; the control gets the ids that tie them together. */
export function Field({ label, hint, error, className, children }: FieldProps) {
  const id = useId();
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ') || undefined;
  return (
    <div className={classNames('flex flex-col gap-1', className)}>
      <label htmlFor={id} className="title-3">
        {label}
      </label>
      {hint ? (
        <div id={`${id}-hint`} className="text-small text-ink-2">
          {hint}
        </div>
      ) : null}
      {children({ id, 'aria-describedby': described, 'aria-invalid': error ? true : undefined })}
      {error ? (
        <div id={`${id}-error`} className="text-small text-danger">
          {error}
        </div>
      ) : null}
    </div>
  );
}

type Face = { readonly face?: 'live' | 'machine' };

export function TextInput({ face = 'live', className, ...rest }: ComponentPropsWithRef<'input'> & Face) {
  return <input autoComplete="off" {...rest} data-face={face} className={classNames('input', className)} />;
}

export function TextArea({ face = 'live', className, ...rest }: ComponentPropsWithRef<'textarea'> & Face) {
  return <textarea {...rest} data-face={face} className={classNames('input', className)} />;
}

/** The platform's own list: its keys and its phone wheel are better than any drawn one. */
export function Select({ className, ...rest }: ComponentPropsWithRef<'select'>) {
  return (
    <span className={classNames('relative inline-block', className)}>
      <select {...rest} className="input" />
      <ChevronsUpDown
        aria-hidden
        size={14}
        strokeWidth={1.75}
        className="pointer-events-none absolute inset-y-0 right-2 my-auto text-ink-2"
      />
    </span>
  );
}

// biome-ignore-start lint/a11y/useAriaPropsForRole: a checkbox tells its state by itself, also as a switch.
export function Switch({ className, ...rest }: Omit<ComponentPropsWithRef<'input'>, 'type' | 'role'>) {
  return <input {...rest} type="checkbox" role="switch" className={classNames('switch', className)} />;
}

// biome-ignore-end lint/a11y/useAriaPropsForRole: only the switch.

export type CheckRowProps = Omit<ComponentPropsWithRef<'input'>, 'type'> & { readonly label: ReactNode };

/** A tick and its words; the whole row is the target. */
export function CheckRow({ label, className, ...rest }: CheckRowProps) {
  return (
    <label className={classNames('flex min-h-7 cursor-pointer items-center gap-2.5', className)}>
      <input {...rest} type="checkbox" className="check" />
      {label}
    </label>
  );
}
