import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/**
 * Only what is not history (agents, skills, settings, providers, jobs, drafts) and what can be rebuilt from
 * the logs (the session index) lives here (L1). Times are milliseconds since the epoch; `*_json` columns
 * hold documents that are validated where they are read.
 */

/** Derived: one row a session, rebuilt by `npm run reindex`. */
export const sessions = sqliteTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    logId: text('log_id').notNull(),
    kind: text('kind').notNull(),
    agentId: text('agent_id'),
    title: text('title').notNull(),
    pinned: integer('pinned', { mode: 'boolean' }).notNull(),
    archived: integer('archived', { mode: 'boolean' }).notNull(),
    deleted: integer('deleted', { mode: 'boolean' }).notNull(),
    updatedAt: integer('updated_at').notNull(),
    headSeq: integer('head_seq').notNull(),
    rowJson: text('row_json').notNull(),
  },
  (table) => [index('sessions_updated').on(table.updatedAt), index('sessions_log').on(table.logId)],
);

/** Derived: the size of each log when its rows were last known to be true; a log of another size is read again at start. */
export const indexedLogs = sqliteTable('indexed_logs', {
  logId: text('log_id').primaryKey(),
  bytes: integer('bytes').notNull(),
});

/** Agents and skills alike: a named document with a draft and immutable published versions (P2). */
export const documents = sqliteTable('documents', {
  id: text('id').primaryKey(),
  kind: text('kind', { enum: ['agent', 'skill'] }).notNull(),
  draftJson: text('draft_json').notNull(),
  draftAt: integer('draft_at').notNull(),
  /** Counts edits of the draft. */
  revision: integer('revision').notNull(),
  currentVersion: integer('current_version').notNull(),
  createdAt: integer('created_at').notNull(),
  deletedAt: integer('deleted_at'),
});

export const documentVersions = sqliteTable(
  'document_versions',
  {
    documentId: text('document_id')
      .notNull()
      .references(() => documents.id),
    version: integer('version').notNull(),
    documentJson: text('document_json').notNull(),
    note: text('note').notNull(),
    by: text('by').notNull(),
    at: integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.documentId, table.version] })],
);

export const settings = sqliteTable('settings', {
  id: integer('id').primaryKey(),
  revision: integer('revision').notNull(),
  valueJson: text('value_json').notNull(),
});

/** `key_cipher` is AES-256-GCM (reliability 6.7); the key itself never leaves `server/model`. */
export const providers = sqliteTable('providers', {
  id: text('id').primaryKey(),
  position: integer('position').notNull(),
  documentJson: text('document_json').notNull(),
  keyCipher: text('key_cipher'),
});

/** What was learnt about a model: reported window and output limit, measured bytes a token. */
export const modelFacts = sqliteTable(
  'model_facts',
  {
    provider: text('provider').notNull(),
    model: text('model').notNull(),
    factsJson: text('facts_json').notNull(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.model] })],
);

export const jobs = sqliteTable(
  'jobs',
  {
    id: text('id').primaryKey(),
    kind: text('kind').notNull(),
    serialKey: text('serial_key').notNull(),
    /** Lower runs first: realtime 0, normal 10. */
    priority: integer('priority').notNull(),
    state: text('state', { enum: ['queued', 'running', 'done', 'failed', 'abandoned'] }).notNull(),
    payloadJson: text('payload_json').notNull(),
    owner: text('owner'),
    leaseUntil: integer('lease_until'),
    createdAt: integer('created_at').notNull(),
    startedAt: integer('started_at'),
    endedAt: integer('ended_at'),
    code: text('code'),
  },
  (table) => [
    index('jobs_waiting').on(table.state, table.priority, table.id),
    /** No two running jobs share a serial key: the database itself refuses it. */
    uniqueIndex('jobs_serial').on(table.serialKey).where(sql`state = 'running'`),
  ],
);

/** Text received so far of a running part: not history; recovery turns it into history (`contract.md` 4). */
export const runningParts = sqliteTable('running_parts', {
  messageId: text('message_id').primaryKey(),
  sessionId: text('session_id').notNull(),
  turnId: text('turn_id').notNull(),
  partsJson: text('parts_json').notNull(),
});

export const drafts = sqliteTable(
  'drafts',
  {
    sessionId: text('session_id').notNull(),
    person: text('person').notNull(),
    text: text('text').notNull(),
    at: integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.sessionId, table.person] })],
);

/** A behind banner hidden for exactly one set of versions, for one person. */
export const dismissals = sqliteTable(
  'dismissals',
  {
    sessionId: text('session_id').notNull(),
    person: text('person').notNull(),
    hash: text('hash').notNull(),
  },
  (table) => [primaryKey({ columns: [table.sessionId, table.person] })],
);
