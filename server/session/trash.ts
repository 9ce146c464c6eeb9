import { AppError } from '@/server/contract/error';
import type { TrashAnswer } from '@/server/contract/operations';
import type { Session } from '@/server/contract/session';
import type { IndexedSession, SessionIndex } from '@/server/ports/session-index';
import type { SessionWriter } from './append-events';
import type { SessionJobs } from './session-jobs';
import { summaryOf } from './session-summary';
import { toSession, type WholeDeps } from './to-session';
import { DAY_MS } from './trash-keeper';

export interface TrashDeps extends WholeDeps {
  readonly writer: SessionWriter;
  readonly index: SessionIndex;
  readonly jobs: SessionJobs;
}

/** Deleted conversations, and the way back (`contract.md` 17). */
export interface TrashUse {
  /**
   * Newest first; `goneAt`: until then it is kept for certain (`trash.keep_days`), after it a round removes it for good. Conversations
   * of one log go together: null while one of them lives.
   */
  list(): TrashAnswer;
  /** Appends `session.restored`; `conflict` for one that is not deleted. What waited in it goes on. */
  restore(sessionId: string, by: string): Promise<Session>;
}

/** The trash over the index. */
export function createTrash(deps: TrashDeps): TrashUse {
  const { writer, index, jobs } = deps;
  return {
    list: () => {
      const keepMs = deps.settings.current().trash.keep_days * DAY_MS;
      const all = index.all();
      const newest = findNewestDeletions(all);
      const rows = all.flatMap((session) => {
        const { id, title, deletedAt } = summaryOf(session) ?? { id: '', title: '', deletedAt: null };
        if (deletedAt === null || !session.deleted || session.kind === 'subagent') return [];
        const last = newest.get(session.logId) ?? null;
        const goneAt = last === null ? null : new Date(Date.parse(last) + keepMs).toISOString();
        return [{ id, title, deletedAt, goneAt }];
      });
      return { sessions: rows.sort((a, b) => Date.parse(b.deletedAt) - Date.parse(a.deletedAt)) };
    },
    restore: async (sessionId, by) => {
      await writer.appendToDeleted(sessionId, ({ session }) => {
        if (!session.deleted) throw new AppError('conflict', 'This conversation is not in the trash.');
        return { events: [{ type: 'session.restored', by }], result: undefined };
      });
      const loaded = await writer.load(sessionId);
      jobs.wakeQueue(loaded.session);
      return toSession(deps, loaded);
    },
  };
}

/** Of each log when its last conversation was deleted; null while one of them lives. */
function findNewestDeletions(all: readonly IndexedSession[]): ReadonlyMap<string, string | null> {
  const newest = new Map<string, string | null>();
  for (const session of all) {
    if (session.kind === 'subagent') continue;
    const own = session.deleted ? (summaryOf(session)?.deletedAt ?? null) : null;
    const held = newest.get(session.logId);
    const isKept = own === null || held === null;
    newest.set(session.logId, isKept ? null : held === undefined || held < own ? own : held);
  }
  return newest;
}
