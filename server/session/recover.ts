import { type RecoverInput, recoverBranch } from '@/server/core/turn/recover';
import type { SessionWriter } from './append-events';

/**
 * Ends what runs no more on one branch: an open turn with the text received so far, an open compaction (T4, case-C06). Doing it
 * again appends nothing. Throws as the writer does.
 */
export async function recoverSession(
  { writer }: { readonly writer: SessionWriter },
  { sessionId, ...found }: { readonly sessionId: string } & Pick<RecoverInput, 'saved' | 'because'>,
): Promise<void> {
  await writer.append(sessionId, ({ log, session }) => ({
    events: recoverBranch({ log, state: session, ...found }),
    result: undefined,
  }));
}
