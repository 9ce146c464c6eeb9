'use client';

import { memo, useRef, useState } from 'react';
import type { UserMessage } from '@/server/contract/message';
import { AsideText } from './aside-text';
import { wordAside } from './aside-words';
import { Attachment } from './attachment';
import { BranchSwitch } from './branch-switch';
import { Clock } from './clock';
import { Crossroads, CrossroadsBefore } from './crossroads';
import { filesOf, MessageEditor } from './message-editor';
import { MessageTools } from './message-tools';

export function textOfUser(message: UserMessage): string {
  return message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}

export type UserBlockProps = { readonly message: UserMessage; readonly covered: boolean; readonly newest: boolean };

/** What a person said, exactly as typed: no Markdown, line breaks kept. No region: landmarks of one name lead nowhere. */
export const UserBlock = memo(function UserBlock({ message, covered, newest }: UserBlockProps) {
  const { kind, alternatives, bytes } = message.metadata;
  const [editing, setEditing] = useState(false);
  const block = useRef<HTMLElement>(null);
  const text = textOfUser(message);
  const close = () => {
    setEditing(false);
    // The editor takes its focus along; the message it stood for keeps it.
    block.current?.closest<HTMLElement>('[data-block]')?.focus({ preventScroll: true });
  };
  const aside = wordAside(kind, text);
  const reason = filesOf(message) === null ? 'a file of it cannot be sent again.' : null;
  return (
    <article
      ref={block}
      className="user-turn"
      aria-label={kind === 'person' ? 'You said' : kind === 'command' ? 'Command' : 'Added by the tool'}
      data-covered={covered ? '' : undefined}
    >
      <CrossroadsBefore message={message} />
      <Clock at={message.at} />
      {editing ? (
        <MessageEditor message={message} text={text} onDone={close} />
      ) : (
        <>
          <div className={aside ? undefined : 'user-block'}>
            {aside ? <AsideText words={aside} /> : <UserText text={text} />}
            {message.parts.map((part) =>
              part.type === 'text' ? null : (
                <Attachment
                  key={part.url}
                  name={part.name ?? 'image'}
                  bytes={part.bytes}
                  url={part.url}
                  kind={part.type}
                />
              ),
            )}
          </div>
          <MessageTools
            messageId={message.id}
            text={() => text}
            foldable={false}
            newest={newest}
            edit={kind === 'person' ? { open: () => setEditing(true), reason } : undefined}
            covered={covered ? { part: { from: message.id, through: message.id }, bytes } : undefined}
          >
            {alternatives ? <BranchSwitch id={message.id} alternatives={alternatives} /> : null}
          </MessageTools>
          <Crossroads messages={[message]} />
        </>
      )}
    </article>
  );
});

export function UserText({ text }: { readonly text: string }) {
  return <p className="whitespace-pre-wrap">{text}</p>;
}
