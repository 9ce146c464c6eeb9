'use client';

import { FoldVertical, Link2 } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { IconButton } from '../ui/icon-button';
import { useSpeak } from '../ui/live-region';
import { useChatScope } from './chat-context';
import { CopyButton } from './copy-button';
import { copyText } from './copy-text';

export type MessageToolsProps = {
  readonly messageId: string;
  readonly text: () => string;
  /** Whether "Compact up to here" makes sense: not for what is covered already. */
  readonly foldable: boolean;
};

/** One tab stop; arrows move inside. Seen on hover and focus, and always where there is no pointer. */
export function MessageTools({ messageId, text, foldable }: MessageToolsProps) {
  const { actions, sessionId } = useChatScope();
  const bar = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const speak = useSpeak();
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const buttons = [...(bar.current?.querySelectorAll('button') ?? [])];
    if (step === 0 || buttons.length === 0) return;
    event.preventDefault();
    const next = (at + step + buttons.length) % buttons.length;
    setAt(next);
    buttons[next]?.focus();
  };
  const copyLink = async () => {
    const done = await copyText(`${location.origin}/c/${sessionId}?m=${messageId}`);
    speak(done ? 'Link copied' : 'The browser did not allow copying');
  };
  return (
    <div ref={bar} role="toolbar" aria-label="Actions for this message" className="message-tools" onKeyDown={onKeyDown}>
      <CopyButton text={text} label="Copy message" />
      <IconButton
        icon={Link2}
        label="Copy link"
        size="small"
        iconSize={16}
        tabIndex={at === 1 ? 0 : -1}
        onClick={() => void copyLink()}
      />
      {foldable && actions ? (
        <IconButton
          icon={FoldVertical}
          label="Compact up to here"
          size="small"
          iconSize={16}
          tabIndex={at === 2 ? 0 : -1}
          onClick={() => actions.compact({ upToItemId: messageId })}
        />
      ) : null}
    </div>
  );
}
