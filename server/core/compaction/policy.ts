/** How a summary is asked for. The product has one policy; a test may hand in another, to show what it prevents (E2). */
export interface CompactionPolicy {
  /** Output tokens a one-shot request allows; null: no ceiling that nobody configured is sent (R11). */
  readonly oneShotCeilingTokens: number | null;
  /** After a failed automatic compaction no other is tried in that turn (C10). */
  readonly defersAfterFailure: boolean;
}

/** The one that holds. */
export const COMPACTION_POLICY: CompactionPolicy = { oneShotCeilingTokens: null, defersAfterFailure: true };
