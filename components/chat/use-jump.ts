'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import { AppError } from '@/server/contract/error';
import type { Message } from '@/server/contract/message';
import type { ItemPlace } from '@/server/contract/search';
import { toMessage } from '../sync/api-client';
import type { ChatStore } from '../sync/chat-store';
import type { TravelActions } from '../sync/travel-actions';
import { useSpeak } from '../ui/live-region';
import { buildBlocks } from './build-turns';
import { requestReveal } from './jump-request';
import { type FoldState, findBlockKey } from './use-folds';
import type { ScrollController } from './use-scroll-controller';

const markMs = 2_000;
export type JumpOptions = {
  readonly store: ChatStore;
  /** The store's messages as they are drawn, and the head they are of. */
  readonly messages: readonly Message[];
  readonly headMovedSeq: number;
  readonly folds: FoldState;
  readonly scroll: Pick<ScrollController, 'contentRef' | 'show'>;
  readonly loadBefore: () => Promise<void>;
  /** Where a message stands that is not held. */
  readonly readPlace: (id: string) => Promise<ItemPlace>;
  /** Null where the head cannot be moved by anybody. */
  readonly travel: Pick<TravelActions, 'revert'> | null;
  /** Says why a message is not gone to; null: it is. */
  readonly tell: (problem: string | null) => void;
};

export interface Jump {
  readonly jumpTo: (id: string) => void;
  /** What was asked for stands on a branch that was left; null: nothing of that kind. */
  readonly elsewhere: ItemPlace | null;
  /** Goes back to that branch and to the message on it; gives why not. */
  readonly goThere: () => Promise<string | null>;
  readonly stayHere: () => void;
}

/** Nothing that is shown has this id, now or on any branch that was left. */
const goneText = 'That message is not in this conversation.';

function mark(element: HTMLElement): void {
  element.dataset.marked = '';
  setTimeout(() => {
    delete element.dataset.marked;
  }, markMs);
}

/** What was jumped to is where reading and keys go on: a card's head, a step's line, or the message itself (ux 16). */
function focusOn(element: HTMLElement): void {
  const line = element.querySelector<HTMLElement>('[data-fold-head], [data-compaction-row]');
  const target = line ?? (element.matches('li') ? element.querySelector<HTMLElement>('button') : null) ?? element;
  if (target === element) element.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/** A result stands in a step of its reply: opened, and in sight once it is drawn. */
function showInside(block: HTMLElement, id: string, show: (element: HTMLElement) => void): void {
  requestReveal(id);
  requestAnimationFrame(() => {
    const step = block.querySelector<HTMLElement>(`[data-message-id="${CSS.escape(id)}"]`);
    if (!step) return;
    show(step);
    focusOn(step);
  });
}

/** Reads pages backwards until the message is held; false where the transcript ends before it. */
async function readUntil(store: ChatStore, loadBefore: () => Promise<void>, id: string): Promise<boolean> {
  while (!store.get().ids.has(id) && store.get().hasBefore) {
    const oldest = store.get().messages[0];
    await loadBefore();
    // Of another path by now, or of none: then nothing came in front, nor would it.
    if (store.get().messages[0] === oldest) break;
  }
  return store.get().ids.has(id);
}

/**
 * Scrolls to a message, marks it for two seconds and gives it the focus; what covers it is unfolded, what is not held is
 * read. One on a branch that was left is told with the way there (X9): a person goes, nothing moves by itself.
 */
export function useJump(options: JumpOptions): Jump {
  const { store, folds, scroll, loadBefore, readPlace, tell } = options;
  const { reveal } = folds;
  const setGoal = useGoal(scroll);
  const wanted = useRef<string | null>(null);
  const [elsewhere, setElsewhere] = useState<ItemPlace | null>(null);
  const showHeld = useCallback(
    (id: string) => {
      const { messages } = store.get();
      if (!reveal(messages, id)) return tell(goneText);
      setGoal({ key: findBlockKey(buildBlocks(messages), id) ?? id, id });
    },
    [store, reveal, tell, setGoal],
  );
  const jumpTo = useCallback(
    (id: string) => {
      wanted.current = id;
      setElsewhere(null);
      tell(null);
      if (id === 'compaction') return setGoal({ key: id, id });
      const find = async () => {
        const place = store.get().ids.has(id) ? null : await readPlace(id);
        if (wanted.current !== id) return;
        if (place && !place.onPath) return setElsewhere(place);
        await readUntil(store, loadBefore, id);
        if (wanted.current === id) showHeld(id);
      };
      void find().catch((thrown: unknown) => {
        const isGone = thrown instanceof AppError && thrown.code === 'not_found';
        if (wanted.current === id) tell(isGone ? goneText : toMessage(thrown));
      });
    },
    [store, loadBefore, readPlace, showHeld, setGoal, tell],
  );
  const stayHere = useCallback(() => setElsewhere(null), []);
  const goThere = useGoThere({ ...options, elsewhere, stayHere, showHeld });
  return { jumpTo, elsewhere, goThere, stayHere };
}

interface Goal {
  readonly key: string;
  readonly id: string;
}

/** Shows and marks a block after the drawing that put it on the page. */
function useGoal({ contentRef, show }: Pick<ScrollController, 'contentRef' | 'show'>): (goal: Goal) => void {
  const [goal, setGoal] = useState<Goal | null>(null);
  const done = useRef<object | null>(null);
  useEffect(() => {
    if (goal === null || done.current === goal) return;
    const element = contentRef.current?.querySelector<HTMLElement>(`[data-block="${CSS.escape(goal.key)}"]`);
    if (!element) return;
    done.current = goal;
    show(element);
    mark(element);
    focusOn(element);
    if (goal.key !== goal.id) showInside(element, goal.id, show);
  });
  return setGoal;
}

type GoThere = Pick<JumpOptions, 'store' | 'messages' | 'headMovedSeq' | 'loadBefore' | 'travel'> &
  Pick<Jump, 'elsewhere' | 'stayHere'> & { readonly showHeld: (id: string) => void };

/** The head moves first; the message is shown once the transcript is that of the branch it stands on. */
function useGoThere(parts: GoThere): Jump['goThere'] {
  const { store, messages, headMovedSeq, loadBefore, travel, elsewhere, stayHere, showHeld } = parts;
  const speak = useSpeak();
  const [pending, setPending] = useState<{ readonly id: string; readonly movedSeq: number } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: with every drawing of other messages, until it is among them.
  useEffect(() => {
    if (pending === null || headMovedSeq < pending.movedSeq) return;
    void readUntil(store, loadBefore, pending.id)
      .then((isHeld) => {
        if (!isHeld) return;
        setPending(null);
        showHeld(pending.id);
      })
      .catch(() => undefined);
  }, [pending, messages, headMovedSeq, store, loadBefore, showHeld]);
  return useCallback(async () => {
    if (elsewhere === null || travel === null) return null;
    const answer = await travel.revert(elsewhere.tip);
    if (!answer.ok) return answer.message;
    stayHere();
    speak('You are on the branch that you had left.');
    setPending({ id: elsewhere.itemId, movedSeq: answer.value.headMovedSeq });
    return null;
  }, [elsewhere, travel, stayHere, speak]);
}
