'use client';

import { type RefObject, useEffect } from 'react';
import { isTextField, useCommand, useKeyboard } from '../ui/keyboard-provider';
import type { ComposerHandle } from './composer';

export type TranscriptKeys = {
  readonly view: RefObject<HTMLElement | null>;
  readonly composer: RefObject<ComposerHandle | null>;
  readonly rename: () => void;
  readonly toEnd: () => void;
};

/** A block this near to the top of the view is the one being read. Pixels. */
const near = 24;

/**
 * The block to go to: seen from the one that has the focus while it is in sight, else from the top of the view. Where
 * nothing stands above that, the way back leads to the last one in sight, so a short conversation can be walked too.
 */
function pickBlock(view: HTMLElement, blocks: readonly HTMLElement[], step: 1 | -1): number {
  const top = view.getBoundingClientRect().top;
  const offsets = blocks.map((block) => block.getBoundingClientRect().top - top);
  const focused = blocks.findIndex((block) => block.contains(document.activeElement));
  const inSight = (offset: number) => offset > -near && offset < view.clientHeight;
  if (inSight(offsets[focused] ?? Number.NaN)) return focused + step;
  if (step === 1) return offsets.findIndex((offset) => offset > near);
  const above = offsets.findLastIndex((offset) => offset <= near);
  return above === -1 ? offsets.findLastIndex(inSight) : above;
}

/** Moves to the next block of a kind and gives it the focus. */
function move(view: HTMLElement | null, kinds: readonly string[], step: 1 | -1): void {
  if (!view) return;
  const all = [...view.querySelectorAll<HTMLElement>('[data-block]')];
  const blocks = all.filter((one) => kinds.includes(one.dataset.kind ?? ''));
  const block = blocks[pickBlock(view, blocks, step)];
  if (block) rest(view, block);
}

/** Near the top of the view, with the focus. */
function rest(view: HTMLElement, block: HTMLElement): void {
  view.scrollTop += block.getBoundingClientRect().top - view.getBoundingClientRect().top - 16;
  focusBlock(block);
}

function focusBlock(block: HTMLElement): void {
  const target = block.querySelector<HTMLElement>('[data-fold-head]') ?? block;
  if (target === block) block.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/** Presses a button of the message that has the focus, so that a key says and does what the button does. */
function press(view: HTMLElement | null, button: string): void {
  const block = document.activeElement?.closest<HTMLElement>('[data-block]');
  if (block && view?.contains(block)) block.querySelector<HTMLElement>(button)?.click();
}

/** The newest card, or the first message where nothing was folded: there the part that the model reads raw begins. */
function toNewestStart(view: HTMLElement): void {
  const heads = [...view.querySelectorAll<HTMLElement>('[data-fold-head]')];
  const block = heads.at(-1)?.closest<HTMLElement>('[data-block]') ?? view.querySelector<HTMLElement>('[data-block]');
  if (block) rest(view, block);
}

function toNewestEnd(view: HTMLElement, toEnd: () => void): void {
  const last = [...view.querySelectorAll<HTMLElement>('[data-block]')].at(-1);
  toEnd();
  if (last) focusBlock(last);
}

/** Only inside the transcript: in a field these keys move the caret, elsewhere the page. */
function useNewestKeys(view: RefObject<HTMLElement | null>, toEnd: () => void): void {
  const { match } = useKeyboard();
  useEffect(() => {
    const element = view.current;
    if (!element) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const command = isTextField(event.target) ? null : match(event, ['newestStart', 'newestEnd']);
      if (command === null) return;
      event.preventDefault();
      if (command === 'newestStart') toNewestStart(element);
      else toNewestEnd(element, toEnd);
    };
    element.addEventListener('keydown', onKeyDown);
    return () => element.removeEventListener('keydown', onKeyDown);
  }, [view, toEnd, match]);
}

/** Keys that move through a conversation (ux 16). */
export function useTranscriptKeys({ view, composer, rename, toEnd }: TranscriptKeys): void {
  useNewestKeys(view, toEnd);
  useCommand('focusComposer', () => composer.current?.focus());
  useCommand('renameSession', rename);
  useCommand('previousTurn', () => move(view.current, ['user'], -1));
  useCommand('nextTurn', () => move(view.current, ['user'], 1));
  useCommand('previousFold', () => move(view.current, ['summary'], -1));
  useCommand('nextFold', () => move(view.current, ['summary'], 1));
  useCommand('previousMessage', () => move(view.current, ['user', 'reply'], -1));
  useCommand('editMessage', () => press(view.current, '[data-do="edit"]'));
  useCommand('tryAgain', () => press(view.current, '[data-do="again"]'));
  useCommand('copyMessage', () => press(view.current, '.message-tools .copy-button'));
  useCommand('nextMessage', () => move(view.current, ['user', 'reply'], 1));
}
