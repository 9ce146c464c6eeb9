'use client';

import { type KeyboardEvent, useCallback, useEffect, useId, useState } from 'react';

export type ComboboxOptions<Item> = {
  readonly open: boolean;
  /** In the order they are drawn, groups already flattened. */
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  /** Null when the item can be chosen; otherwise why it cannot. Such rows can be reached, not chosen. */
  readonly reasonOf?: (item: Item) => string | null;
  readonly onChoose: (item: Item, how: 'enter' | 'tab' | 'click') => void;
  readonly onClose: () => void;
  /** Whether Tab completes the highlighted row (slash menu) or leaves the field (everything else). */
  readonly tabCompletes?: boolean;
};

export type Combobox<Item> = {
  readonly active: Item | null;
  /** For the text field, which keeps the focus throughout. */
  readonly inputProps: {
    readonly role: 'combobox';
    readonly 'aria-expanded': boolean;
    readonly 'aria-controls': string | undefined;
    readonly 'aria-activedescendant': string | undefined;
    readonly 'aria-autocomplete': 'list';
  };
  readonly listProps: { readonly id: string; readonly role: 'listbox' };
  readonly optionProps: (item: Item) => {
    readonly id: string;
    readonly role: 'option';
    readonly 'aria-selected': boolean;
    readonly 'aria-disabled': true | undefined;
    readonly onPointerDown: (event: { preventDefault: () => void }) => void;
    readonly onPointerMove: () => void;
    readonly onClick: () => void;
  };
  /** Returns true when the key was used; the caller then does nothing else with it. */
  readonly onKeyDown: (event: KeyboardEvent) => boolean;
};

function nextIndex(key: string, at: number, count: number): number | null {
  if (count === 0) return null;
  if (key === 'ArrowDown') return (at + 1) % count;
  if (key === 'ArrowUp') return (at - 1 + count) % count;
  if (key === 'PageDown') return Math.min(at + 8, count - 1);
  if (key === 'PageUp') return Math.max(at - 8, 0);
  return null;
}

/**
 * One list under one text field: slash menu, palette, model overlay, agent picker. The focus never leaves the field; the
 * highlighted row is named by `aria-activedescendant`. The first row is highlighted, and again whenever the highlighted
 * one is filtered away. Up and Down wrap, Enter chooses, Escape closes and keeps the text, and a composing input method
 * is left alone.
 */
export function useCombobox<Item>(options: ComboboxOptions<Item>): Combobox<Item> {
  const { open, items, keyOf, reasonOf, onChoose, onClose, tabCompletes = false } = options;
  const listId = useId();
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const found = items.findIndex((item) => keyOf(item) === activeKey);
  const index = found === -1 ? 0 : found;
  const active = open ? (items[index] ?? null) : null;
  const optionId = useCallback((item: Item) => `${listId}-${keyOf(item)}`, [listId, keyOf]);
  const activeId = active === null ? undefined : optionId(active);

  useEffect(() => {
    if (!open) setActiveKey(null);
  }, [open]);
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView?.({ block: 'nearest' });
  }, [activeId]);

  const choose = (item: Item, how: 'enter' | 'tab' | 'click') => {
    if (!reasonOf?.(item)) onChoose(item, how);
  };
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (!open || event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey) return false;
    const moved = event.shiftKey ? null : nextIndex(event.key, index, items.length);
    if (moved !== null) {
      const item = items[moved];
      setActiveKey(item === undefined ? null : keyOf(item));
    } else if (event.key === 'Enter' && !event.shiftKey && active !== null) choose(active, 'enter');
    else if (event.key === 'Tab' && !event.shiftKey && tabCompletes && active !== null) choose(active, 'tab');
    else if (event.key === 'Escape') onClose();
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  return {
    active,
    inputProps: {
      role: 'combobox',
      'aria-expanded': open,
      'aria-controls': open ? listId : undefined,
      'aria-activedescendant': activeId,
      'aria-autocomplete': 'list',
    },
    listProps: { id: listId, role: 'listbox' },
    optionProps: (item) => ({
      id: optionId(item),
      role: 'option',
      'aria-selected': item === active,
      'aria-disabled': reasonOf?.(item) ? true : undefined,
      onPointerDown: (event) => event.preventDefault(),
      onPointerMove: () => setActiveKey(keyOf(item)),
      onClick: () => choose(item, 'click'),
    }),
    onKeyDown,
  };
}
