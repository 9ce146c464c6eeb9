import { type RecoverInput, recoverBranch } from '@/server/core/turn/recover';
import type { SessionWriter } from './append-events';
import type { RunningText } from './running-text';

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

/**
 * The same within a running process: a turn whose lines could not be appended ends with the text it had received, which
 * is let go only once it is in the log. Throws as the writer does; the text then waits for the next attempt.
 */
export async function recoverHere(
  deps: { readonly writer: SessionWriter; readonly running: RunningText },
  { sessionId, ...found }: { readonly sessionId: string } & Pick<RecoverInput, 'because'>,
): Promise<void> {
  const received = deps.running.receivedIn(sessionId);
  await recoverSession(deps, { sessionId, saved: received[0] ?? null, ...found });
  for (const { messageId } of received) deps.running.close(messageId);
}
