import { and, desc, eq, lt, or, sql } from 'drizzle-orm';
import type { IndexedSession, SessionIndex, SessionQuery } from '@/server/ports/session-index';
import type { Sqlite } from './open';
import { indexedLogs, sessions } from './schema';

type SessionRow = typeof sessions.$inferSelect;

/** The session list (L1: derived). Newest first; a cursor is `<updatedAt>.<id>` of the last row shown. */
export function createSessionIndex(db: Sqlite): SessionIndex {
  return {
    put: (session) => {
      const { row, ...columns } = session;
      const set = { ...columns, rowJson: JSON.stringify(row) };
      db.insert(sessions).values(set).onConflictDoUpdate({ target: sessions.id, set }).run();
    },
    get: (id) => {
      const row = db.select().from(sessions).where(eq(sessions.id, id)).get();
      return row ? fromRow(row) : null;
    },
    ofLog: (logId) => db.select().from(sessions).where(eq(sessions.logId, logId)).all().map(fromRow),
    all: () => db.select().from(sessions).all().map(fromRow),
    list: (query) => {
      const rows = db
        .select()
        .from(sessions)
        .where(and(...conditions(query)))
        .orderBy(desc(sessions.updatedAt), desc(sessions.id))
        .limit(query.limit + 1)
        .all();
      const shown = rows.slice(0, query.limit).map(fromRow);
      const last = shown.at(-1);
      return { sessions: shown, nextCursor: rows.length > query.limit && last ? `${last.updatedAt}.${last.id}` : null };
    },
    clear: () => {
      db.delete(sessions).run();
      db.delete(indexedLogs).run();
    },
    notedSizes: () =>
      new Map(
        db
          .select()
          .from(indexedLogs)
          .all()
          .map(({ logId, bytes }) => [logId, bytes]),
      ),
    noteSizes: (sizes) =>
      db.transaction(() => {
        for (const size of sizes) {
          const set = { bytes: size.bytes };
          db.insert(indexedLogs).values(size).onConflictDoUpdate({ target: indexedLogs.logId, set }).run();
        }
      }),
  };
}

function conditions(query: SessionQuery) {
  const found = [eq(sessions.deleted, false), sql`${sessions.kind} <> 'subagent'`];
  if (query.archived !== undefined) found.push(eq(sessions.archived, query.archived));
  if (query.agentId) found.push(eq(sessions.agentId, query.agentId));
  for (const word of (query.q ?? '').split(/\s+/).filter(Boolean)) {
    found.push(sql`lower(${sessions.title}) like ${`%${escapeLike(word.toLowerCase())}%`} escape '\\'`);
  }
  const after = parseCursor(query.cursor);
  const older =
    after && or(lt(sessions.updatedAt, after.at), and(eq(sessions.updatedAt, after.at), lt(sessions.id, after.id)));
  if (older) found.push(older);
  return found;
}

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&');

function parseCursor(cursor: string | undefined): { at: number; id: string } | null {
  const match = /^(\d{1,15})\.([0-9A-Z]{26})$/.exec(cursor ?? '');
  return match ? { at: Number(match[1]), id: match[2] ?? '' } : null;
}

function fromRow(row: SessionRow): IndexedSession {
  const { rowJson, kind, ...columns } = row;
  return { ...columns, kind: kindOf(kind), row: JSON.parse(rowJson) };
}

function kindOf(kind: string): IndexedSession['kind'] {
  return kind === 'fork' || kind === 'subagent' || kind === 'import' ? kind : 'root';
}
