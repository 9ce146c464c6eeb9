'use client';

import { X } from 'lucide-react';
import { Button } from '../ui/button';
import { IconButton } from '../ui/icon-button';
import { useChatScope } from './chat-context';
import { useTravel } from './travel-context';
import type { TravelProblem } from './use-travel-scope';

/** What was refused where its place is gone from the page (ux 15): said above the composer, with the way to what was meant; or what was done. */
export function ProblemSlot({ problem: { text, messageId, isDone = false } }: { readonly problem: TravelProblem }) {
  const { jumpTo } = useChatScope();
  const { tell } = useTravel();
  return (
    <div role={isDone ? undefined : 'alert'} className="slot" data-look={isDone ? 'plain' : 'warn'}>
      <p className="slot-words">{text}</p>
      {messageId === null ? null : (
        <div className="slot-actions">
          <Button onClick={() => jumpTo(messageId)}>Show the message</Button>
        </div>
      )}
      <IconButton icon={X} label="Close" className="slot-close" onClick={() => tell(null)} />
    </div>
  );
}
