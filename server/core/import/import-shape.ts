import type { EventDraft } from '@/server/contract/events/event';
import type { ImportWarning } from '@/server/contract/import';

/** What a reader of foreign files is handed: it makes no ids and reads no clock of its own. */
export interface ImportContext {
  readonly nextId: () => string;
  /** The time of the import, for lines that the file gives none. */
  readonly at: string;
  readonly owner: string;
  /** Name and version of this application, for `log.opened`. */
  readonly app: string;
  readonly file: string;
  readonly sha256: string;
  /** Results longer than this are shown as head and tail, as a result that arrives here would be (M4). */
  readonly resultCapBytes: number;
}

/** What was found, main chain only; side chains are counted apart. */
export interface ImportCounts {
  /** Messages that a person wrote as such: no wrapper, no injected text. */
  readonly userTurns: number;
  /** Text blocks of user and assistant messages, summaries of the tool's own included. */
  readonly textItems: number;
  readonly toolCalls: number;
  /** A result written twice counts once. */
  readonly toolResults: number;
  readonly boundaries: number;
  readonly sideChains: number;
  readonly forks: number;
  /** Lines without conversation, by type. */
  readonly skipped: Readonly<Record<string, number>>;
}

/** A new log, ready to be created: `drafts` in order, the first opens it, so a line's `seq` is its place from 1. */
export interface ImportedLog {
  readonly format: string;
  readonly logId: string;
  /** Branches that are sessions: the root first, then its forks. */
  readonly sessions: readonly string[];
  readonly drafts: readonly EventDraft[];
  readonly warnings: readonly ImportWarning[];
  readonly counts: ImportCounts;
}
