import type { FoundKind } from '@/server/contract/search';

/** A text that can be found, and the item that is shown for it: that item itself, or the call of a subagent's branch. */
export interface SearchText {
  readonly itemId: string;
  readonly shownId: string | null;
  /** `seq` of the line that placed the item. */
  readonly point: number;
  readonly kind: FoundKind;
  readonly at: string;
  readonly text: string;
}

export interface SearchEntry {
  readonly sessionId: string;
  readonly logId: string;
  /** Null leaves it as it is. */
  readonly title: string | null;
  readonly texts: readonly SearchText[];
}

export interface SearchMatch {
  readonly sessionId: string;
  readonly itemId: string | null;
  readonly point: number;
  readonly kind: FoundKind;
  readonly at: string;
  /** Plain text. */
  readonly snippet: string;
  /** Of the session, from this one on: itself and all that are older. */
  readonly left: number;
}

export interface WantedMatches {
  readonly sessionIds: readonly string[];
  /** At most so many of a session. */
  readonly each: number;
  /** Only those whose point lies before it. */
  readonly before?: number;
}

/**
 * Full text of every conversation (L1: derived, disposable, rebuilt by `npm run reindex`). Changes are taken in order
 * and are seen by every question asked after them; a driver does its work off the event loop (`contract.md` 20).
 * Questions are words as a person types them, any text at all. What fails rejects with `storage_failed`.
 */
export interface SearchIndex {
  /** Adds texts to a session; those it has already, by item, are left as they are. The title replaces the former one. */
  add(entry: SearchEntry): void;
  /** Nothing of this session is found any more; texts that another one shares stay. */
  remove(sessionId: string): void;
  /** The log is not there any more: neither a text of it nor its size is kept. */
  forgetLog(logId: string): void;
  clear(): void;
  /** Sessions with a title or a text that holds all the words. */
  find(query: string): Promise<readonly string[]>;
  /** Of these sessions, the newest texts that hold all the words, newest first. */
  matches(query: string, wanted: WantedMatches): Promise<readonly SearchMatch[]>;
  /** Sizes in bytes of the logs whose texts are known to be here, by log id. */
  notedSizes(): Promise<ReadonlyMap<string, number>>;
  /** Resolves once it and every change before it has been written. Rejects when one of them failed. */
  noteSizes(sizes: readonly { readonly logId: string; readonly bytes: number }[]): Promise<void>;
  close(): Promise<void>;
}
