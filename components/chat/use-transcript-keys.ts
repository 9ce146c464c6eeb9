'use client';

import type { RefObject } from 'react';
import { useCommand } from '../ui/keyboard-provider';
import type { ComposerHandle } from './composer';

export type TranscriptKeys = {
  readonly view: RefObject<HTMLElement | null>;
  readonly composer: RefObject<ComposerHandle | null>;
  readonly rename: () => void;
};

/** Moves to the next block of a kind, seen from what stands at the top of the view. */
function move(view: HTMLElement | null, kinds: readonly string[], step: 1 | -1): void {
  if (!view) return;
  const top = view.getBoundingClientRect().top;
  const blocks = [...view.querySelectorAll<HTMLElement>('[data-block]')].filter((block) =>
    kinds.includes(block.dataset.kind ?? ''),
  );
  const offsets = blocks.map((block) => block.getBoundingClientRect().top - top);
  const near = 24;
  const at =
    step === 1 ? offsets.findIndex((offset) => offset > near) : offsets.findLastIndex((offset) => offset < near - 16);
  const block = blocks[at];
  if (!block) return;
  view.scrollTop += (offsets[at] ?? 0) - 16;
  const target = block.querySelector<HTMLElement>('[data-fold-head]') ?? block;
  if (target === block) block.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/** Keys that move through a conversation (ux 16). */
export function useTranscriptKeys({ view, composer, rename }: TranscriptKeys): void {
  useCommand('focusComposer', () => composer.current?.focus());
  useCommand('renameSession', rename);
  useCommand('previousTurn', () => move(view.current, ['user'], -1));
  useCommand('nextTurn', () => move(view.current, ['user'], 1));
  useCommand('previousFold', () => move(view.current, ['summary'], -1));
  useCommand('nextFold', () => move(view.current, ['summary'], 1));
  useCommand('previousMessage', () => move(view.current, ['user', 'reply'], -1));
  useCommand('nextMessage', () => move(view.current, ['user', 'reply'], 1));
}
