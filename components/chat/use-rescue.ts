'use client';

import { useEffect, useMemo, useRef } from 'react';
import { useChatScope } from './chat-context';
import { useTravel } from './travel-context';
import { sayMovedOn } from './use-refusal';

interface Held {
  words: string;
  state: 'open' | 'sending' | 'done';
}

export interface Rescue {
  /** What an edit that went through takes along is not lost. */
  readonly whileSending: () => void;
  readonly afterRefusal: (why: string) => void;
  /** The person wants none of it. */
  readonly letGo: () => void;
}

const goneText = 'The message you were editing is not shown any more.';

/**
 * Words that were written and not sent outlive their editor: where the message leaves the page, since the conversation was
 * taken elsewhere or a summary covers it by now, they go to the composer, and it is said so. `words`: empty while unchanged.
 */
export function useRescue(messageId: string, words: string): Rescue {
  const { tell } = useTravel();
  const { putInComposer } = useChatScope();
  const held = useRef<Held>({ words, state: 'open' });
  const gone = useRef(false);
  const save = useRef<(why: string) => void>(() => undefined);
  useEffect(() => {
    held.current.words = words;
    save.current = (why) => {
      if (held.current.words.trim() === '') return tell(why, messageId);
      putInComposer(held.current.words);
      tell(`${why} Your words are in the composer.`, messageId);
    };
  }, [words, tell, putInComposer, messageId]);
  useEffect(() => {
    gone.current = false;
    return () => {
      gone.current = true;
      const { state, words: unsent } = held.current;
      if (state === 'open' && unsent.trim() !== '') save.current(goneText);
    };
  }, []);
  return useMemo(() => {
    const to = (state: Held['state']) => {
      held.current.state = state;
    };
    return {
      whileSending: () => to('sending'),
      afterRefusal: (why: string) => {
        to('open');
        if (gone.current) save.current(sayMovedOn(why));
      },
      letGo: () => to('done'),
    };
  }, []);
}
