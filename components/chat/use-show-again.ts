'use client';

import type { Session } from '@/server/contract/session';
import type { Part } from '../sync/travel-actions';
import { formatBytes } from '../ui/format-bytes';
import { useTravel } from './travel-context';
import type { ActEnd } from './use-message-acts';

/** "62.1 kB → 65.3 kB of 400 kB": the whole view, before and after. */
export function sayChange(
  change: { readonly beforeBytes: number; readonly afterBytes: number },
  budgetBytes: number,
): string {
  const of = budgetBytes > 0 ? ` of ${formatBytes(budgetBytes)}` : '';
  return `The model’s view was ${formatBytes(change.beforeBytes)} and is now ${formatBytes(change.afterBytes)}${of}.`;
}

export function budgetOf(session: Pick<Session, 'context'>): number {
  return session.context.budgetBytes;
}

/** One part of what a summary covers: in the model's view again or not, and the way between (X5). */
export function useShowAgain(covered: { readonly part: Part } | null): {
  readonly shown: boolean;
  readonly toggle: () => Promise<ActEnd>;
} {
  const { travel, inForce, shownAgain } = useTravel();
  const shown = covered !== null && shownAgain.ids.has(covered.part.from);
  const toggle = async (): Promise<ActEnd> => {
    if (!travel || !covered || inForce === null) return null;
    const answer = await (shown ? travel.fold(inForce, covered.part) : travel.expand(inForce, covered.part));
    if (!answer.ok) return { refused: answer.message };
    const { change } = answer.value;
    // The first message a person wrote stays word for word beside every summary.
    if (!shown && change.beforeBytes === change.afterBytes)
      return { done: 'The model had this word for word already.' };
    return { done: sayChange(change, budgetOf(answer.value)) };
  };
  return { shown, toggle };
}
