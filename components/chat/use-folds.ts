'use client';

import { useCallback, useMemo, useState } from 'react';
import type { Message } from '@/server/contract/message';
import { type Block, cutSegments, type Segment } from './build-turns';
import type { Folds } from './fold-context';

function toggled(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(id)) next.add(id);
  return next;
}

export interface ShownSegment extends Segment {
  /** The boundary this stretch begins under, with its card; null at the very beginning. */
  readonly under: Segment['boundary'];
}

/** From the newest boundary down; further up only as far as every boundary between was unfolded (ux 5). */
export function pickShown(messages: readonly Message[], unfolded: ReadonlySet<string>): readonly ShownSegment[] {
  const segments = cutSegments(messages);
  const shown: ShownSegment[] = [];
  for (let index = segments.length - 1; index >= 0; index -= 1) {
    const segment = segments[index];
    if (!segment) break;
    if (segment.boundary && !unfolded.has(segment.boundary.id)) break;
    shown.unshift({ ...segment, under: segments[index - 1]?.boundary ?? null });
  }
  return shown;
}

export interface FoldState extends Folds {
  readonly unfolded: ReadonlySet<string>;
  /** Shows the stretch that holds this message; false where it is not among those held. */
  readonly reveal: (messages: readonly Message[], messageId: string) => boolean;
  readonly open: (id: string) => void;
}

/** Which cards are open, and whose covered messages stand above them. */
export function useFolds(): FoldState {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const toggleOpen = useCallback((id: string) => setOpened((now) => toggled(now, id)), []);
  const toggleCovered = useCallback((id: string) => setUnfolded((now) => toggled(now, id)), []);
  const open = useCallback((id: string) => setOpened((now) => new Set(now).add(id)), []);
  const reveal = useCallback((messages: readonly Message[], messageId: string) => {
    const segments = cutSegments(messages);
    const at = segments.findIndex(
      (segment) => segment.boundary?.id === messageId || segment.messages.some((message) => message.id === messageId),
    );
    if (at === -1) return false;
    const isCard = segments[at]?.boundary?.id === messageId;
    const wanted = segments.slice(isCard ? at + 1 : at).flatMap((segment) => segment.boundary?.id ?? []);
    setUnfolded((now) => new Set([...now, ...wanted]));
    return true;
  }, []);
  return useMemo(
    () => ({
      unfolded,
      isOpen: (id) => opened.has(id),
      toggleOpen,
      isCoveredShown: (id) => unfolded.has(id),
      toggleCovered,
      open,
      reveal,
    }),
    [opened, unfolded, toggleOpen, toggleCovered, open, reveal],
  );
}

/** The block that draws a message: its own, or the reply it is a part of. */
export function findBlockKey(blocks: readonly Block[], messageId: string): string | null {
  const found = blocks.find((block) => {
    if (block.key === messageId) return true;
    if (block.kind !== 'reply') return false;
    if (block.messages.some((message) => message.id === messageId)) return true;
    return block.pieces.some(
      (piece) => piece.kind === 'steps' && piece.steps.some((step) => step.result?.id === messageId),
    );
  });
  return found?.key ?? null;
}
