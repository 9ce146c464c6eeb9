import { and, asc, eq, isNull } from 'drizzle-orm';
import { AppError } from '@/server/contract/error';
import type { DocumentStore, StoredDocument, StoredVersion } from '@/server/ports/stores';
import type { Sqlite } from './open';
import { documents, documentVersions } from './schema';

/** Agents and skills with their versions (P2). Throws `not_found` for an id that is not there. */
export function createDocumentStore(db: Sqlite): DocumentStore {
  const rowOf = (id: string) => db.select().from(documents).where(eq(documents.id, id)).get();

  return {
    create: ({ id, kind, draft, now }) => {
      const draftJson = JSON.stringify(draft);
      db.insert(documents)
        .values({ id, kind, draftJson, draftAt: now, revision: 0, currentVersion: 0, createdAt: now })
        .run();
    },
    saveDraft: (id, draft, { now, revision }) => {
      const set = { draftJson: JSON.stringify(draft), draftAt: now, revision: revision + 1 };
      const where = and(eq(documents.id, id), eq(documents.revision, revision));
      return db.update(documents).set(set).where(where).run().changes === 1;
    },
    publish: (id, version) =>
      db.transaction(
        () => {
          const row = rowOf(id);
          if (!row) throw missing(id);
          const next = row.currentVersion + 1;
          db.insert(documentVersions)
            .values({
              documentId: id,
              version: next,
              documentJson: JSON.stringify(version.document),
              note: version.note,
              by: version.by,
              at: version.at,
            })
            .run();
          db.update(documents).set({ currentVersion: next }).where(eq(documents.id, id)).run();
          return next;
        },
        { behavior: 'immediate' },
      ),
    remove: (id, now) => {
      db.update(documents).set({ deletedAt: now }).where(eq(documents.id, id)).run();
    },
    get: (id) => {
      const row = rowOf(id);
      return row ? toDocument(row) : null;
    },
    version: (id, version) => {
      const where = and(eq(documentVersions.documentId, id), eq(documentVersions.version, version));
      const row = db.select().from(documentVersions).where(where).get();
      return row ? toVersion(row) : null;
    },
    versions: (id) =>
      db
        .select()
        .from(documentVersions)
        .where(eq(documentVersions.documentId, id))
        .orderBy(asc(documentVersions.version))
        .all()
        .map(toVersion),
    list: (kind) =>
      db
        .select()
        .from(documents)
        .where(and(eq(documents.kind, kind), isNull(documents.deletedAt)))
        .orderBy(asc(documents.id))
        .all()
        .map(toDocument),
  };
}

const missing = (id: string) => new AppError('not_found', 'There is no such document.', { details: { id } });

function toDocument(row: typeof documents.$inferSelect): StoredDocument {
  const draft: unknown = JSON.parse(row.draftJson);
  return {
    id: row.id,
    kind: row.kind,
    draft,
    draftAt: row.draftAt,
    revision: row.revision,
    currentVersion: row.currentVersion,
    createdAt: row.createdAt,
    deletedAt: row.deletedAt,
  };
}

function toVersion(row: typeof documentVersions.$inferSelect): StoredVersion {
  const document: unknown = JSON.parse(row.documentJson);
  return { version: row.version, document, note: row.note, by: row.by, at: row.at };
}
