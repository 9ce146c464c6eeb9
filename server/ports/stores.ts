import type { Model } from '@/server/contract/shapes';

/** What is not history: versioned documents, settings, providers, drafts (L1). All calls are synchronous and short. */

export interface StoredDocument {
  readonly id: string;
  readonly kind: 'agent' | 'skill';
  readonly draft: unknown;
  readonly draftAt: number;
  /** Counts edits of the draft. */
  readonly revision: number;
  /** 0: never published. */
  readonly currentVersion: number;
  readonly createdAt: number;
  readonly deletedAt: number | null;
}

export interface StoredVersion {
  readonly version: number;
  readonly document: unknown;
  readonly note: string;
  readonly by: string;
  readonly at: number;
}

export interface DocumentStore {
  create(doc: {
    readonly id: string;
    readonly kind: 'agent' | 'skill';
    readonly draft: unknown;
    readonly now: number;
  }): void;
  /** False where `revision` is not the draft's any more; then nothing is written. */
  saveDraft(id: string, draft: unknown, at: { readonly now: number; readonly revision: number }): boolean;
  /** Adds version `currentVersion + 1`; published versions are immutable (P2). */
  publish(id: string, version: Omit<StoredVersion, 'version'>): number;
  remove(id: string, now: number): void;
  get(id: string): StoredDocument | null;
  version(id: string, version: number): StoredVersion | null;
  versions(id: string): readonly StoredVersion[];
  /** Deleted ones are left out. */
  list(kind: 'agent' | 'skill'): readonly StoredDocument[];
}

export interface SettingsStore {
  read(): { readonly revision: number; readonly value: unknown };
  /** False where `revision` moved meanwhile; then nothing is written. */
  write(revision: number, value: unknown): boolean;
}

export interface StoredProvider {
  readonly id: string;
  readonly document: unknown;
  readonly keyCipher: string | null;
}

export interface ProviderStore {
  list(): readonly StoredProvider[];
  get(id: string): StoredProvider | null;
  save(provider: StoredProvider): void;
  remove(id: string): boolean;
}

/** What was learnt about a model, as a document of whoever learns (B7, `contract.md` 7); null: nothing yet. */
export interface ModelFactStore {
  read(model: Model): unknown;
  write(model: Model, facts: unknown): void;
}

export interface RunningPart {
  readonly messageId: string;
  readonly sessionId: string;
  readonly turnId: string;
  readonly parts: unknown;
}

export interface RunningPartStore {
  /** One transaction for all running turns (`contract.md` 4). */
  save(parts: readonly RunningPart[]): void;
  remove(messageId: string): void;
  list(): readonly RunningPart[];
}

export interface DraftStore {
  /** Empty text: no draft. */
  read(sessionId: string, person: string): { readonly text: string; readonly updatedAt: string | null };
  write(sessionId: string, person: string, text: string, now: number): void;
}

/** What is kept beside the logs about conversations, and is nobody's any more once they are gone for good. */
export interface LeftoverStore {
  /** Drafts, banners put away, text on its way, and jobs that have ended: in one transaction. */
  remove(sessionIds: readonly string[]): void;
}

export interface DismissalStore {
  read(sessionId: string, person: string): string | null;
  write(sessionId: string, person: string, hash: string): void;
}
