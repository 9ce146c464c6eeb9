import { recoverBranch, type SavedReply } from '@/server/core/turn/recover';
import type { SessionWriter } from './append-events';

/**
 * Ends what runs no more on one branch: an open turn with the text received so far, an open compaction (T4, case-C06). Doing it
 * again appends nothing. Throws as the writer does.
 */
export async function recoverSession(
  { writer }: { readonly writer: SessionWriter },
  { sessionId, saved }: { readonly sessionId: string; readonly saved: SavedReply | null },
): Promise<void> {
  const { session, log } = await writer.load(sessionId);
  if (recoverBranch({ log, state: session, saved }).length === 0) return;
  await writer.append(sessionId, (loaded) => ({
    events: recoverBranch({ log: loaded.log, state: loaded.session, saved }),
    result: undefined,
  }));
}
