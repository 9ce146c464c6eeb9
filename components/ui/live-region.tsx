'use client';

import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';

export type Channel = 'status' | 'log';
export type Speak = (text: string, channel?: Channel) => void;

const SpeakContext = createContext<Speak>(() => undefined);

const logLines = 20;
const statusLines = 4;
/** How long lines of the status stand side by side, in milliseconds: a reader has taken them by then. */
const burstMs = 2_000;

type Line = { readonly number: number; readonly text: string };

function addLine(lines: readonly Line[], text: string, most: number): readonly Line[] {
  return [...lines, { number: (lines.at(-1)?.number ?? 0) + 1, text }].slice(-most);
}

/**
 * The two spoken regions of the page: `status` for a state in a few words (lines that follow each other at once are all
 * spoken, then the newest stays alone), `log` for
 * finished replies. They stand in the page from the start, since a region that appears with its text is often not read.
 */
export function LiveRegionProvider({ children }: { readonly children: ReactNode }) {
  const [status, setStatus] = useState<readonly Line[]>([]);
  const [log, setLog] = useState<readonly Line[]>([]);
  const speak = useCallback<Speak>((text, channel = 'status') => {
    const [put, most] = channel === 'status' ? [setStatus, statusLines] : [setLog, logLines];
    put((lines) => (text === '' ? [] : addLine(lines, text, most)));
  }, []);
  useEffect(() => {
    if (status.length < 2) return;
    const timer = setTimeout(() => setStatus((lines) => lines.slice(-1)), burstMs);
    return () => clearTimeout(timer);
  }, [status]);
  const value = useMemo(() => speak, [speak]);
  return (
    <SpeakContext value={value}>
      {children}
      <div role="status" aria-live="polite" aria-atomic="false" className="sr-only" data-live="status">
        {/* The key makes the same words said twice two additions, so both are spoken. */}
        {status.map((line) => (
          <p key={line.number}>{line.text}</p>
        ))}
      </div>
      <div role="log" aria-live="polite" aria-label="Replies" className="sr-only" data-live="log">
        {log.map((line) => (
          <p key={line.number}>{line.text}</p>
        ))}
      </div>
    </SpeakContext>
  );
}

/** Says a text to assistive technology; an empty one takes back what stands there, unspoken. One line a stage; never one a second, never one a token. */
export function useSpeak(): Speak {
  return useContext(SpeakContext);
}
