import { z } from 'zod';
import { compactAnswerSchema } from '@/server/contract/compactions';
import { AppError } from '@/server/contract/error';
import {
  draftSchema,
  postMessageAnswerSchema,
  queueAnswerSchema,
  queueEditAnswerSchema,
  turnAnswerSchema,
} from '@/server/contract/messages-api';
import { type callApi, hasCode, toMessage } from './api-client';
import type { ChatStore } from './chat-store';
import type { ChatState } from './fold-stream';
import { isLive } from './fold-stream-compaction';
import { foldLocal, type LocalAction } from './fold-stream-local';

export type Outcome = { readonly ok: true } | { readonly ok: false; readonly message: string };
export type SendOutcome = Outcome & { readonly clientMessageId: string };

export interface CompactWanted {
  /** What to keep, in the person's words. */
  readonly focus?: string;
  readonly upToItemId?: string;
}

export interface ChatActions {
  /** Draws the message at once; a refusal takes it back and gives the words for the composer (case-E05). */
  readonly send: (text: string, clientMessageId?: string) => Promise<SendOutcome>;
  /** `already`: one runs, nothing was asked. The row is in the transcript before this returns (ux 7.3). */
  readonly compact: (wanted?: CompactWanted) => 'asked' | 'already';
  /** One segment of a compaction read again (X6). Where that compaction is over, another begins and goes on from what it kept. */
  readonly retrySegment: (compactionId: string, segment: number) => Promise<Outcome>;
  readonly cancel: (what: 'turn' | 'compaction') => Promise<Outcome>;
  readonly goOn: () => Promise<Outcome>;
  readonly editQueued: (messageId: string, text: string) => Promise<Outcome>;
  readonly removeQueued: (messageId: string) => Promise<Outcome>;
  readonly orderQueue: (order: readonly string[]) => Promise<Outcome>;
  readonly dismissBehind: (hash: string) => Promise<Outcome>;
  readonly decide: (callId: string, decision: 'approve' | 'deny') => Promise<Outcome>;
  readonly readDraft: () => Promise<{ readonly text: string; readonly updatedAt: string | null }>;
  readonly saveDraft: (text: string) => Promise<Outcome>;
  readonly closeRow: () => void;
  readonly closeNotices: () => void;
}

export interface ActionDeps {
  readonly store: ChatStore;
  readonly makeId: () => string;
  /** ISO time of this moment. */
  readonly now: () => string;
  readonly call: typeof callApi;
  /** Resolves after so many milliseconds; for the retry of a request nobody answered. */
  readonly wait: (ms: number) => Promise<void>;
  /** Null while there is a network; otherwise resolves when it is back. */
  readonly whenOnline: () => Promise<void> | null;
}

const retryMs = 5_000;
const tries = 6;

async function attempt(run: () => Promise<unknown>): Promise<Outcome> {
  try {
    await run();
    return { ok: true };
  } catch (thrown) {
    return { ok: false, message: toMessage(thrown) };
  }
}

/** Waits for the network as long as there is none (ux 15); the same id makes a second try the first one (L7). */
async function attemptOnline(deps: ActionDeps, run: () => Promise<unknown>): Promise<Outcome> {
  for (;;) {
    await deps.whenOnline();
    const outcome = await attempt(run);
    if (outcome.ok || deps.whenOnline() === null) return outcome;
  }
}

/** Something runs: a message sent now waits for its end. */
export function isBusy(state: ChatState): boolean {
  return state.turn?.state === 'started' || isLive(state.compaction) || state.outbox.length > 0;
}

/** Sent again with the same id until somebody answers: the id makes the second request the first one (L7). */
async function askUntilAnswered(deps: ActionDeps, ask: () => Promise<unknown>): Promise<AppError | null> {
  for (let n = 1; ; n += 1) {
    try {
      await ask();
      return null;
    } catch (thrown) {
      const error = thrown instanceof AppError ? thrown : new AppError('internal', toMessage(thrown));
      if (!hasCode(error, 'unavailable') || n === tries) return error;
      await deps.wait(retryMs);
    }
  }
}

/** What a person does in one conversation: drawn first, then asked of the server, then corrected by what it says. */
export function createChatActions(deps: ActionDeps): ChatActions {
  const { store, call } = deps;
  const { sessionId } = store.get();
  const at = (path: string) => `/agent-sessions/${sessionId}${path}`;
  const local = (action: LocalAction) => store.change((state) => foldLocal(state, action));
  let asking: Promise<unknown> = Promise.resolve();

  const requestCompaction = async (wanted: CompactWanted, clientRequestId: string) => {
    const body = { ...wanted, clientRequestId };
    const refusal = await askUntilAnswered(deps, () =>
      call(at('/compact'), { method: 'POST', body, schema: compactAnswerSchema }),
    );
    if (refusal === null) local({ kind: 'compact_acknowledged', clientRequestId });
    else local({ kind: 'compact_refused', clientRequestId, reason: `${refusal.code}: ${refusal.message}` });
  };

  return {
    async send(text, clientMessageId = deps.makeId()) {
      const queued = isBusy(store.get()) || deps.whenOnline() !== null;
      local({ kind: 'sent', message: { clientMessageId, text, at: deps.now(), queued } });
      const outcome = await attemptOnline(deps, () =>
        call(at('/messages'), { method: 'POST', body: { text, clientMessageId }, schema: postMessageAnswerSchema }),
      );
      if (!outcome.ok) local({ kind: 'refused', clientMessageId });
      return { ...outcome, clientMessageId };
    },
    compact(wanted = {}) {
      if (isLive(store.get().compaction)) return 'already';
      const clientRequestId = deps.makeId();
      local({ kind: 'compact', clientRequestId, focus: wanted.focus ?? null, at: deps.now() });
      asking = requestCompaction(wanted, clientRequestId);
      return 'asked';
    },
    async retrySegment(compactionId, segment) {
      const clientRequestId = deps.makeId();
      const begins = !isLive(store.get().compaction);
      if (begins) local({ kind: 'compact', clientRequestId, focus: null, at: deps.now() });
      const path = at(`/compactions/${compactionId}/segments/${segment}/retry`);
      const asked = attempt(() => call(path, { method: 'POST', body: {}, schema: z.unknown() }));
      if (begins) asking = asked;
      const outcome = await asked;
      if (!begins) return outcome;
      if (outcome.ok) local({ kind: 'compact_acknowledged', clientRequestId });
      else local({ kind: 'compact_refused', clientRequestId, reason: outcome.message });
      return outcome;
    },
    async cancel(what) {
      local(what === 'compaction' ? { kind: 'cancelling' } : { kind: 'stopping', stopping: true });
      // Stopping what the server has not heard of yet would find nothing to stop.
      if (what === 'compaction') await asking;
      const outcome = await attempt(() => call(at('/cancel'), { method: 'POST', body: { what }, schema: z.unknown() }));
      if (!outcome.ok)
        local(what === 'compaction' ? { kind: 'cancel_refused' } : { kind: 'stopping', stopping: false });
      return outcome;
    },
    goOn: () => attempt(() => call(at('/continue'), { method: 'POST', body: {}, schema: turnAnswerSchema })),
    editQueued: (messageId, text) =>
      attempt(() =>
        call(at(`/queue/${messageId}`), { method: 'PATCH', body: { text }, schema: queueEditAnswerSchema }),
      ),
    removeQueued: (messageId) =>
      attempt(() => call(at(`/queue/${messageId}`), { method: 'DELETE', schema: z.unknown() })),
    orderQueue: (order) =>
      attempt(() => call(at('/queue'), { method: 'PATCH', body: { order }, schema: queueAnswerSchema })),
    dismissBehind: (hash) =>
      attempt(() => call(at('/prompt/dismiss'), { method: 'POST', body: { hash }, schema: z.unknown() })),
    decide: (callId, decision) =>
      attempt(() =>
        call(at(`/approvals/${encodeURIComponent(callId)}`), {
          method: 'POST',
          body: { decision },
          schema: z.unknown(),
        }),
      ),
    readDraft: () => call(at('/draft'), { schema: draftSchema }),
    saveDraft: (text) =>
      attempt(() => call(at('/draft'), { method: 'PUT', body: { text }, schema: draftSchema, keepalive: true })),
    closeRow: () => local({ kind: 'row_closed' }),
    closeNotices: () => local({ kind: 'notices_closed' }),
  };
}
