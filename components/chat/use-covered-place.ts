'use client';

import { useEffect, useMemo, useRef, useState } from 'react';
import type { FoldState } from './use-folds';
import type { ScrollController } from './use-scroll-controller';

interface Goal {
  readonly id: string;
  readonly unfolds: boolean;
}

function findGoal(
  content: HTMLElement,
  { id, unfolds }: Goal,
): { place: HTMLElement; focus: HTMLElement | null } | null {
  const name = CSS.escape(id);
  const place = content.querySelector<HTMLElement>(unfolds ? `[data-covered-of="${name}"]` : `[data-block="${name}"]`);
  if (!place) return null;
  return { place, focus: place.querySelector<HTMLElement>(unfolds ? '.covered-strip' : '[data-fold-head]') };
}

/**
 * Covered messages unfold above their card, out of sight: their beginning is brought into view with the strip that says
 * what they are; folded again, the card is (ux 6.2).
 */
export function useCoveredPlace(
  folds: FoldState,
  { contentRef, show }: Pick<ScrollController, 'contentRef' | 'show'>,
): FoldState {
  const [goal, setGoal] = useState<Goal | null>(null);
  const done = useRef<Goal | null>(null);
  // After the drawing that put it on the page, or took it away.
  useEffect(() => {
    const content = contentRef.current;
    if (goal === null || content === null || done.current === goal) return;
    const found = findGoal(content, goal);
    if (!found) return;
    done.current = goal;
    show(found.place);
    found.focus?.focus({ preventScroll: true });
  });
  return useMemo(
    () => ({
      ...folds,
      toggleCovered: (id) => {
        folds.toggleCovered(id);
        setGoal({ id, unfolds: !folds.isCoveredShown(id) });
      },
    }),
    [folds],
  );
}
