'use client';

import { createContext } from 'react';

/** Which cards are open and whose covered messages are on the page; kept by the transcript they stand in. */
export interface Folds {
  readonly isOpen: (id: string) => boolean;
  readonly toggleOpen: (id: string) => void;
  readonly isCoveredShown: (id: string) => boolean;
  readonly toggleCovered: (id: string) => void;
}

export const FoldContext = createContext<Folds>({
  isOpen: () => false,
  toggleOpen: () => undefined,
  isCoveredShown: () => false,
  toggleCovered: () => undefined,
});
