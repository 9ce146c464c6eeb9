'use client';

import type { ContextMeter as Meter } from '@/server/contract/context';
import { ContextBar } from './context-bar';
import { wordMeter } from './meter-segments';

export type ContextMeterProps = { readonly meter: Meter; readonly onOpen: () => void };

/** How full the context is, in the composer's foot; opens its parts on the Desk (ux 9). */
export function ContextMeter({ meter, onOpen }: ContextMeterProps) {
  const words = wordMeter(meter);
  if (meter.budgetBytes === 0) return null;
  const soon = words.level !== 'quiet';
  const hint = meter.basis === 'estimated' ? `${words.long}; measured at the next reply` : words.long;
  return (
    <button
      type="button"
      className="meter"
      data-level={words.level}
      aria-label={`Context: ${hint}${soon ? '. Compact soon' : ''}`}
      title={hint}
      onClick={onOpen}
    >
      <ContextBar meter={meter} width={104} height={8} />
      <span aria-hidden className="numbers">
        {words.short}
      </span>
      {soon ? (
        <span aria-hidden className="meter-soon">
          Compact soon
        </span>
      ) : null}
    </button>
  );
}
