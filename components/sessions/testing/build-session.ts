import type { SessionSummary } from '@/server/contract/session';
import { aSessionRow } from '../../sync/testing/a-session';

/** A quiet conversation of 20 November 2026 for tests; `n` makes its id. */
export function buildSession(n: number, changes: Partial<SessionSummary> = {}): SessionSummary {
  return aSessionRow({ id: `01J${String(n).padStart(23, '0')}`, title: `Conversation ${n}`, ...changes });
}
