'use client';

import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';

export type Channel = 'status' | 'log';
export type Speak = (text: string, channel?: Channel) => void;

const SpeakContext = createContext<Speak>(() => undefined);

const logLines = 20;

type Line = { readonly number: number; readonly text: string };

/**
 * The two spoken regions of the page: `status` for a state in a few words (the newest replaces the last), `log` for
 * finished replies. They stand in the page from the start, since a region that appears with its text is often not read.
 */
export function LiveRegionProvider({ children }: { readonly children: ReactNode }) {
  const [status, setStatus] = useState<Line>({ number: 0, text: '' });
  const [log, setLog] = useState<readonly Line[]>([]);
  const speak = useCallback<Speak>((text, channel = 'status') => {
    if (channel === 'status') setStatus((last) => ({ number: last.number + 1, text }));
    else setLog((lines) => [...lines, { number: (lines.at(-1)?.number ?? 0) + 1, text }].slice(-logLines));
  }, []);
  const value = useMemo(() => speak, [speak]);
  return (
    <SpeakContext value={value}>
      {children}
      <div role="status" aria-live="polite" className="sr-only" data-live="status">
        {/* The key makes the same words said twice two additions, so both are spoken. */}
        <span key={status.number}>{status.text}</span>
      </div>
      <div role="log" aria-live="polite" aria-label="Replies" className="sr-only" data-live="log">
        {log.map((line) => (
          <p key={line.number}>{line.text}</p>
        ))}
      </div>
    </SpeakContext>
  );
}

/** Says a text to assistive technology. One line a stage; never one a second, never one a token. */
export function useSpeak(): Speak {
  return useContext(SpeakContext);
}
