import { and, asc, eq, inArray, max, notInArray } from 'drizzle-orm';
import type {
  DismissalStore,
  DraftStore,
  LeftoverStore,
  ModelFactStore,
  ProviderStore,
  RunningPartStore,
  SettingsStore,
} from '@/server/ports/stores';
import type { Sqlite } from './open';
import { dismissals, drafts, jobs, modelFacts, providers, runningParts, settings } from './schema';

/** One row; `revision` goes up by one with each write, so two windows cannot overwrite each other. */
export function createSettingsStore(db: Sqlite): SettingsStore {
  const read = () => db.select().from(settings).where(eq(settings.id, 1)).get();
  return {
    read: () => {
      const row = read();
      return row ? { revision: row.revision, value: JSON.parse(row.valueJson) } : { revision: 0, value: {} };
    },
    write: (revision, value) =>
      db.transaction(
        () => {
          if ((read()?.revision ?? 0) !== revision) return false;
          const next = { revision: revision + 1, valueJson: JSON.stringify(value) };
          db.insert(settings)
            .values({ id: 1, ...next })
            .onConflictDoUpdate({ target: settings.id, set: next })
            .run();
          return true;
        },
        { behavior: 'immediate' },
      ),
  };
}

/** Providers in the order they were added; what is saved again keeps its place. */
export function createProviderStore(db: Sqlite): ProviderStore {
  const fromRow = (row: typeof providers.$inferSelect) => ({
    id: row.id,
    document: JSON.parse(row.documentJson),
    keyCipher: row.keyCipher,
  });
  return {
    list: () => db.select().from(providers).orderBy(asc(providers.position)).all().map(fromRow),
    get: (id) => {
      const row = db.select().from(providers).where(eq(providers.id, id)).get();
      return row ? fromRow(row) : null;
    },
    save: ({ id, document, keyCipher }) => {
      const set = { documentJson: JSON.stringify(document), keyCipher };
      // Behind the last, not by count: after a removal a count names a place that is taken.
      const last =
        db
          .select({ position: max(providers.position) })
          .from(providers)
          .get()?.position ?? -1;
      const position = last + 1;
      db.insert(providers)
        .values({ id, position, ...set })
        .onConflictDoUpdate({ target: providers.id, set })
        .run();
    },
    remove: (id) => db.delete(providers).where(eq(providers.id, id)).run().changes === 1,
  };
}

/** One document a model; the newest write counts. */
export function createModelFactStore(db: Sqlite): ModelFactStore {
  return {
    read: ({ provider, model }) => {
      const where = and(eq(modelFacts.provider, provider), eq(modelFacts.model, model));
      const row = db.select().from(modelFacts).where(where).get();
      return row ? JSON.parse(row.factsJson) : null;
    },
    write: ({ provider, model }, facts) => {
      const factsJson = JSON.stringify(facts);
      db.insert(modelFacts)
        .values({ provider, model, factsJson })
        .onConflictDoUpdate({ target: [modelFacts.provider, modelFacts.model], set: { factsJson } })
        .run();
    },
  };
}

/** One row a message on its way (`contract.md` 4); removing one that is not there is no fault. */
export function createRunningPartStore(db: Sqlite): RunningPartStore {
  return {
    save: (parts) => {
      db.transaction(() => {
        for (const part of parts) {
          const row = { sessionId: part.sessionId, turnId: part.turnId, partsJson: JSON.stringify(part.parts) };
          db.insert(runningParts)
            .values({ messageId: part.messageId, ...row })
            .onConflictDoUpdate({ target: runningParts.messageId, set: row })
            .run();
        }
      });
    },
    remove: (messageId) => {
      db.delete(runningParts).where(eq(runningParts.messageId, messageId)).run();
    },
    list: () =>
      db
        .select()
        .from(runningParts)
        .all()
        .map((row) => ({
          messageId: row.messageId,
          sessionId: row.sessionId,
          turnId: row.turnId,
          parts: JSON.parse(row.partsJson),
        })),
  };
}

/** One draft a person in each conversation; empty text is kept as it is. */
export function createDraftStore(db: Sqlite): DraftStore {
  return {
    read: (sessionId, person) => {
      const where = and(eq(drafts.sessionId, sessionId), eq(drafts.person, person));
      const row = db.select().from(drafts).where(where).get();
      return row ? { text: row.text, updatedAt: new Date(row.at).toISOString() } : { text: '', updatedAt: null };
    },
    write: (sessionId, person, text, now) => {
      const set = { text, at: now };
      db.insert(drafts)
        .values({ sessionId, person, ...set })
        .onConflictDoUpdate({ target: [drafts.sessionId, drafts.person], set })
        .run();
    },
  };
}

/** The last banner a person put away in each conversation. */
export function createDismissalStore(db: Sqlite): DismissalStore {
  return {
    read: (sessionId, person) =>
      db
        .select()
        .from(dismissals)
        .where(and(eq(dismissals.sessionId, sessionId), eq(dismissals.person, person)))
        .get()?.hash ?? null,
    write: (sessionId, person, hash) => {
      db.insert(dismissals)
        .values({ sessionId, person, hash })
        .onConflictDoUpdate({ target: [dismissals.sessionId, dismissals.person], set: { hash } })
        .run();
    },
  };
}

/** A job that still waits or runs is left to the runner, which finds nothing to do. */
export function createLeftoverStore(db: Sqlite): LeftoverStore {
  return {
    remove: (sessionIds) =>
      db.transaction(() => {
        const ids = [...sessionIds];
        for (const table of [drafts, dismissals, runningParts]) {
          db.delete(table).where(inArray(table.sessionId, ids)).run();
        }
        const ended = notInArray(jobs.state, ['queued', 'running']);
        db.delete(jobs)
          .where(and(inArray(jobs.serialKey, ids), ended))
          .run();
      }),
  };
}
