'use client';

import { useQuery } from '@tanstack/react-query';
import { GitBranch, Undo2 } from 'lucide-react';
import Link from 'next/link';
import type { AssistantMessage, Message, ToolMessage, UserMessage } from '@/server/contract/message';
import { sessionQuery } from '../sync/queries';
import { Button } from '../ui/button';
import { formatClock } from '../ui/format-time';
import { useSpeak } from '../ui/live-region';
import { useTravel } from './travel-context';
import { useRefusal } from './use-refusal';

/** The title of another conversation as the way to it; `itemId`: where in it. */
export function ConversationLink({ id, itemId }: { readonly id: string; readonly itemId?: string | null }) {
  const session = useQuery({ ...sessionQuery(id), retry: false });
  if (session.isError || session.data?.deletedAt) return <span>a deleted conversation</span>;
  const title = session.data?.title || 'New conversation';
  return <Link href={`/c/${id}${itemId ? `?m=${itemId}` : ''}`}>{session.data ? title : 'another conversation'}</Link>;
}

type ItemMessage = UserMessage | AssistantMessage | ToolMessage;
type Left = NonNullable<ItemMessage['metadata']['left']>[number];

/** What leads away from these messages: forks, where this conversation itself began, what a revert left (L3, L4). */
export function Crossroads({ messages }: { readonly messages: readonly Message[] }) {
  const { parent } = useTravel();
  const items = messages.filter(isItem);
  const forks = items.flatMap(({ metadata }) => metadata.forks ?? []);
  const begins = parent !== null && parent.itemId !== null && items.some(({ id }) => id === parent.itemId);
  const left = useTold(items.flatMap(({ metadata }) => metadata.left ?? []));
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
        <LeftLine key={one.tip} left={one} />
      ))}
    </ul>
  );
}

/** What was left before the very first message: nothing stands above it to say so at. */
export function CrossroadsBefore({ message }: { readonly message: UserMessage }) {
  const left = useTold(message.metadata.leftBefore ?? []);
  if (left.length === 0) return null;
  return (
    <ul className="crossroads">
      {left.map((one) => (
        <LeftLine key={one.tip} left={one} />
      ))}
    </ul>
  );
}

/** Where a person went back it is told for good; what an edit or another try left only where no arrow leads to it. */
function useTold(left: readonly Left[]): readonly Left[] {
  const { tips } = useTravel();
  return left.filter(({ by, tip }) => by === 'back' || !tips.has(tip));
}

function isItem(message: Message): message is ItemMessage {
  return message.role === 'user' || message.role === 'assistant' || message.role === 'tool';
}

const leftWords: Readonly<Record<Left['by'], string>> = {
  back: 'You went back to here',
  edit: 'You edited the next message here',
  again: 'You tried again here',
  switch: 'You left another branch here',
};

function LeftLine({ left }: { readonly left: Left }) {
  const { travel, blocked, land } = useTravel();
  const { problem, refuse } = useRefusal(left.itemId);
  const speak = useSpeak();
  const goTo = async () => {
    if (blocked !== null || !travel) return refuse(blocked);
    const answer = await travel.revert(left.tip);
    if (!answer.ok) return refuse(answer.message);
    speak('You are back where you were.');
    land({ id: left.itemId, on: 'message' });
  };
  const at = formatClock(new Date(left.at));
  const count = left.items === 1 ? '1 message is kept.' : `${left.items} messages are kept.`;
  return (
    <li>
      <Undo2 aria-hidden size={14} strokeWidth={1.75} />
      <span className="numbers">
        {leftWords[left.by]} at {at}; {count}{' '}
        {travel ? (
          <Button look="link" size="small" aria-disabled={blocked !== null} onClick={() => void goTo()}>
            Return to {left.items === 1 ? 'it' : 'them'}
          </Button>
        ) : null}
      </span>
      {problem ? <span className="text-danger">{problem}</span> : null}
    </li>
  );
}
