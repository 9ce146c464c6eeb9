import { isKnown } from '@/server/core/projection/log-state-path';
import type { SessionState } from '@/server/core/projection/state-shape';
import { plan, refuse, refuseWhileCompacting, type TravelPlan } from './travel-plan';

/**
 * Shows again what a trim left out, because a person wants it (B6). Only a trim in force; the next message trims again where
 * the view does not fit.
 */
export function planUntrim(state: SessionState, trimId: string): TravelPlan {
  const busy = refuseWhileCompacting(state);
  if (busy) return busy;
  if (state.trims.some(({ id }) => id === trimId)) return plan({ type: 'view.untrimmed', trimId, why: 'person' });
  const isThere = state.path.some((event) => isKnown(event) && event.type === 'view.trimmed' && event.id === trimId);
  return isThere
    ? refuse('conflict', 'Nothing of this is left out any more.')
    : refuse('not_found', 'There is no such trim in this conversation as it stands.');
}
