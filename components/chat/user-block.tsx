'use client';

import { memo } from 'react';
import type { UserMessage } from '@/server/contract/message';
import { Attachment } from './attachment';
import { Clock } from './clock';
import { MessageTools } from './message-tools';

export function textOfUser(message: UserMessage): string {
  return message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}

export type UserBlockProps = { readonly message: UserMessage; readonly covered: boolean };

/** What a person said, exactly as typed: no Markdown, line breaks kept. No region: landmarks of one name lead nowhere. */
export const UserBlock = memo(function UserBlock({ message, covered }: UserBlockProps) {
  const { kind } = message.metadata;
  return (
    <article
      className="user-turn"
      aria-label={kind === 'injected' ? 'Put in by the application' : 'You said'}
      data-covered={covered ? '' : undefined}
    >
      <Clock at={message.at} />
      <div className="user-block">
        {kind === 'injected' ? <p className="text-small text-ink-3">Put in by the application</p> : null}
        <UserText text={textOfUser(message)} />
        {message.parts.map((part) =>
          part.type === 'text' ? null : (
            <Attachment key={part.url} name={part.name ?? 'image'} bytes={part.bytes} url={part.url} kind={part.type} />
          ),
        )}
      </div>
      <MessageTools messageId={message.id} text={() => textOfUser(message)} foldable={false} />
    </article>
  );
});

export function UserText({ text }: { readonly text: string }) {
  return <p className="whitespace-pre-wrap">{text}</p>;
}
