'use client';

import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { UserMessage } from '@/server/contract/message';
import { makeId } from '../sync/make-id';
import { Button } from '../ui/button';
import { TextArea } from '../ui/field';
import { useKeyboard } from '../ui/keyboard-provider';
import { useTravel } from './travel-context';
import { useRescue } from './use-rescue';

const mostRows = 12;

/** Files of a message that can go along with its new words; null: one of them cannot be named again. */
export function filesOf(message: UserMessage): readonly { readonly sha256: string; readonly name?: string }[] | null {
  const files = message.parts.flatMap((part) => (part.type === 'text' ? [] : [part]));
  const named = files.flatMap(({ sha256, name }) => (sha256 ? [name ? { sha256, name } : { sha256 }] : []));
  return named.length === files.length ? named : null;
}

export type MessageEditorProps = {
  readonly message: UserMessage;
  readonly text: string;
  readonly onDone: () => void;
};

/** An earlier message in other words: it follows what the old one followed, and the old one stays as a branch (ux 5). */
export function MessageEditor({ message, text, onDone }: MessageEditorProps) {
  const scope = useTravel();
  const { match } = useKeyboard();
  const [words, setWords] = useState(text);
  const [problem, setProblem] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  const [clientMessageId] = useState(makeId);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(text.length, text.length);
  }, [text]);
  const rescue = useRescue(message.id, words === text ? '' : words);
  const send = async () => {
    const { travel } = scope;
    if (!travel || sending || words.trim() === '') return;
    if (scope.blocked !== null) return setProblem(scope.blocked);
    setSending(true);
    setProblem(null);
    rescue.whileSending();
    const { follows } = message.metadata;
    // Told by the message itself, though it may have left the page meanwhile. Null is an answer: before the first item.
    const after = follows === undefined ? await scope.pointBefore(message.id) : follows;
    const attachments = filesOf(message) ?? [];
    const answer =
      after === undefined
        ? ({ ok: false, message: 'What comes before this could not be read.' } as const)
        : await travel.edit({
            text: words,
            clientMessageId,
            after,
            ...(attachments.length > 0 ? { attachments } : {}),
          });
    setSending(false);
    if (!answer.ok) {
      rescue.afterRefusal(answer.message);
      return setProblem(answer.message);
    }
    scope.land({ id: answer.value, on: 'message', anchor: true });
    onDone();
  };
  const cancel = () => {
    rescue.letGo();
    onDone();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (event.key === 'Escape') cancel();
    else if (match(event, ['send', 'sendNow']) !== null) void send();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <form
      className="message-editor"
      aria-label="Edit your message"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <TextArea
        ref={field}
        aria-label="Your message"
        rows={Math.min(mostRows, words.split('\n').length + 1)}
        value={words}
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="flex flex-wrap items-center justify-end gap-2">
        <p className="mr-auto min-w-0 text-small text-ink-2 max-phone:basis-full">
          What follows is kept as another branch.
        </p>
        <Button look="quiet" onClick={cancel}>
          Cancel
        </Button>
        <Button type="submit" look="primary" aria-disabled={words.trim() === '' || sending}>
          {sending ? 'Sending…' : 'Send'}
        </Button>
      </div>
      {problem ? (
        <p role="alert" className="text-small text-danger">
          {problem}
        </p>
      ) : null}
    </form>
  );
}
