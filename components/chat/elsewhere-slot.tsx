'use client';

import { GitBranch, X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import type { ItemPlace } from '@/server/contract/search';
import { kindWords } from '../sessions/found-words';
import { Button } from '../ui/button';
import { formatRelative } from '../ui/format-time';
import { IconButton } from '../ui/icon-button';
import { useNow } from '../ui/use-now';
import { useTravel } from './travel-context';
import type { Jump } from './use-jump';

export type ElsewhereSlotProps = Pick<Jump, 'goThere' | 'stayHere'> & { readonly place: ItemPlace };

/**
 * What a search or a link led to stands on a branch that was left: how it begins, and the way there. The way has the focus, so
 * Enter goes on and Escape stays (X9).
 */
export function ElsewhereSlot({ place, goThere, stayHere }: ElsewhereSlotProps) {
  const { travel, blocked } = useTravel();
  const [problem, setProblem] = useState<string | null>(null);
  const slot = useRef<HTMLElement>(null);
  const words = useId();
  const now = useNow();
  // biome-ignore lint/correctness/useExhaustiveDependencies: with every other message that is asked for.
  useEffect(() => {
    (slot.current?.querySelector<HTMLElement>('[data-go]') ?? slot.current)?.focus({ preventScroll: true });
  }, [place.itemId]);
  const go = async () => setProblem(blocked ?? (await goThere()));
  return (
    <section
      ref={slot}
      tabIndex={-1}
      aria-label="On a branch you left"
      className="slot"
      data-look="plain"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        stayHere();
      }}
    >
      <GitBranch aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-ink-2 max-rail:mt-1" />
      <div className="slot-words" id={words}>
        <p>
          <span className="font-[650]">This is on a branch you left.</span>{' '}
          <span className="numbers text-ink-2">
            {kindWords[place.kind]}
            {now === null ? '' : `, ${formatRelative(new Date(place.at), now)}`}
          </span>
        </p>
        <p className="line-clamp-2 break-words text-ink-2">{place.snippet}</p>
        {problem ? (
          <p role="alert" className="text-small text-danger">
            {problem}
          </p>
        ) : null}
      </div>
      {travel ? (
        <div className="slot-actions">
          <Button data-go="" aria-describedby={words} aria-disabled={blocked !== null} onClick={() => void go()}>
            Go there
          </Button>
        </div>
      ) : null}
      <IconButton icon={X} label="Stay here" className="slot-close" onClick={stayHere} />
    </section>
  );
}
