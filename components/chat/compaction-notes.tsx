'use client';

import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ChatNotice } from '@/server/contract/stream';
import { IconButton } from '../ui/icon-button';
import { useSpeak } from '../ui/live-region';
import { useChatScope } from './chat-context';

/** How long a note stands by itself, in milliseconds. */
export const noteMs = 10_000;
const mostNotes = 3;

/** A failed attempt is followed by the next model or by the end, and both are spoken; the other has no other voice. */
const spoken: ReadonlySet<string> = new Set(['staging_rebuilt']);

export type CompactionNotesProps = { readonly notes: readonly ChatNotice[] };

type Shown = { readonly number: number; readonly notice: ChatNotice; readonly times: number };

/** The same words once more are the same note, counted: segments that fail side by side fail alike. */
function addNote(shown: readonly Shown[], note: Shown): readonly Shown[] {
  const held = shown.find(({ notice }) => notice.text === note.notice.text);
  if (held === undefined) return [...shown, note].slice(-mostNotes);
  return shown.map((one) => (one === held ? { ...one, times: one.times + 1 } : one));
}

/** What a compaction tells in passing (S4, R5). Notes that come in a corner and go by themselves; what stood there when the page was opened is old news. */
export function CompactionNotes({ notes }: CompactionNotesProps) {
  const [shown, setShown] = useState<readonly Shown[]>([]);
  const heard = useRef<readonly ChatNotice[]>(notes);
  const count = useRef(0);
  const speak = useSpeak();
  useEffect(() => {
    const fresh = notes.filter((notice) => !heard.current.includes(notice));
    heard.current = notes;
    if (fresh.length === 0) return;
    for (const notice of fresh) if (spoken.has(notice.code)) speak(notice.text);
    const numbered = fresh.map((notice) => ({ number: ++count.current, notice, times: 1 }));
    setShown((before) => numbered.reduce(addNote, before));
  }, [notes, speak]);
  const close = (number: number) => setShown((before) => before.filter((one) => one.number !== number));
  return (
    // The words are spoken by the live region; a region of its own would say them twice.
    <section aria-label="Notes" aria-live="off" className="note-stack" data-print="never">
      {shown.map(({ number, notice, times }) => (
        <Note key={number} notice={notice} times={times} onClose={() => close(number)} />
      ))}
    </section>
  );
}

/** The clock stands still while the pointer or the focus is on it, so nobody races it. */
function Note({ notice, times, onClose }: Omit<Shown, 'number'> & { readonly onClose: () => void }) {
  const { openDesk } = useChatScope();
  const [held, setHeld] = useState(false);
  const latestClose = useRef(onClose);
  useEffect(() => {
    latestClose.current = onClose;
  });
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => latestClose.current(), noteMs);
    return () => clearTimeout(timer);
  }, [held]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointer and focus only hold the clock; the buttons act.
    <div
      className="note opens"
      data-code={notice.code}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <p className="min-w-0 flex-1">
        {notice.text} {times > 1 ? <span className="numbers text-ink-2">{times} times. </span> : null}
        <button type="button" className="text-accent hover:underline" onClick={() => openDesk('ledger')}>
          Ledger
        </button>
      </p>
      <IconButton icon={X} label="Close" size="small" onClick={onClose} />
    </div>
  );
}
