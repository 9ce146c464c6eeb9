/** One session as the list shows it; `row` is the API's session summary, opaque here. */
export interface IndexedSession {
  readonly id: string;
  readonly logId: string;
  readonly kind: 'root' | 'fork' | 'subagent' | 'import';
  readonly agentId: string | null;
  readonly title: string;
  readonly pinned: boolean;
  readonly archived: boolean;
  readonly deleted: boolean;
  /** ms since the epoch. */
  readonly updatedAt: number;
  readonly headSeq: number;
  readonly row: unknown;
}

export interface SessionQuery {
  /** Words looked for in titles, any letter case. */
  readonly q?: string;
  /** With `q`: rows of these ids are found too, whatever their titles say. */
  readonly found?: readonly string[];
  readonly agentId?: string;
  readonly archived?: boolean;
  /** Opaque; from an earlier answer. */
  readonly cursor?: string;
  readonly limit: number;
}

/** Derived from the logs, disposable, rebuilt by `npm run reindex` (L1). Subagents are never listed. */
export interface SessionIndex {
  put(session: IndexedSession): void;
  get(id: string): IndexedSession | null;
  all(): readonly IndexedSession[];
  list(query: SessionQuery): { readonly sessions: readonly IndexedSession[]; readonly nextCursor: string | null };
  /** Forgets everything about these logs. */
  forgetLogs(logIds: readonly string[]): void;
  clear(): void;
  /** Sizes in bytes of the logs whose rows are known to be true, by log id. */
  notedSizes(): ReadonlyMap<string, number>;
  noteSizes(sizes: readonly { readonly logId: string; readonly bytes: number }[]): void;
}
