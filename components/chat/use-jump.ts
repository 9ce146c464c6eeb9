'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import type { ChatStore } from '../sync/chat-store';
import { buildBlocks } from './build-turns';
import { requestReveal } from './jump-request';
import { type FoldState, findBlockKey } from './use-folds';
import type { ScrollController } from './use-scroll-controller';

const markMs = 2_000;
/** Pages read backwards for one jump; further up than this nobody points at by accident. */
const mostPages = 60;

export type JumpOptions = {
  readonly store: ChatStore;
  readonly folds: FoldState;
  readonly scroll: ScrollController;
  readonly loadBefore: () => Promise<void>;
  /** Says why a message is not gone to; null: it is. */
  readonly tell: (problem: string | null) => void;
};

/** What a revert left is kept and found, but not part of what is shown (X9). */
const leftText = 'That message is on a branch you left. The arrows, or Return where you went back, lead to it.';

function mark(element: HTMLElement): void {
  element.dataset.marked = '';
  setTimeout(() => {
    delete element.dataset.marked;
  }, markMs);
}

/** A result stands in a step of its reply: opened, and in sight once it is drawn. */
function showInside(block: HTMLElement, id: string, show: (element: HTMLElement) => void): void {
  requestReveal(id);
  requestAnimationFrame(() => {
    const step = block.querySelector<HTMLElement>(`[data-message-id="${CSS.escape(id)}"]`);
    if (step) show(step);
  });
}

/** Reads pages backwards until the message is held; false where the transcript ends before it. */
async function readUntil(store: ChatStore, loadBefore: () => Promise<void>, id: string): Promise<boolean> {
  for (let page = 0; page < mostPages; page += 1) {
    if (store.get().ids.has(id)) return true;
    if (!store.get().hasBefore) return false;
    await loadBefore();
  }
  return store.get().ids.has(id);
}

function summariesHeld(store: ChatStore): readonly string[] {
  return store.get().messages.flatMap((one) => (one.role === 'summary' && !one.metadata.reverted ? one.id : []));
}

/** Goes to the summary that many places above the oldest one held, reading older pages until it is there. */
export function useEarlierSummary(
  { store, loadBefore }: Pick<JumpOptions, 'store' | 'loadBefore'>,
  jumpTo: (id: string) => void,
): (places: number) => void {
  return useCallback(
    (places) => {
      const wanted = summariesHeld(store).length + places;
      const read = async () => {
        for (let page = 0; page < mostPages && summariesHeld(store).length < wanted; page += 1) {
          if (!store.get().hasBefore) break;
          await loadBefore();
        }
        const id = summariesHeld(store).at(-wanted);
        if (id !== undefined) jumpTo(id);
      };
      void read().catch(() => undefined);
    },
    [store, loadBefore, jumpTo],
  );
}

/** Scrolls to a message and marks it for two seconds; what covers it is unfolded, what is not held is read. */
export function useJump({ store, folds, scroll, loadBefore, tell }: JumpOptions): (id: string) => void {
  const { reveal } = folds;
  const { contentRef, show } = scroll;
  const [goal, setGoal] = useState<{ readonly key: string; readonly id: string } | null>(null);
  const done = useRef<object | null>(null);
  // After the drawing that put the block on the page.
  useEffect(() => {
    if (goal === null || done.current === goal) return;
    const element = contentRef.current?.querySelector<HTMLElement>(`[data-block="${CSS.escape(goal.key)}"]`);
    if (!element) return;
    done.current = goal;
    show(element);
    mark(element);
    if (goal.key !== goal.id) showInside(element, goal.id, show);
    element.querySelector<HTMLElement>('[data-fold-head], [data-compaction-row]')?.focus({ preventScroll: true });
  });
  return useCallback(
    (id) => {
      if (id === 'compaction') return setGoal({ key: id, id });
      void readUntil(store, loadBefore, id)
        .then((found) => {
          const { messages } = store.get();
          const isHere = found && reveal(messages, id);
          tell(isHere ? null : leftText);
          if (!isHere) return;
          setGoal({ key: findBlockKey(buildBlocks(messages), id) ?? id, id });
        })
        .catch(() => undefined);
    },
    [store, loadBefore, reveal, tell],
  );
}
