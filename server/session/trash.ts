import { AppError } from '@/server/contract/error';
import type { TrashAnswer } from '@/server/contract/operations';
import type { Session } from '@/server/contract/session';
import type { SessionIndex } from '@/server/ports/session-index';
import type { SessionWriter } from './append-events';
import type { SessionJobs } from './session-jobs';
import { summaryOf } from './session-summary';
import { toSession, type WholeDeps } from './to-session';

export interface TrashDeps extends WholeDeps {
  readonly writer: SessionWriter;
  readonly index: SessionIndex;
  readonly jobs: SessionJobs;
}

/** Deleted conversations, and the way back (`contract.md` 17). */
export interface TrashUse {
  /** Newest first; `goneAt`: until then it is kept for certain (`trash.keep_days`). */
  list(): TrashAnswer;
  /** Appends `session.restored`; `conflict` for one that is not deleted. What waited in it goes on. */
  restore(sessionId: string, by: string): Promise<Session>;
}

const DAY_MS = 86_400_000;

/** The trash over the index: nothing in it is removed from a log. */
export function createTrash(deps: TrashDeps): TrashUse {
  const { writer, index, jobs } = deps;
  return {
    list: () => {
      const keepMs = deps.settings.current().trash.keep_days * DAY_MS;
      const deleted = index.all().filter((session) => session.deleted && session.kind !== 'subagent');
      const rows = deleted.flatMap((session) => {
        const { id, title, deletedAt } = summaryOf(session) ?? { id: '', title: '', deletedAt: null };
        if (deletedAt === null) return [];
        return [{ id, title, deletedAt, goneAt: new Date(Date.parse(deletedAt) + keepMs).toISOString() }];
      });
      return { sessions: rows.sort((a, b) => (a.deletedAt < b.deletedAt ? 1 : -1)) };
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
