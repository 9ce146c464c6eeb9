'use client';

import { useState } from 'react';
import { useSpeak } from '../ui/live-region';
import { useChatScope } from './chat-context';
import { copyText } from './copy-text';
import { useTravel } from './travel-context';

export interface MessageActs {
  /** What the newest of them was refused, or came to; null: nothing to say. */
  readonly said: string | null;
  readonly say: (text: string | null) => void;
  readonly copyLink: () => void;
  readonly goBack: () => void;
  /** From the first message of a reply. */
  readonly tryAgain: (from: string) => void;
  readonly branch: () => void;
  /** Runs one at a time; its words are said in place. */
  readonly run: (act: () => Promise<string | null>) => void;
}

/** What can be done with one message, and what became of it, told where it was done. */
export function useMessageActs(messageId: string): MessageActs {
  const { sessionId } = useChatScope();
  const scope = useTravel();
  const { travel } = scope;
  const [said, say] = useState<string | null>(null);
  const [going, setGoing] = useState(false);
  const speak = useSpeak();
  const run = async (act: () => Promise<string | null>) => {
    if (going) return;
    setGoing(true);
    say(await act());
    setGoing(false);
  };
  const copyLink = async () => {
    const done = await copyText(`${location.origin}/c/${sessionId}?m=${messageId}`);
    speak(done ? 'Link copied' : 'The browser did not allow copying');
  };
  const goBack = async () => {
    const itemId = scope.lastItemOf(messageId);
    scope.endAt(itemId);
    const answer = await travel?.revert(itemId);
    if (!answer) return null;
    if (!answer.ok) return answer.message;
    speak('You went back. Nothing is lost.');
    return null;
  };
  const tryAgain = async (from: string) => {
    if (!travel) return null;
    const point = await scope.pointBefore(from);
    if (point === undefined) return 'What comes before this could not be read.';
    scope.tell(null);
    const answer = await travel.tryAgain(point);
    if (answer.moved && point !== null) scope.land({ id: point, on: 'message' });
    if (answer.ok) return null;
    // The head has moved and this message left the page with it: what went wrong is said where it is still seen.
    if (answer.moved) scope.tell(answer.message);
    return answer.message;
  };
  return {
    said,
    say,
    copyLink: () => void copyLink(),
    goBack: () => void run(goBack),
    tryAgain: (from) => void run(() => tryAgain(from)),
    branch: () => void run(() => scope.branchFrom(scope.lastItemOf(messageId))),
    run: (act) => void run(act),
  };
}
