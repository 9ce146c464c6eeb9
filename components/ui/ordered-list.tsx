'use client';

import { ArrowDown, ArrowUp, GripVertical, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { IconButton } from './icon-button';
import type { CommandId } from './keyboard-catalogue';
import { useKeyboard } from './keyboard-provider';
import { useSpeak } from './live-region';
import { focusAfterRemoval, type Move, moveItem } from './move-item';
import type { ListChanges } from './use-list-changes';

export type OrderedListProps<Item> = {
  readonly label: string;
  /** The items, and the way to change them with their undo. */
  readonly changes: ListChanges<Item>;
  readonly children: (item: Item, index: number) => ReactNode;
  /** Said behind the new place of a moved item, for example “used first”. */
  readonly sayPlace?: (index: number) => string;
  /** Enter on a row; `row` is the row itself. */
  readonly onActivate?: (item: Item, row: HTMLElement) => void;
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

/** What the rows and their buttons do to the list. */
function useRowActs<Item>({ changes, sayPlace, onEmptied }: OrderedListProps<Item>) {
  const { items, keyOf, nameOf, change, setFocusOn } = changes;
  const speak = useSpeak();
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
  return { move, remove };
}

/** Brings the focus to the row a change named, once that row is drawn in its new place. */
function useRowFocus<Item>({ items, keyOf, focusOn, setFocusOn }: ListChanges<Item>) {
  const list = useRef<HTMLOListElement>(null);
  const rowAt = (index: number) => list.current?.querySelectorAll<HTMLElement>('[data-row]')[index];
  useEffect(() => {
    if (focusOn === null) return;
    const row = rowAt(items.findIndex((item) => keyOf(item) === focusOn.key));
    // A list that is not drawn yet as it was changed keeps the wish.
    if (!row) return;
    // A button that has become disabled at an end cannot hold the focus: the row does.
    (row.querySelector<HTMLElement>(`[data-move="${focusOn.button}"]:enabled`) ?? row).focus();
    setFocusOn(null);
  });
  return { list, rowAt };
}

/**
 * A list whose order matters: one tab stop for all rows (roving focus), moved by keys or by buttons, every change with
 * its undo. The first row cannot go up and says so by a disabled button, not by a missing one.
 */
export function OrderedList<Item>(props: OrderedListProps<Item>) {
  const { label, changes, children, onActivate } = props;
  const { items, keyOf, nameOf, undo } = changes;
  const { match } = useKeyboard();
  const { move, remove } = useRowActs(props);
  const { list, rowAt } = useRowFocus(changes);
  const [currentKey, setCurrentKey] = useState<string | null>(null);
  const current = Math.max(
    0,
    items.findIndex((item) => keyOf(item) === currentKey),
  );
  const onKeyDown = (event: KeyboardEvent<HTMLElement>, index: number) => {
    const onRow = event.target === event.currentTarget;
    const item = items[index];
    const wanted = moves.find(({ command }) => match(event, [command]) !== null);
    const row = onRow && !event.altKey ? nextRow(event.key, index, items.length) : null;
    if (wanted) move(index, wanted.move, false);
    else if (match(event, ['undoInList'])) undo();
    else if (onRow && match(event, ['removeItem'])) remove(index);
    else if (onRow && event.key === 'Enter' && onActivate && item !== undefined) onActivate(item, event.currentTarget);
    else if (row !== null) rowAt(row)?.focus();
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
          tabIndex={index === current ? 0 : -1}
          aria-keyshortcuts={rowKeys}
          onFocus={() => setCurrentKey(keyOf(item))}
          onKeyDown={(event) => onKeyDown(event, index)}
          className="flex min-h-12 items-center gap-3 py-1 pr-2 pl-3.5 first:rounded-t-card last:rounded-b-card focus-visible:-outline-offset-2"
        >
          <span className="record min-w-5 shrink-0 text-center text-card whitespace-nowrap text-ink-2">
            {index + 1}
          </span>
          <GripVertical aria-hidden size={14} className="shrink-0 text-ink-3 max-rail:hidden" />
          <div className="min-w-0 flex-1">{children(item, index)}</div>
          <RowButtons
            name={nameOf(item)}
            first={index === 0}
            last={index === items.length - 1}
            tabbable={index === current}
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
  /** Tab stops of the row that is the list's own; the others are reached by the mouse, and by keys through their row. */
  readonly tabbable: boolean;
  readonly onMove: (move: Move) => void;
  readonly onRemove: () => void;
};

function RowButtons({ name, first, last, tabbable, onMove, onRemove }: RowButtonsProps) {
  const tabIndex = tabbable ? 0 : -1;
  return (
    <div className="flex shrink-0">
      <IconButton
        icon={ArrowUp}
        size="small"
        label={`Move ${name} up`}
        command="moveUp"
        data-move="up"
        tabIndex={tabIndex}
        disabled={first}
        onClick={() => onMove('up')}
      />
      <IconButton
        icon={ArrowDown}
        size="small"
        label={`Move ${name} down`}
        command="moveDown"
        data-move="down"
        tabIndex={tabIndex}
        disabled={last}
        onClick={() => onMove('down')}
      />
      <IconButton
        icon={X}
        size="small"
        label={`Remove ${name}`}
        command="removeItem"
        tabIndex={tabIndex}
        onClick={onRemove}
      />
    </div>
  );
}
