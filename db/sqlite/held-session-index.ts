import type { IndexedSession, SessionIndex } from '@/server/ports/session-index';

/**
 * The session list on a disk that may be full: a row that could not be written is held in memory, answers in its place, and
 * is written as soon as anything else is (rel-S9). Its lines are in the log already, so it must not seem lost; the list
 * itself may show it late. Other errors of the list, and of reading it, are thrown as they are.
 */
export function createHeldSessionIndex(index: SessionIndex): SessionIndex {
  const held = new Map<string, IndexedSession>();
  const writeHeld = () => {
    try {
      for (const [id, session] of held) {
        index.put(session);
        held.delete(id);
      }
    } catch {
      // Still no room: they stay here.
    }
  };
  return {
    ...index,
    put: (session) => {
      writeHeld();
      try {
        index.put(session);
        held.delete(session.id);
      } catch (thrown) {
        held.set(session.id, session);
        throw thrown;
      }
    },
    get: (id) => held.get(id) ?? index.get(id),
    all: () => {
      const stored = index.all().filter(({ id }) => !held.has(id));
      return [...stored, ...held.values()];
    },
    list: (query) => {
      writeHeld();
      return index.list(query);
    },
    forgetLogs: (logIds) => {
      index.forgetLogs(logIds);
      for (const [id, { logId }] of held) if (logIds.includes(logId)) held.delete(id);
    },
    clear: () => {
      index.clear();
      held.clear();
    },
  };
}
