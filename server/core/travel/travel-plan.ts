import type { NewEvent } from '@/server/core/log/new-event';
import { isKnown, linesBack } from '@/server/core/projection/log-state-path';
import { statusOf } from '@/server/core/projection/session-row';
import type { LogState, SessionState } from '@/server/core/projection/state-shape';

/** Why a journey is not made: expected, so a value. `text` is for a person. */
export interface Refused {
  readonly ok: false;
  readonly code: 'conflict' | 'not_found' | 'invalid_request';
  readonly text: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** What is appended for it; no events: it is so already. Nothing that stands in the log is copied (L5). */
export interface Planned {
  readonly ok: true;
  readonly events: readonly NewEvent[];
}

export type TravelPlan = Planned | Refused;

/** A plan that cannot be: its code and a sentence for the person. */
export const refuse = (code: Refused['code'], text: string): Refused => ({ ok: false, code, text });

/** A plan that can be: what it appends, nothing where things stand so already. */
export const plan = (...events: readonly NewEvent[]): Planned => ({ ok: true, events });

/**
 * Why the head must stay where it is now (`contract.md` 2): a turn, a parked one too, or a compaction runs. A preview that
 * waits for a person runs no more. Null: it may move.
 */
export function refuseWhileRunning(state: SessionState): Refused | null {
  if (statusOf(state) === 'compacting') return refuse('conflict', 'A compaction runs. Stop it, or wait for its end.');
  if (state.parked !== null)
    return refuse('conflict', 'A tool waits for your yes or no. Decide, or stop this reply first.');
  if (state.openTurn !== null) return refuse('conflict', 'A reply runs. Stop it, or wait for its end.');
  return null;
}

/** As `refuseWhileRunning`, for changes that a running turn does not mind. */
export function refuseWhileCompacting(state: SessionState): Refused | null {
  return statusOf(state) === 'compacting'
    ? refuse('conflict', 'A compaction runs. Stop it, or wait for its end.')
    : null;
}

/** Why nothing goes to a line: what leads to it was written by a newer version, and a branch on that takes no more lines. */
export function refuseNewer(log: LogState, head: number): Refused | null {
  for (const line of linesBack(log, head)) {
    if (!isKnown(line)) return refuse('conflict', 'What comes before this was written by a newer version of Tidemark.');
  }
  return null;
}
