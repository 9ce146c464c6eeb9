import type { z } from 'zod';
import { AppError } from '@/server/contract/error';
import type { DiffAnswer, Publish, VersionInfo } from '@/server/contract/versions';
import { diffContent } from '@/server/core/diff-content';
import type { Clock, Ids } from '@/server/ports/clock';
import type { DocumentStore, StoredDocument, StoredVersion } from '@/server/ports/stores';

export interface LibraryOptions<Content> {
  readonly kind: 'agent' | 'skill';
  readonly schema: z.ZodType<Content>;
  /** Fields compared line by line. */
  readonly texts: readonly string[];
  readonly store: DocumentStore;
  readonly clock: Clock;
  readonly ids: Ids;
  /** A version was published or the document removed: conversations may be behind now (P3). */
  readonly onChanged: (id: string) => void;
}

export interface LibraryEntry<Content> {
  readonly stored: StoredDocument;
  readonly draft: Content;
  readonly published: Content | null;
  /** Publishing would do something. */
  readonly draftChanged: boolean;
}

type Side = number | 'draft';

/**
 * Agents and skills as versioned documents (P2): a draft that is edited, published versions that never change.
 * Throws `not_found` for what is not there, `conflict` for a draft that moved or a publish without a change.
 */
export interface Library<Content> {
  list(q?: string): readonly LibraryEntry<Content>[];
  get(id: string): LibraryEntry<Content>;
  /** `id` only for what comes with the installation, so that the sample conversation can name it. */
  create(content: Content, id?: string): LibraryEntry<Content>;
  patch(id: string, change: Partial<Content>, revision?: number): LibraryEntry<Content>;
  publish(id: string, request: Publish, by: string): LibraryEntry<Content>;
  versions(id: string): readonly (Omit<VersionInfo, 'conversations'> & { readonly content: Content })[];
  diff(id: string, from: Side, to: Side): DiffAnswer;
  remove(id: string): void;
  /** A published version, the newest where none is named; null where the document or version is gone. */
  published(id: string, version: number | 'latest'): Published<Content> | null;
}

interface Published<Content> {
  readonly version: number;
  readonly content: Content;
}

type Named = { readonly name: string } & Record<string, unknown>;

/** A library over the document store. Throws as said above. */
export function createLibrary<Content extends Named>(options: LibraryOptions<Content>): Library<Content> {
  const { store, schema } = options;
  const { entryOf, find, sideOf, findPublished } = createReading(options);
  // What is published is asked for at every step of every turn, and changed by this process alone (L7).
  const known = new Map<string, Published<Content>>();
  const changed = (id: string) => {
    known.clear();
    options.onChanged(id);
  };

  return {
    list: (q) => {
      const wanted = q?.toLowerCase() ?? '';
      return store
        .list(options.kind)
        .map(entryOf)
        .filter((entry) => entry.draft.name.toLowerCase().includes(wanted));
    },
    get: (id) => entryOf(find(id)),
    create: (content, given) => {
      const id = given ?? options.ids.next();
      store.create({ id, kind: options.kind, draft: content, now: options.clock.now() });
      return entryOf(find(id));
    },
    patch: (id, change, revision) => {
      const stored = find(id);
      if (revision !== undefined && revision !== stored.revision) throw moved();
      const draft = schema.parse({ ...schema.parse(stored.draft), ...change });
      if (!store.saveDraft(id, draft, { now: options.clock.now(), revision: stored.revision })) throw moved();
      return entryOf(find(id));
    },
    publish: (id, request, by) => {
      const entry = entryOf(find(id));
      if (request.revision !== undefined && request.revision !== entry.stored.revision) throw moved();
      if (!entry.draftChanged) throw new AppError('conflict', 'Nothing has changed since the newest version.');
      store.publish(id, { document: entry.draft, note: request.note ?? '', by, at: options.clock.now() });
      changed(id);
      return entryOf(find(id));
    },
    versions: (id) => {
      const { currentVersion } = find(id);
      return store.versions(id).map((version) => toVersion(version, { currentVersion, schema }));
    },
    diff: (id, from, to) => {
      find(id);
      return { from, to, fields: [...diffContent(sideOf(id, from), sideOf(id, to), options.texts)] };
    },
    remove: (id) => {
      find(id);
      store.remove(id, options.clock.now());
      changed(id);
    },
    published: (id, version) => {
      const key = `${id}@${version}`;
      const found = known.get(key) ?? findPublished(id, version);
      // Only what is there: names that anybody made up must not pile up here.
      if (found !== null) known.set(key, found);
      return found;
    },
  };
}

/** What the store holds, parsed: a document with its draft and newest version, one side of a comparison, a version. */
function createReading<Content extends Named>({ store, schema, kind }: LibraryOptions<Content>) {
  const contentOf = (version: StoredVersion | null) => (version ? schema.parse(version.document) : null);

  const findStored = (id: string): StoredDocument | null => {
    const stored = store.get(id);
    return !stored || stored.kind !== kind || stored.deletedAt !== null ? null : stored;
  };

  const find = (id: string): StoredDocument => {
    const stored = findStored(id);
    if (!stored) throw missing(kind);
    return stored;
  };

  const entryOf = (stored: StoredDocument): LibraryEntry<Content> => {
    const draft = schema.parse(stored.draft);
    const published = stored.currentVersion > 0 ? contentOf(store.version(stored.id, stored.currentVersion)) : null;
    return { stored, draft, published, draftChanged: JSON.stringify(draft) !== JSON.stringify(published) };
  };

  const sideOf = (id: string, side: Side): Content => {
    const content = side === 'draft' ? entryOf(find(id)).draft : contentOf(store.version(id, side));
    if (!content) throw new AppError('not_found', `There is no version ${side}.`);
    return content;
  };

  const findPublished = (id: string, version: number | 'latest'): Published<Content> | null => {
    const stored = findStored(id);
    if (!stored) return null;
    const number = version === 'latest' ? stored.currentVersion : version;
    const content = number > 0 ? contentOf(store.version(id, number)) : null;
    return content ? { version: number, content } : null;
  };

  return { entryOf, find, sideOf, findPublished };
}

function toVersion<Content>(
  { version, at, by, note, document }: StoredVersion,
  { currentVersion, schema }: { readonly currentVersion: number; readonly schema: z.ZodType<Content> },
) {
  const current = version === currentVersion;
  return { version, at: new Date(at).toISOString(), by, note, current, content: schema.parse(document) };
}

const missing = (kind: string) => new AppError('not_found', `There is no such ${kind}.`);
const moved = () =>
  new AppError('conflict', 'This was changed in another window. Load it again and repeat your change.');
