'use client';

import { capsOf } from './chord';
import { useKeyboard } from './keyboard-provider';

/** A chord as drawn keys. Decoration beside a control that already carries `aria-keyshortcuts`. */
export function KeyCaps({ chord }: { readonly chord: string }) {
  const { platform } = useKeyboard();
  return (
    <span aria-hidden className="inline-flex gap-1">
      {capsOf(chord, platform).map((cap) => (
        <kbd key={cap} className="keycap">
          {cap}
        </kbd>
      ))}
    </span>
  );
}
