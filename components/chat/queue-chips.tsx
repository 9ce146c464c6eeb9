'use client';

import { ArrowDown, ArrowUp, Pencil, X } from 'lucide-react';
import { type KeyboardEvent, memo, useState } from 'react';
import type { UserMessage } from '@/server/contract/message';
import type { Outcome } from '../sync/actions';
import type { ChatState } from '../sync/fold-stream';
import { TextArea } from '../ui/field';
import { IconButton } from '../ui/icon-button';
import { useChatScope } from './chat-context';
import { textOfUser } from './user-block';

export type QueueChipsProps = Pick<ChatState, 'messages' | 'outbox'>;

/** Those that wait and are not drawn in the transcript as just sent. */
function queuedOf({ messages, outbox }: QueueChipsProps): readonly UserMessage[] {
  const drawn = new Set(outbox.filter((sent) => !sent.queued).map((sent) => sent.clientMessageId));
  return messages.flatMap((message) => {
    if (message.role !== 'user' || !message.metadata.queued) return [];
    return message.metadata.clientMessageId !== null && drawn.has(message.metadata.clientMessageId) ? [] : [message];
  });
}

/** Messages that wait, above the composer: to be edited, moved or taken back until their turn begins (ux 7.5). */
export const QueueChips = memo(function QueueChips({ messages, outbox }: QueueChipsProps) {
  const { actions } = useChatScope();
  const [problem, setProblem] = useState<string | null>(null);
  const waiting = queuedOf({ messages, outbox });
  const onItsWay = outbox.filter((sent) => sent.queued);
  if (actions === null || (waiting.length === 0 && onItsWay.length === 0)) return null;
  const ids = waiting.map((message) => message.id);
  const report = (outcome: Outcome) => setProblem(outcome.ok ? null : outcome.message);
  const move = (index: number, step: 1 | -1) => {
    const order = [...ids];
    const [id] = order.splice(index, 1);
    if (id) order.splice(index + step, 0, id);
    void actions.orderQueue(order).then(report);
  };
  return (
    <section aria-label="Waiting messages" className="queue">
      <ol>
        {waiting.map((message, index) => (
          <QueueChip
            key={message.id}
            message={message}
            first={index === 0}
            last={index === waiting.length - 1}
            onMove={(step) => move(index, step)}
            onOutcome={report}
          />
        ))}
        {onItsWay.map((sent) => (
          <li key={sent.clientMessageId} className="queue-chip">
            <span className="text-ink-3">Queued</span>
            <span className="min-w-0 flex-1 truncate">{sent.text}</span>
          </li>
        ))}
      </ol>
      {problem ? (
        <p role="alert" className="text-small text-danger">
          {problem}
        </p>
      ) : null}
    </section>
  );
});

type QueueChipProps = {
  readonly message: UserMessage;
  readonly first: boolean;
  readonly last: boolean;
  readonly onMove: (step: 1 | -1) => void;
  readonly onOutcome: (outcome: Outcome) => void;
};

function QueueChip({ message, first, last, onMove, onOutcome }: QueueChipProps) {
  const { actions } = useChatScope();
  const [editing, setEditing] = useState(false);
  const text = textOfUser(message);
  if (actions === null) return null;
  const save = async (next: string) => {
    setEditing(false);
    if (next.trim() !== '' && next !== text) onOutcome(await actions.editQueued(message.id, next));
  };
  if (editing) return <QueueEditor text={text} onSave={(next) => void save(next)} onCancel={() => setEditing(false)} />;
  return (
    <li className="queue-chip">
      <span className="text-ink-3">Queued</span>
      <span className="min-w-0 flex-1 truncate">{text}</span>
      {first && last ? null : (
        <>
          <IconButton
            icon={ArrowUp}
            label="Send earlier"
            size="small"
            aria-disabled={first}
            onClick={() => first || onMove(-1)}
          />
          <IconButton
            icon={ArrowDown}
            label="Send later"
            size="small"
            aria-disabled={last}
            onClick={() => last || onMove(1)}
          />
        </>
      )}
      <IconButton icon={Pencil} label="Edit" size="small" onClick={() => setEditing(true)} />
      <IconButton
        icon={X}
        label="Take back"
        size="small"
        onClick={() => void actions.removeQueued(message.id).then(onOutcome)}
      />
    </li>
  );
}

type QueueEditorProps = {
  readonly text: string;
  readonly onSave: (text: string) => void;
  readonly onCancel: () => void;
};

/** Enter and leaving save, Escape keeps what stood there. */
function QueueEditor({ text, onSave, onCancel }: QueueEditorProps) {
  const [next, setNext] = useState(text);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.shiftKey) return;
    if (event.key === 'Escape') onCancel();
    else if (event.key === 'Enter') onSave(next);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <li className="queue-chip">
      <TextArea
        autoFocus
        aria-label="Edit the waiting message"
        rows={Math.min(6, next.split('\n').length)}
        value={next}
        onChange={(event) => setNext(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => onSave(next)}
      />
    </li>
  );
}
