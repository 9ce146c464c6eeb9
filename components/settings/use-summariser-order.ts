'use client';

import { useEffect, useRef, useState } from 'react';
import { toModelKey } from '@/server/contract/names';
import type { ListedModel } from './model-state';
import { useSaveSettings } from './use-save-settings';

type Models = readonly ListedModel[];

/** A list as it was put here. `over`: the stored one it still stands over; null until the server has answered. */
type Drawn = { readonly models: Models; readonly over: string | null };

const toText = (models: Models) => models.map(toModelKey).join('\n');

/**
 * The list as a person has it in hand: drawn from the key, before the server has it, so that a key held down moves what
 * is seen. A write that failed stays drawn with its way to try again; a conflict gives way to the list of the others.
 */
export function useSummariserOrder(stored: Models) {
  const { state, save } = useSaveSettings();
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const [last, setLast] = useState<Models | null>(null);
  const latest = useRef(stored);
  useEffect(() => {
    latest.current = stored;
  });
  const write = (models: Models) => {
    setDrawn({ models, over: null });
    save({ routing: { summarization_models: [...models] } }, (outcome) => {
      if (outcome === 'conflict') setDrawn(null);
      // The answer is on the page a moment later than this is heard: without a blink between the two.
      if (outcome === 'saved') setDrawn({ models, over: toText(latest.current) });
    });
  };
  const isDrawn = drawn !== null && (drawn.over === null || drawn.over === toText(stored));
  return {
    models: isDrawn ? drawn.models : stored,
    state,
    write: (models: Models) => {
      setLast(models);
      write(models);
    },
    /** The same list once more, after a failure or over what another window made of it. */
    retry: () => (last ? write(last) : undefined),
  };
}
