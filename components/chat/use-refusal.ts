'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import { useSpeak } from '../ui/live-region';
import { useTravel } from './travel-context';

/** A refusal whose place goes away this soon after was not read there. Milliseconds. */
const unreadMs = 5_000;

/** A refusal whose message left the page meanwhile (ux 15). */
export function sayMovedOn(text: string): string {
  return `This conversation moved on in another window. ${text}`;
}

export interface Refusal {
  readonly problem: string | null;
  readonly refuse: (problem: string | null) => void;
}

/**
 * Why something was not done, said where it was asked for and spoken. Where its place leaves the page with it, since another
 * tab took the conversation elsewhere, it is told above the composer, with the way to the message.
 */
export function useRefusal(messageId: string): Refusal {
  const { tell } = useTravel();
  const speak = useSpeak();
  const [problem, setProblem] = useState<string | null>(null);
  const gone = useRef(false);
  const unread = useRef<{ readonly text: string; readonly atMs: number } | null>(null);
  const refuse = useCallback(
    (text: string | null) => {
      if (gone.current) return text === null ? undefined : tell(sayMovedOn(text), messageId);
      unread.current = text === null ? null : { text, atMs: performance.now() };
      setProblem(text);
      if (text !== null) speak(text);
    },
    [tell, messageId, speak],
  );
  useEffect(() => {
    gone.current = false;
    return () => {
      gone.current = true;
      const last = unread.current;
      unread.current = null;
      if (last && performance.now() - last.atMs < unreadMs) tell(sayMovedOn(last.text), messageId);
    };
  }, [tell, messageId]);
  return { problem, refuse };
}
