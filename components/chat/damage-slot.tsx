'use client';

import { FileWarning, X } from 'lucide-react';
import { type RefObject, useEffect } from 'react';
import { IconButton } from '../ui/icon-button';
import { useSpeak } from '../ui/live-region';
import { type Damage, wordDamage } from './damage-words';

export type DamageSlotProps = {
  readonly damage: readonly Damage[];
  /** What was spoken of it: the slot comes and goes with what is more urgent, and is spoken once. */
  readonly said: RefObject<string | null>;
  readonly onClose: () => void;
};

/** What of the log could not be read, each place once, until it is closed (L6). Spoken once. */
export function DamageSlot({ damage, said, onClose }: DamageSlotProps) {
  const speak = useSpeak();
  const text = wordDamage(damage).join(' ');
  useEffect(() => {
    if (said.current === text) return;
    said.current = text;
    speak(text);
  }, [speak, said, text]);
  return (
    <div role="note" aria-label="Damage in the log" className="slot" data-look="warn">
      <FileWarning aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-warn max-rail:mt-1" />
      <p className="slot-words numbers">{text}</p>
      <IconButton icon={X} label="Close" className="slot-close" onClick={onClose} />
    </div>
  );
}
