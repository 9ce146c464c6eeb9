'use client';

import { useQueryClient } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react';
import {
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { PlanItem } from '@/server/contract/shapes';
import { callApi, toMessage } from '../sync/api-client';
import { makeId } from '../sync/make-id';
import { planQuery } from '../sync/queries-chat';
import { putPlan } from '../sync/travel-actions';
import { Button } from '../ui/button';
import { Select, TextInput } from '../ui/field';
import { IconButton } from '../ui/icon-button';
import { useKeyboard } from '../ui/keyboard-provider';
import { useSpeak } from '../ui/live-region';
import { type Move, moveItem } from '../ui/move-item';
import { useUndoToast } from '../ui/toast';

const statuses: readonly { readonly value: PlanItem['status']; readonly word: string }[] = [
  { value: 'pending', word: 'To do' },
  { value: 'active', word: 'Doing' },
  { value: 'done', word: 'Done' },
];
const mostText = 2000;

/** Writes the whole list; drawn at once, and taken back with the reason where the server refuses it. */
function useSavePlan(sessionId: string) {
  const client = useQueryClient();
  const [problem, setProblem] = useState<string | null>(null);
  const { queryKey } = planQuery(sessionId);
  const save = async (items: readonly PlanItem[]) => {
    await client.cancelQueries({ queryKey });
    client.setQueryData(queryKey, { items: [...items] });
    try {
      await putPlan(sessionId, items, callApi);
      setProblem(null);
    } catch (thrown) {
      setProblem(toMessage(thrown));
      await client.invalidateQueries({ queryKey });
    }
  };
  return { problem, save };
}

export type PlanEditorProps = {
  readonly sessionId: string;
  readonly items: readonly PlanItem[];
  readonly onDone: () => void;
};

/** The plan by hand: every change is a plan of its own in the log, bound to where the conversation stands (L5). */
export function PlanEditor({ sessionId, items, onDone }: PlanEditorProps) {
  const { problem, save } = useSavePlan(sessionId);
  const speak = useSpeak();
  const offerUndo = useUndoToast();
  const [fresh, setFresh] = useState('');
  const first = useRef<HTMLHeadingElement>(null);
  useEffect(() => first.current?.focus(), []);
  const add = (event: FormEvent) => {
    event.preventDefault();
    const text = fresh.trim();
    if (text === '') return;
    setFresh('');
    void save([...items, { id: makeId(), text, status: 'pending' }]);
    speak(`Added: ${text}`);
  };
  const change = (item: PlanItem) => void save(items.map((one) => (one.id === item.id ? item : one)));
  const move = (index: number, how: Move) => {
    const next = moveItem(items, index, how);
    const item = items[index];
    if (next === items || !item) return;
    void save(next);
    speak(`${item.text}, now ${next.indexOf(item) + 1} of ${next.length}`);
  };
  const list = useRef<HTMLOListElement>(null);
  const keepPlace = useRemovedPlace(list, items);
  const remove = (item: PlanItem) => {
    keepPlace(item.id);
    void save(items.filter((one) => one.id !== item.id));
    offerUndo({ text: `“${item.text}” removed.`, onUndo: () => void save(items) });
  };
  return (
    <>
      <h2 ref={first} tabIndex={-1} className="title-3 mb-2">
        Edit the plan
      </h2>
      <ol ref={list} aria-label="Plan" className="plan-editor">
        {items.map((item, index) => (
          <PlanRow
            key={item.id}
            item={item}
            first={index === 0}
            last={index === items.length - 1}
            onChange={change}
            onMove={(how) => move(index, how)}
            onRemove={() => remove(item)}
          />
        ))}
      </ol>
      <form className="mt-2 flex gap-2" onSubmit={add}>
        <TextInput
          aria-label="New step"
          placeholder="New step"
          maxLength={mostText}
          className="min-w-0 flex-1"
          value={fresh}
          onChange={(event) => setFresh(event.target.value)}
        />
        <Button type="submit" aria-disabled={fresh.trim() === ''}>
          <Plus aria-hidden size={16} strokeWidth={1.75} />
          Add
        </Button>
      </form>
      {problem ? (
        <p role="alert" className="mt-2 text-small text-danger">
          {problem}
        </p>
      ) : null}
      <Button className="mt-3" onClick={onDone}>
        Done
      </Button>
    </>
  );
}

/**
 * Where the focus goes once a step is gone: to the button of the next one, else of the one before, else to the field for a
 * new one (ux 13). Not where a person put it elsewhere meanwhile.
 */
function useRemovedPlace(list: RefObject<HTMLOListElement | null>, items: readonly PlanItem[]) {
  const removed = useRef<{ readonly id: string; readonly place: number } | null>(null);
  useLayoutEffect(() => {
    const gone = removed.current;
    if (gone === null || items.some(({ id }) => id === gone.id)) return;
    removed.current = null;
    const active = document.activeElement;
    if (active !== null && active !== document.body) return;
    const buttons = list.current?.querySelectorAll<HTMLElement>('[data-do="remove"]') ?? [];
    const field = list.current?.parentElement?.querySelector<HTMLElement>('form input');
    (buttons[Math.min(gone.place, buttons.length - 1)] ?? field)?.focus();
  }, [items, list]);
  return (id: string) => {
    removed.current = { id, place: items.findIndex((item) => item.id === id) };
  };
}

type PlanRowProps = {
  readonly item: PlanItem;
  readonly first: boolean;
  readonly last: boolean;
  readonly onChange: (item: PlanItem) => void;
  readonly onMove: (how: Move) => void;
  readonly onRemove: () => void;
};

function PlanRow({ item, first, last, onChange, onMove, onRemove }: PlanRowProps) {
  const { match } = useKeyboard();
  const [text, setText] = useState(item.text);
  const held = useRef(item.text);
  // The agent may write it meanwhile; what is being typed here is left alone.
  if (held.current !== item.text) {
    if (text === held.current) setText(item.text);
    held.current = item.text;
  }
  const commit = () => {
    const next = text.trim();
    if (next === '') setText(item.text);
    else if (next !== item.text) onChange({ ...item, text: next });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (match(event, ['moveUp'])) onMove('up');
    else if (match(event, ['moveDown'])) onMove('down');
    else return;
    event.preventDefault();
  };
  return (
    <li onKeyDown={onKeyDown}>
      <TextInput
        aria-label={`Step: ${item.text}`}
        maxLength={mostText}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
          event.preventDefault();
          commit();
        }}
      />
      <div className="flex items-center gap-1">
        <Select
          aria-label={`State of ${item.text}`}
          value={item.status}
          onChange={(event) => {
            const status = statuses.find(({ value }) => value === event.target.value)?.value;
            if (status) onChange({ ...item, text: text.trim() || item.text, status });
          }}
        >
          {statuses.map(({ value, word }) => (
            <option key={value} value={value}>
              {word}
            </option>
          ))}
        </Select>
        <span className="ml-auto flex">
          <IconButton
            icon={ArrowUp}
            size="small"
            label={`Move ${item.text} up`}
            command="moveUp"
            aria-disabled={first}
            onClick={() => onMove('up')}
          />
          <IconButton
            icon={ArrowDown}
            size="small"
            label={`Move ${item.text} down`}
            command="moveDown"
            aria-disabled={last}
            onClick={() => onMove('down')}
          />
          <IconButton icon={X} size="small" label={`Remove ${item.text}`} data-do="remove" onClick={onRemove} />
        </span>
      </div>
    </li>
  );
}
