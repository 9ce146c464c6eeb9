'use client';

import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { Message } from '@/server/contract/message';
import type { Session } from '@/server/contract/session';
import { Button } from '../ui/button';
import { useSpeak } from '../ui/live-region';
import { useChatScope } from './chat-context';
import { useTravel } from './travel-context';

export interface WentBack {
  /** Messages that were left. */
  readonly items: number;
  /** The newest of them. */
  readonly itemId: string | null;
  /** The path ends with something that was not answered. */
  readonly unanswered: boolean;
}

/**
 * Whether the head stands where a revert put it and nothing was said since: the moment to return without loss. Where arrows
 * lead to what was left, they are the way.
 */
export function findWentBack(
  session: Pick<Session, 'undoable'>,
  messages: readonly Message[],
  tips: ReadonlySet<string>,
): WentBack | null {
  const { undoable } = session;
  if (undoable?.what !== 'revert' || undoable.items === 0) return null;
  const items = messages.flatMap((one) =>
    (one.role === 'user' && !one.metadata.queued) || one.role === 'assistant' || one.role === 'tool' ? [one] : [],
  );
  const last = items.at(-1);
  const { itemId, tip } = undoable;
  const stands = last === undefined || (last.metadata.left ?? []).some((left) => left.itemId === itemId);
  if (!stands || (tip && tips.has(tip))) return null;
  return { items: undoable.items, itemId, unanswered: last?.role === 'user' || last?.role === 'tool' };
}

/** "You went back. [Return]": a rollback while nothing was said since (L4). */
export function WentBackSlot({ back }: { readonly back: WentBack }) {
  const { actions } = useChatScope();
  const { travel, blocked, land } = useTravel();
  const [problem, setProblem] = useState<string | null>(null);
  const [going, setGoing] = useState(false);
  const speak = useSpeak();
  if (travel === null) return null;
  const goBack = async () => {
    // A second press would undo one thing more: an older revert, or a summary.
    if (going) return;
    if (blocked !== null) return setProblem(blocked);
    setGoing(true);
    const answer = await travel.rollback();
    setGoing(false);
    if (!answer.ok) return setProblem(answer.message);
    speak('You are back where you were.');
    if (back.itemId !== null) land({ id: back.itemId, on: 'message' });
  };
  const goOn = async () => {
    const answer = await actions?.goOn();
    if (answer && !answer.ok) setProblem(answer.message);
  };
  return (
    <section aria-label="You went back" className="slot" data-look="plain">
      <Undo2 aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-ink-2 max-rail:mt-1" />
      <div className="slot-words">
        <p>
          <span className="font-[650]">You went back.</span>{' '}
          <span className="numbers">
            {back.items === 1 ? '1 message is kept' : `${back.items} messages are kept`} as another branch.
          </span>
        </p>
        {problem ? (
          <p role="alert" className="text-small text-danger">
            {problem}
          </p>
        ) : null}
      </div>
      <div className="slot-actions">
        {back.unanswered ? (
          <Button look="link" onClick={() => void goOn()}>
            Answer it again
          </Button>
        ) : null}
        <Button aria-disabled={blocked !== null || going} onClick={() => void goBack()}>
          Return
        </Button>
      </div>
    </section>
  );
}
