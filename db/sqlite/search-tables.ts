import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { cutSnippet } from '@/server/core/search/cut-snippet';
import { toPhrases, toSearchable } from '@/server/core/search/words';
import type { SearchEntry, SearchMatch, SearchText, WantedMatches } from '@/server/ports/search-index';

/** Of another number, the file is made anew: all in it is derived (L1). */
const FORMAT = 2;

/** A text of a log is kept once, however many forks share it. The words alone are indexed, folded by our own rule. */
const TABLES = `
  create table texts (id integer primary key, log_id text not null, item_id text not null, kind text not null,
    at text not null, text text not null, unique (log_id, item_id));
  create virtual table words using fts5(folded, content='', contentless_delete=1, prefix='2 3',
    tokenize="unicode61 remove_diacritics 0 categories 'L* N* M* Co'");
  create table members (session_id text not null, text_id integer not null, shown_id text, point integer not null,
    primary key (session_id, text_id)) without rowid;
  create index members_text on members (text_id);
  create table noted (log_id text primary key, bytes integer not null) without rowid;
`;

/** Stands for an item id where a text is the title of a session. */
const TITLE = 'title';

/** The tables of full-text search and what is asked of them, at once: whoever calls waits. */
export interface SearchTables {
  add(entry: SearchEntry): void;
  remove(sessionId: string): void;
  forgetLog(logId: string): void;
  clear(): void;
  find(query: string): readonly string[];
  matches(query: string, wanted: WantedMatches): readonly SearchMatch[];
  notedSizes(): ReadonlyMap<string, number>;
  noteSizes(sizes: readonly { readonly logId: string; readonly bytes: number }[]): void;
  close(): void;
}

/** Opens the database at `path` (`:memory:` too). One that cannot be read or is of another format is made anew. */
export function openSearchTables(path: string): SearchTables {
  if (path === ':memory:') return createTables(make(new Database(path)));
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return openKnown(path) ?? makeSearchTables(path);
}

/** Empty tables in place of whatever stands at `path`; no connection may have it open. */
export function makeSearchTables(path: string): SearchTables {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  return createTables(make(new Database(path)));
}

/** True for what only making the tables anew can help against. */
export function isDamage(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);
}

/** Null where there are none, or none of ours. A look at every page would hold up the start: damage shows when met. */
function openKnown(path: string): SearchTables | null {
  if (!existsSync(path)) return null;
  const db = new Database(path);
  try {
    if (db.pragma('user_version', { simple: true }) === FORMAT) return createTables(db);
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  db.close();
  return null;
}

function make(db: Database.Database): Database.Database {
  db.pragma('journal_mode = WAL');
  db.transaction(() => {
    db.exec(TABLES);
    db.pragma(`user_version = ${FORMAT}`);
  })();
  return db;
}

function createTables(db: Database.Database): SearchTables {
  db.pragma('synchronous = NORMAL');
  const texts = prepareTexts(db);
  const add = db.transaction(({ sessionId, logId, title, texts: given }: SearchEntry) => {
    if (title !== null) texts.retitle(sessionId, title);
    for (const text of given) texts.join(sessionId, logId, text);
  });
  const remove = db.transaction((sessionId: string) => texts.leave(sessionId));
  const forgetLog = db.transaction((logId: string) => texts.forgetLog(logId));
  const clear = db.transaction(() => {
    for (const table of ['texts', 'words', 'members', 'noted']) db.exec(`delete from ${table}`);
  });
  const note = db.prepare('insert or replace into noted (log_id, bytes) values (@logId, @bytes)');
  const noted = db.prepare<[], { readonly logId: string; readonly bytes: number }>(
    'select log_id as logId, bytes from noted',
  );
  return {
    add,
    remove: (sessionId) => void remove(sessionId),
    forgetLog: (logId) => void forgetLog(logId),
    clear,
    ...prepareQuestions(db),
    notedSizes: () => new Map(noted.all().map(({ logId, bytes }) => [logId, bytes])),
    noteSizes: db.transaction((sizes: Parameters<SearchTables['noteSizes']>[0]) => {
      for (const size of sizes) note.run(size);
    }),
    close: () => void db.close(),
  };
}

type Kept = Pick<SearchText, 'itemId' | 'kind' | 'at' | 'text'>;

function prepareTexts(db: Database.Database) {
  const known = db.prepare<[string, string], { readonly id: number; readonly text: string }>(
    'select id, text from texts where log_id = ? and item_id = ?',
  );
  const insert = db.prepare('insert into texts (log_id, item_id, kind, at, text) values (?, ?, ?, ?, ?)');
  const index = db.prepare('insert into words (rowid, folded) values (?, ?)');
  const forget = [db.prepare('delete from texts where id = ?'), db.prepare('delete from words where rowid = ?')];
  const member = db.prepare('insert or ignore into members (session_id, text_id, shown_id, point) values (?, ?, ?, ?)');
  const membersOf = db.prepare<[string], { readonly id: number }>(
    'select text_id as id from members where session_id = ?',
  );
  const leave = db.prepare('delete from members where session_id = ?');
  const shared = db.prepare<[number], unknown>('select 1 from members where text_id = ? limit 1');
  const textsOf = db.prepare<[string], { readonly id: number }>('select id from texts where log_id = ?');
  const unshare = db.prepare('delete from members where text_id = ?');
  const unnote = db.prepare('delete from noted where log_id = ?');
  const drop = (id: number) => {
    for (const statement of forget) statement.run(id);
  };
  const put = (logId: string, { itemId, kind, at, text }: Kept): number => {
    const id = Number(insert.run(logId, itemId, kind, at, text).lastInsertRowid);
    index.run(id, toSearchable(text));
    return id;
  };
  return {
    join: (sessionId: string, logId: string, text: SearchText) => {
      const id = known.get(logId, text.itemId)?.id ?? put(logId, text);
      member.run(sessionId, id, text.shownId, text.point);
    },
    retitle: (sessionId: string, title: string) => {
      const held = known.get(sessionId, TITLE);
      if (held?.text === title) return;
      if (held) drop(held.id);
      db.prepare('delete from members where session_id = ? and text_id = ?').run(sessionId, held?.id ?? 0);
      member.run(sessionId, put(sessionId, { itemId: TITLE, kind: 'user', at: '', text: title }), null, 0);
    },
    forgetLog: (logId: string) => {
      for (const { id } of textsOf.all(logId)) {
        unshare.run(id);
        drop(id);
      }
      unnote.run(logId);
    },
    leave: (sessionId: string) => {
      const ids = membersOf.all(sessionId).map(({ id }) => id);
      leave.run(sessionId);
      for (const id of ids) if (shared.get(id) === undefined) drop(id);
    },
  };
}

type Found = Omit<SearchMatch, 'snippet'> & { readonly text: string };

function prepareQuestions(db: Database.Database): Pick<SearchTables, 'find' | 'matches'> {
  const find = db.prepare<[string], { readonly id: string }>(
    `select distinct session_id as id from words join members on text_id = words.rowid where words match ? order by id`,
  );
  const newest = db.prepare<[string, number, string, number], Found>(`
    select sessionId, itemId, point, kind, at, count - place + 1 as left, texts.text from (
      select session_id as sessionId, shown_id as itemId, text_id, point,
        row_number() over (partition by session_id order by point desc, text_id desc) as place,
        count(*) over (partition by session_id) as count
      from words join members on text_id = words.rowid
      where words match ? and point > 0 and point < ? and session_id in (select value from json_each(?))
    ) join texts on texts.id = text_id where place <= ? order by sessionId, place`);
  return {
    find: (query) => {
      const match = toMatch(query);
      return match === null ? [] : find.all(match).map(({ id }) => id);
    },
    matches: (query, { sessionIds, each, before = Number.MAX_SAFE_INTEGER }) => {
      const match = toMatch(query);
      if (match === null) return [];
      const phrases = toPhrases(query);
      const found = newest.all(match, before, JSON.stringify(sessionIds), each);
      return found.map(({ text, ...of }) => ({ ...of, snippet: cutSnippet(text, phrases) }));
    },
  };
}

/** In FTS5's own grammar; words hold letters and digits alone, so nothing of a query can be read as a sign of it. */
function toMatch(query: string): string | null {
  const phrases = toPhrases(query).map((words) => `"${words.join(' ')}"`);
  return phrases.length === 0 ? null : `${phrases.join(' AND ')} *`;
}
