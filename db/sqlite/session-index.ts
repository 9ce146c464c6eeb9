import { and, desc, eq, sql } from 'drizzle-orm';
import type { IndexedSession, SessionIndex, SessionQuery } from '@/server/ports/session-index';
import { foldCase, type Sqlite } from './open';
import { indexedLogs, sessions } from './schema';

type SessionRow = typeof sessions.$inferSelect;

/** The session list (L1: derived). Pinned ones first, then the newest; a cursor names the place of the last row shown. */
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
    all: () => db.select().from(sessions).all().map(fromRow),
    list: (query) => {
      const rows = db
        .select()
        .from(sessions)
        .where(and(...conditions(query)))
        .orderBy(desc(sessions.pinned), desc(sessions.updatedAt), desc(sessions.id))
        .limit(query.limit + 1)
        .all();
      const shown = rows.slice(0, query.limit).map(fromRow);
      const last = shown.at(-1);
      return { sessions: shown, nextCursor: rows.length > query.limit && last ? toCursor(last) : null };
    },
    forgetLogs: (logIds) =>
      db.transaction(() => {
        for (const logId of logIds) {
          db.delete(sessions).where(eq(sessions.logId, logId)).run();
          db.delete(indexedLogs).where(eq(indexedLogs.logId, logId)).run();
        }
      }),
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
  const words = (query.q ?? '').split(/\s+/).filter(Boolean);
  const titled = and(
    ...words.map((word) => sql`fold_case(${sessions.title}) like ${`%${escapeLike(foldCase(word))}%`} escape '\\'`),
  );
  if (titled) found.push(sql`(${titled} or ${sessions.id} in (select value from json_each(${toJson(query.found)})))`);
  const after = parseCursor(query.cursor);
  if (after) {
    const { pinned, at, id } = after;
    found.push(sql`(${sessions.pinned}, ${sessions.updatedAt}, ${sessions.id}) < (${pinned}, ${at}, ${id})`);
  }
  return found;
}

const toJson = (ids: readonly string[] = []) => JSON.stringify(ids);

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&');

const toCursor = ({ pinned, updatedAt, id }: IndexedSession) => `${pinned ? 1 : 0}.${updatedAt}.${id}`;

function parseCursor(cursor: string | undefined): { pinned: number; at: number; id: string } | null {
  const match = /^([01])\.(\d{1,15})\.([0-9A-Z]{26})$/.exec(cursor ?? '');
  return match ? { pinned: Number(match[1]), at: Number(match[2]), id: match[3] ?? '' } : null;
}

function fromRow(row: SessionRow): IndexedSession {
  const { rowJson, kind, ...columns } = row;
  return { ...columns, kind: kindOf(kind), row: JSON.parse(rowJson) };
}

function kindOf(kind: string): IndexedSession['kind'] {
  return kind === 'fork' || kind === 'subagent' || kind === 'import' ? kind : 'root';
}
