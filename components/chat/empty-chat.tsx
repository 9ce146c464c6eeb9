'use client';

import { useQuery } from '@tanstack/react-query';
import type { Session } from '@/server/contract/session';
import { agentQuery } from '../sync/queries';
import { Button } from '../ui/button';

export type EmptyChatProps = { readonly session: Session; readonly onOpener: (text: string) => void };

/** Before the first message: who this speaks with, what for, and the agent's own openers (ux 14). */
export function EmptyChat({ session, onOpener }: EmptyChatProps) {
  const agent = useQuery({ ...agentQuery(session.agentId ?? ''), enabled: session.agentId !== null });
  const content = agent.data?.published ?? null;
  return (
    <div className="px-5 py-8">
      <h2 className="title-1">{session.agentName ?? 'New conversation'}</h2>
      {content?.purpose ? (
        <p className="record mt-2 max-w-(--prose) text-record text-ink-2">{content.purpose}</p>
      ) : null}
      {content && content.openers.length > 0 ? (
        <ul className="mt-5 flex flex-col items-start gap-2">
          {content.openers.map((opener) => (
            <li key={opener}>
              <Button className="h-auto py-1 text-left font-[450] whitespace-normal" onClick={() => onOpener(opener)}>
                {opener}
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
