import type { SessionState } from '@/server/core/projection/state-shape';

export interface LiftInput {
  readonly state: Pick<SessionState, 'trims'>;
  /** The model of this turn is not the one of the last request. */
  readonly modelChanged: boolean;
  /** The conversation as if no trim were in force. */
  readonly untrimmedBytes: number;
  readonly triggerBytes: number;
}

/**
 * Trims to lift at turn entry (`contract.md` 11), by id, oldest first: all of them where another model has room for
 * everything, else none. Lifting with the same model would only break the prefix to trim again.
 */
export function planLift({ state, modelChanged, untrimmedBytes, triggerBytes }: LiftInput): readonly string[] {
  if (!modelChanged || untrimmedBytes >= triggerBytes) return [];
  return state.trims.map((event) => event.id);
}
