'use client';

import { useEffect, useRef, useState } from 'react';
import { useSpeak } from './live-region';
import type { Move } from './move-item';
import { useUndoToast } from './toast';

/** Which row takes the focus once a change is drawn; `button` where the focus was on the button that made it. */
export type FocusOn = { readonly key: string; readonly button: Move | null };

export type ListToChange<Item> = {
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  readonly nameOf: (item: Item) => string;
  readonly onChange: (items: readonly Item[]) => void;
};

export interface ListChanges<Item> extends ListToChange<Item> {
  /** Draws another list and offers the way back: a toast, and Ctrl+Z inside the list. `text` names the change. */
  readonly change: (next: readonly Item[], text: string) => void;
  /** Takes the newest change back; does nothing where there is none, or where the list was changed by somebody else since. */
  readonly undo: () => void;
  readonly focusOn: FocusOn | null;
  readonly setFocusOn: (focusOn: FocusOn | null) => void;
}

type Step<Item> = { readonly before: readonly Item[]; readonly after: readonly Item[] };

/**
 * Every change of an ordered list with its undo (ux 12), whoever makes it: the list by moving and removing, its owner by
 * adding and replacing. An undo brings back which items there were and their order, not what was written in them since.
 */
export function useListChanges<Item>(list: ListToChange<Item>): ListChanges<Item> {
  const { keyOf, nameOf } = list;
  const [focusOn, setFocusOn] = useState<FocusOn | null>(null);
  const steps = useRef<Step<Item>[]>([]);
  // The toast outlives the drawing it was offered in.
  const latest = useRef(list);
  useEffect(() => {
    latest.current = list;
  });
  const speak = useSpeak();
  const offerUndo = useUndoToast();
  const same = (a: readonly Item[], b: readonly Item[]) => a.map(keyOf).join('\n') === b.map(keyOf).join('\n');
  const undo = () => {
    const { items: now, onChange } = latest.current;
    const step = steps.current.pop();
    if (!step) return;
    if (!same(step.after, now)) {
      steps.current = [];
      speak('Nothing was undone: the list has changed since.');
      return;
    }
    const back = step.before.map((item) => now.find((other) => keyOf(other) === keyOf(item)) ?? item);
    const gone = back.find((item) => !now.some((other) => keyOf(other) === keyOf(item)));
    onChange(back);
    speak(gone === undefined ? 'Undone' : `Undone, ${nameOf(gone)} is back`);
    const row = gone ?? back.find((item, index) => keyOf(item) !== keyOf(now[index] ?? item)) ?? back[0];
    if (row !== undefined) setFocusOn({ key: keyOf(row), button: null });
  };
  const change = (next: readonly Item[], text: string) => {
    steps.current.push({ before: latest.current.items, after: next });
    latest.current.onChange(next);
    offerUndo({ text, onUndo: undo });
  };
  return { ...list, change, undo, focusOn, setFocusOn };
}
