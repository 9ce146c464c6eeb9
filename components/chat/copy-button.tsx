'use client';

import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { classNames } from '../ui/class-names';
import { useSpeak } from '../ui/live-region';
import { copyText } from './copy-text';

const shownMs = 2_000;

export type CopyButtonProps = {
  /** Read at the click, so a growing text is copied as it then is. */
  readonly text: () => string;
  readonly label: string;
  /** The word beside the icon; none: the icon alone. */
  readonly word?: string;
  readonly className?: string;
};

/** Copies and says so; where the browser refuses, it says that too. */
export function CopyButton({ text, label, word, className }: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'done' | 'refused'>('idle');
  const speak = useSpeak();
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), shownMs);
    return () => clearTimeout(timer);
  }, [state]);
  const onClick = async () => {
    const done = await copyText(text());
    setState(done ? 'done' : 'refused');
    speak(done ? 'Copied' : 'The browser did not allow copying');
  };
  const Icon = state === 'done' ? Check : Copy;
  const words = state === 'done' ? 'Copied' : state === 'refused' ? 'Not allowed' : word;
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={classNames('copy-button', className)}
      data-icon-only={word ? undefined : ''}
      onClick={() => void onClick()}
    >
      <Icon aria-hidden size={word ? 14 : 16} strokeWidth={1.75} />
      {word ? <span>{words}</span> : null}
    </button>
  );
}
