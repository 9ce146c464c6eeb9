'use client';

import { useState } from 'react';
import { useSpeak } from '../ui/live-region';
import { useChatScope } from './chat-context';
import { copyText } from './copy-text';
import { useTravel } from './travel-context';
import { useRefusal } from './use-refusal';

/** What an act came to: why it was refused, or what is worth saying of what was done. */
export type ActEnd = { readonly refused: string } | { readonly done: string } | null;

export interface MessageActs {
  /** What the newest of them was refused, or came to; null: nothing to say. */
  readonly said: string | null;
  readonly refuse: (reason: string) => void;
  readonly copyLink: () => void;
  readonly goBack: () => void;
  /** From the first message of a reply. */
  readonly tryAgain: (from: string) => void;
  readonly branch: () => void;
  /** Runs one at a time; its words are said in place. */
  readonly run: (act: () => Promise<ActEnd>) => void;
}

/** What can be done with one message, and what became of it, told where it was done. */
export function useMessageActs(messageId: string): MessageActs {
  const { sessionId } = useChatScope();
  const scope = useTravel();
  const { travel } = scope;
  const { problem, refuse } = useRefusal(messageId);
  const [done, setDone] = useState<string | null>(null);
  const [going, setGoing] = useState(false);
  const speak = useSpeak();
  const run = async (act: () => Promise<ActEnd>) => {
    if (going) return;
    setGoing(true);
    refuse(null);
    setDone(null);
    const end = await act();
    setGoing(false);
    if (end === null) return;
    if ('refused' in end) return refuse(end.refused);
    setDone(end.done);
    speak(end.done);
  };
  const copyLink = async () => {
    const isCopied = await copyText(`${location.origin}/c/${sessionId}?m=${messageId}`);
    speak(isCopied ? 'Link copied' : 'The browser did not allow copying');
  };
  const goBack = async (): Promise<ActEnd> => {
    const itemId = scope.lastItemOf(messageId);
    scope.endAt(itemId);
    const answer = await travel?.revert(itemId);
    if (!answer) return null;
    if (!answer.ok) return { refused: answer.message };
    speak('You went back. Nothing is lost.');
    return null;
  };
  const tryAgain = async (from: string): Promise<ActEnd> => {
    if (!travel) return null;
    const point = await scope.pointBefore(from);
    if (point === undefined) return { refused: 'What comes before this could not be read.' };
    scope.tell(null);
    const answer = await travel.tryAgain(point);
    if (answer.moved && point !== null) scope.land({ id: point, on: 'message' });
    if (answer.ok) return null;
    // The head has moved and this message left the page with it: what went wrong is said where it is still seen.
    if (answer.moved) scope.tell(answer.message);
    return answer.moved ? null : { refused: answer.message };
  };
  const branch = async (): Promise<ActEnd> => {
    const problem = await scope.branchFrom(scope.lastItemOf(messageId));
    return problem === null ? null : { refused: problem };
  };
  return {
    said: problem ?? done,
    refuse: (reason) => {
      setDone(null);
      refuse(reason);
    },
    copyLink: () => void copyLink(),
    goBack: () => void run(goBack),
    tryAgain: (from) => void run(() => tryAgain(from)),
    branch: () => void run(branch),
    run: (act) => void run(act),
  };
}
