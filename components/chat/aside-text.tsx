'use client';

import { ChevronDown, ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import type { AsideWords } from './aside-words';

/** One muted line that opens: nobody said this, and it is part of what the model read. */
export function AsideText({ words }: { readonly words: AsideWords }) {
  const [open, setOpen] = useState(false);
  const bodyId = useId();
  const Chevron = open ? ChevronDown : ChevronRight;
  return (
    <div className="aside">
      <button
        type="button"
        className="reasoning-head"
        aria-expanded={open}
        aria-controls={bodyId}
        onClick={() => setOpen(!open)}
      >
        <Chevron aria-hidden size={16} strokeWidth={1.75} className="shrink-0" />
        <span className="shrink-0">{words.label}</span>
        {open ? null : <span className="min-w-0 truncate text-ink-3">{words.line}</span>}
      </button>
      {open ? (
        <p id={bodyId} className="whitespace-pre-wrap pl-6 text-ui text-ink-2">
          {words.text}
        </p>
      ) : null}
    </div>
  );
}
