import type { SessionSummary } from '@/server/contract/session';

/** A quiet conversation of 20 November 2026 for tests; `n` makes its id. */
export function buildSession(n: number, changes: Partial<SessionSummary> = {}): SessionSummary {
  return {
    id: `01J${String(n).padStart(23, '0')}`,
    title: `Conversation ${n}`,
    titleBy: 'derived',
    agentId: null,
    agentName: 'Schema keeper',
    model: null,
    status: 'idle',
    running: false,
    pinned: false,
    archived: false,
    behind: false,
    summaries: 0,
    queued: 0,
    createdAt: '2026-11-20T08:00:00.000Z',
    updatedAt: '2026-11-20T08:00:00.000Z',
    headSeq: 1,
    headMovedSeq: 0,
    lastTurn: null,
    parent: null,
    practice: false,
    imported: false,
    deletedAt: null,
    ...changes,
  };
}
