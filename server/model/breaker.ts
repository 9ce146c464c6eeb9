import type { ProviderTrouble } from '@/server/ports/model';
import { ADVANCING } from './retry';

/** Consecutive failures of one provider, and until when it is passed over. */
export interface BreakerState {
  readonly failures: number;
  readonly openUntilMs: number | null;
}

export const CLOSED: BreakerState = { failures: 0, openUntilMs: null };
const FAILURES_TO_OPEN = 3;
const OPEN_MS = 30_000;

/** G4: three failures in a row of a provider pass it over for 30 s; any success closes it again. */
export function stepBreaker(state: BreakerState, seen: { readonly ok: boolean; readonly nowMs: number }): BreakerState {
  if (seen.ok) return CLOSED;
  const failures = state.failures + 1;
  return { failures, openUntilMs: failures >= FAILURES_TO_OPEN ? seen.nowMs + OPEN_MS : state.openUntilMs };
}

/** What an answer says of its provider's health: a refusal or a wrong request comes from one that is well (G4). */
export function judgeHealth(trouble: Pick<ProviderTrouble, 'kind'> | null): 'well' | 'failing' | null {
  if (trouble === null) return 'well';
  if (trouble.kind === 'cancelled') return null;
  return ADVANCING.has(trouble.kind) ? 'failing' : 'well';
}

/** Never true for a model a person just chose: they asked for exactly that one. */
export function isPassedOver(
  state: BreakerState,
  asked: { readonly nowMs: number; readonly chosenByPerson: boolean },
): boolean {
  return !asked.chosenByPerson && state.openUntilMs !== null && asked.nowMs < state.openUntilMs;
}
