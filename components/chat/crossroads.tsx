'use client';

import { useQuery } from '@tanstack/react-query';
import { GitBranch, Undo2 } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import type { Message } from '@/server/contract/message';
import { sessionQuery } from '../sync/queries';
import { Button } from '../ui/button';
import { formatClock } from '../ui/format-time';
import { useTravel } from './travel-context';

/** The title of another conversation as the way to it; `itemId`: where in it. */
export function ConversationLink({ id, itemId }: { readonly id: string; readonly itemId?: string | null }) {
  const session = useQuery({ ...sessionQuery(id), retry: false });
  if (session.isError || session.data?.deletedAt) return <span>a deleted conversation</span>;
  const title = session.data?.title || 'New conversation';
  return <Link href={`/c/${id}${itemId ? `?m=${itemId}` : ''}`}>{session.data ? title : 'another conversation'}</Link>;
}

/** What leads away from these messages: forks, where this conversation itself began, what a revert left (L3, L4). */
export function Crossroads({ messages }: { readonly messages: readonly Message[] }) {
  const { parent, tips } = useTravel();
  const items = messages.flatMap((one) =>
    one.role === 'user' || one.role === 'assistant' || one.role === 'tool' ? [one] : [],
  );
  const forks = items.flatMap(({ metadata }) => metadata.forks ?? []);
  // What arrows lead to needs no second way.
  const left = items.flatMap(({ metadata }) => metadata.left ?? []).filter(({ itemId }) => !tips.has(itemId));
  const begins = parent !== null && parent.itemId !== null && items.some(({ id }) => id === parent.itemId);
  if (forks.length === 0 && left.length === 0 && !begins) return null;
  return (
    <ul className="crossroads">
      {begins ? (
        <li>
          <GitBranch aria-hidden size={14} strokeWidth={1.75} />
          <span>
            Branched here from <ConversationLink id={parent.sessionId} itemId={parent.itemId} />
          </span>
        </li>
      ) : null}
      {forks.map((id) => (
        <li key={id}>
          <GitBranch aria-hidden size={14} strokeWidth={1.75} />
          <span>
            A branch begins here: <ConversationLink id={id} />
          </span>
        </li>
      ))}
      {left.map((one) => (
        <LeftLine key={one.itemId} left={one} />
      ))}
    </ul>
  );
}

function LeftLine({
  left,
}: {
  readonly left: { readonly at: string; readonly itemId: string; readonly items: number };
}) {
  const { travel, blocked, land } = useTravel();
  const [problem, setProblem] = useState<string | null>(null);
  const goTo = async () => {
    if (blocked !== null || !travel) return setProblem(blocked);
    const answer = await travel.revert(left.itemId);
    if (answer.ok) land({ id: left.itemId, on: 'message' });
    else setProblem(answer.message);
  };
  return (
    <li>
      <Undo2 aria-hidden size={14} strokeWidth={1.75} />
      <span className="numbers">
        You went back to here at {formatClock(new Date(left.at))};{' '}
        {left.items === 1 ? '1 message is kept.' : `${left.items} messages are kept.`}{' '}
        {travel ? (
          <Button look="link" size="small" aria-disabled={blocked !== null} onClick={() => void goTo()}>
            Return to {left.items === 1 ? 'it' : 'them'}
          </Button>
        ) : null}
      </span>
      {problem ? (
        <span role="alert" className="text-danger">
          {problem}
        </span>
      ) : null}
    </li>
  );
}
