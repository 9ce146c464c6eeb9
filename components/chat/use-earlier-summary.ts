'use client';

import { useCallback } from 'react';
import type { ChatStore } from '../sync/chat-store';

/** Pages read backwards for one summary; further up than this nobody points at by accident. */
const mostPages = 60;

function summariesHeld(store: ChatStore): readonly string[] {
  return store.get().messages.flatMap((one) => (one.role === 'summary' && !one.metadata.reverted ? one.id : []));
}

/** Goes to the summary that many places above the oldest one held, reading older pages until it is there. */
export function useEarlierSummary(
  { store, loadBefore }: { readonly store: ChatStore; readonly loadBefore: () => Promise<void> },
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
