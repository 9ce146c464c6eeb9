'use client';

import { ArrowDown, ArrowUp, GripVertical, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { IconButton } from './icon-button';
import type { CommandId } from './keyboard-catalogue';
import { useKeyboard } from './keyboard-provider';
import { useSpeak } from './live-region';
import { focusAfterRemoval, type Move, moveItem } from './move-item';
import { useUndoToast } from './toast';

export type OrderedListProps<Item> = {
  readonly label: string;
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  readonly nameOf: (item: Item) => string;
  readonly onChange: (items: readonly Item[]) => void;
  readonly children: (item: Item, index: number) => ReactNode;
  /** Said behind the new place of a moved item, for example “used first”. */
  readonly sayPlace?: (index: number) => string;
  /** Enter on a row. */
  readonly onActivate?: (item: Item) => void;
  /** Takes the focus when the last item was removed. */
  readonly onEmptied?: () => void;
};

const moves: readonly { readonly command: CommandId; readonly move: Move }[] = [
  { command: 'moveUp', move: 'up' },
  { command: 'moveDown', move: 'down' },
  { command: 'moveFirst', move: 'first' },
  { command: 'moveLast', move: 'last' },
];

const rowKeys = 'Alt+ArrowUp Alt+ArrowDown Alt+Home Alt+End Delete';

function nextRow(key: string, at: number, count: number): number | null {
  const to: Readonly<Record<string, number>> = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: count - 1 };
  const wanted = to[key];
  return wanted === undefined || wanted < 0 || wanted >= count ? null : wanted;
}

/** The row that takes the focus after a change, and its button when that was what moved it. */
type FocusOn = { readonly key: string; readonly button: Move | null };

/** The changes of a list with their undo, and which row takes the focus after each. */
function useListChanges<Item>(props: OrderedListProps<Item>) {
  const { items, keyOf, nameOf, onChange, sayPlace, onEmptied } = props;
  const [focusOn, setFocusOn] = useState<FocusOn | null>(null);
  const past = useRef<(readonly Item[])[]>([]);
  const speak = useSpeak();
  const offerUndo = useUndoToast();
  const undo = () => {
    const before = past.current.pop();
    if (before) onChange(before);
  };
  const change = (next: readonly Item[], text: string) => {
    past.current.push(items);
    onChange(next);
    offerUndo({ text, onUndo: undo });
  };
  const move = (index: number, how: Move, byButton: boolean) => {
    const item = items[index];
    const next = moveItem(items, index, how);
    if (item === undefined || next === items) return;
    const place = next.indexOf(item);
    change(next, `${nameOf(item)} moved.`);
    setFocusOn({ key: keyOf(item), button: byButton ? how : null });
    speak([`${nameOf(item)}, now ${place + 1} of ${next.length}`, sayPlace?.(place)].filter(Boolean).join(', '));
  };
  const remove = (index: number) => {
    const item = items[index];
    if (item === undefined) return;
    const next = items.filter((_, other) => other !== index);
    change(next, `${nameOf(item)} removed.`);
    const to = focusAfterRemoval(index, next.length);
    const neighbour = to === null ? undefined : next[to];
    if (neighbour === undefined) onEmptied?.();
    else setFocusOn({ key: keyOf(neighbour), button: null });
  };
  return { focusOn, setFocusOn, undo, move, remove };
}

/**
 * A list whose order matters: rows with roving focus, moved by keys or by buttons, every change with its undo. The first
 * row cannot go up and says so by a disabled button, not by a missing one.
 */
export function OrderedList<Item>(props: OrderedListProps<Item>) {
  const { label, items, keyOf, nameOf, children, onActivate } = props;
  const { match } = useKeyboard();
  const { focusOn, setFocusOn, undo, move, remove } = useListChanges(props);
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (focusOn === null) return;
    const at = items.findIndex((item) => keyOf(item) === focusOn.key);
    const row = list.current?.querySelectorAll<HTMLElement>('[data-row]')[at];
    // A button that has become disabled at an end cannot hold the focus: the row does.
    (row?.querySelector<HTMLElement>(`[data-move="${focusOn.button}"]:enabled`) ?? row)?.focus();
    setFocusOn(null);
  }, [focusOn, items, keyOf, setFocusOn]);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>, index: number) => {
    const onRow = event.target === event.currentTarget;
    const item = items[index];
    const wanted = moves.find(({ command }) => match(event, [command]) !== null);
    const row = onRow && !event.altKey ? nextRow(event.key, index, items.length) : null;
    if (wanted) move(index, wanted.move, false);
    else if (match(event, ['undoInList'])) undo();
    else if (onRow && match(event, ['removeItem'])) remove(index);
    else if (onRow && event.key === 'Enter' && onActivate && item !== undefined) onActivate(item);
    else if (row !== null) list.current?.querySelectorAll<HTMLElement>('[data-row]')[row]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <ol ref={list} aria-label={label} className="divide-y divide-line rounded-card border border-line bg-raised">
      {items.map((item, index) => (
        <li
          key={keyOf(item)}
          data-row=""
          // biome-ignore lint/a11y/noNoninteractiveTabindex: roving focus through the rows is the list's pattern.
          tabIndex={0}
          aria-keyshortcuts={rowKeys}
          onKeyDown={(event) => onKeyDown(event, index)}
          className="flex min-h-12 items-center gap-3 py-1 pr-2 pl-3.5 first:rounded-t-card last:rounded-b-card focus-visible:-outline-offset-2"
        >
          <span className="record w-4 shrink-0 text-center text-card text-ink-2">{index + 1}</span>
          <GripVertical aria-hidden size={14} className="shrink-0 text-ink-3 max-rail:hidden" />
          <div className="min-w-0 flex-1">{children(item, index)}</div>
          <RowButtons
            name={nameOf(item)}
            first={index === 0}
            last={index === items.length - 1}
            onMove={(how) => move(index, how, true)}
            onRemove={() => remove(index)}
          />
        </li>
      ))}
    </ol>
  );
}

type RowButtonsProps = {
  readonly name: string;
  readonly first: boolean;
  readonly last: boolean;
  readonly onMove: (move: Move) => void;
  readonly onRemove: () => void;
};

function RowButtons({ name, first, last, onMove, onRemove }: RowButtonsProps) {
  return (
    <div className="flex shrink-0">
      <IconButton
        icon={ArrowUp}
        size="small"
        label={`Move ${name} up`}
        command="moveUp"
        data-move="up"
        disabled={first}
        onClick={() => onMove('up')}
      />
      <IconButton
        icon={ArrowDown}
        size="small"
        label={`Move ${name} down`}
        command="moveDown"
        data-move="down"
        disabled={last}
        onClick={() => onMove('down')}
      />
      <IconButton icon={X} size="small" label={`Remove ${name}`} command="removeItem" onClick={onRemove} />
    </div>
  );
}
