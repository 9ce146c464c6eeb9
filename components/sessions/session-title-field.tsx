'use client';

import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { classNames } from '../ui/class-names';

export type SessionTitleFieldProps = {
  readonly title: string;
  readonly className?: string;
  /** Called with a title that says something and differs; an empty one keeps the old. */
  readonly onSave: (title: string) => void;
  readonly onDone: () => void;
};

/** Renaming in place: Enter and leaving save, Escape keeps the old title. */
export function SessionTitleField({ title, className, onSave, onDone }: SessionTitleFieldProps) {
  const [text, setText] = useState(title);
  const field = useRef<HTMLInputElement>(null);
  const settled = useRef(false);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const finish = (save: boolean) => {
    // Enter unmounts the field, which also leaves it: one save, not two.
    if (settled.current) return;
    settled.current = true;
    const wanted = text.trim();
    if (save && wanted !== '' && wanted !== title) onSave(wanted);
    onDone();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
    event.preventDefault();
    event.stopPropagation();
    finish(event.key === 'Enter');
  };
  return (
    <input
      ref={field}
      aria-label="Title"
      className={classNames('input', className ?? 'my-1.5')}
      maxLength={250}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={() => finish(true)}
    />
  );
}
