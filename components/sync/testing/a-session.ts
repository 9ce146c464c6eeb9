import type { Session, SessionSummary } from '@/server/contract/session';
import { sessionId } from '../fold-stream-arbitraries';

const at = '2026-11-20T08:00:00.000Z';

/** A quiet conversation of 20 November 2026 as the list has it, for tests. */
export function aSessionRow(changes: Partial<SessionSummary> = {}): SessionSummary {
  return {
    id: sessionId,
    title: 'Harbour',
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
    createdAt: at,
    updatedAt: at,
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

/** The same, readable. */
export function aSession(changes: Partial<Session> = {}): Session {
  return {
    ...aSessionRow(),
    usage: { input: null, output: null, cachedRead: null, cachedWrite: null, reasoning: null },
    cost: null,
    context: {
      budgetBytes: 400_000,
      roomBytes: 390_000,
      usedBytes: 62_000,
      floor: [{ part: 'instructions', bytes: 10_000 }],
      basis: 'measured',
      triggerBytes: 330_000,
      conversation: [{ part: 'messages', bytes: 52_000 }],
      windowTokens: null,
      windowSource: 'known',
      reportedTokens: null,
      deferred: false,
      floorTooLarge: false,
    },
    settings: {},
    activity: null,
    readOnly: null,
    damage: [],
    undoable: null,
    ...changes,
  };
}
