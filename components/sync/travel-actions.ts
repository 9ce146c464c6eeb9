import { postMessageAnswerSchema, turnAnswerSchema } from '@/server/contract/messages-api';
import { planAnswerSchema } from '@/server/contract/plan';
import {
  type Session,
  type SessionWithChange,
  sessionSchema,
  sessionWithChangeSchema,
} from '@/server/contract/session';
import type { PlanItem } from '@/server/contract/shapes';
import { type callApi, toMessage } from './api-client';

export type Travelled<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string };
/** A range of items by their ids; the server widens it to whole groups. */
export type Part = { readonly from: string; readonly through: string };

/** Going back and forth in one conversation (L4, X5). Nothing is drawn before the server said yes: the path is its own. */
export interface TravelActions {
  /** Null: before the first item. */
  readonly revert: (itemId: string | null) => Promise<Travelled<Session>>;
  readonly rollback: () => Promise<Travelled<Session>>;
  /** Back to the point before a reply, and on from there. Refused with `moved`: the head moved, and no reply began. */
  readonly tryAgain: (point: string | null) => Promise<Travelled<Session> & { readonly moved: boolean }>;
  /** The same id sent twice is one message (L7). Gives the id of the new message. */
  readonly edit: (edited: EditedMessage) => Promise<Travelled<string>>;
  /** The new conversation; null: it begins where this one stands now. */
  readonly fork: (itemId: string | null) => Promise<Travelled<Session>>;
  /** What taking it back would make of the view; nothing is changed by asking. */
  readonly previewUndo: (id: string) => Promise<Travelled<SessionWithChange>>;
  readonly undoSummary: (id: string) => Promise<Travelled<SessionWithChange>>;
  readonly expand: (id: string, part: Part) => Promise<Travelled<SessionWithChange>>;
  readonly fold: (id: string, part: Part) => Promise<Travelled<SessionWithChange>>;
  readonly undoTrim: (trimId: string) => Promise<Travelled<SessionWithChange>>;
}

export interface EditedMessage {
  readonly text: string;
  readonly clientMessageId: string;
  /** The point it follows; null: it is the first. */
  readonly after: string | null;
  readonly attachments?: readonly { readonly sha256: string; readonly name?: string }[];
}

export interface TravelDeps {
  readonly sessionId: string;
  readonly call: typeof callApi;
  /** The server's answer about this conversation: what it says of itself now. */
  readonly moved: (session: Session) => void;
  /** Reads the conversation again, and the path where the head has moved. */
  readonly reread: () => Promise<void>;
}

async function tryOnce<T>(run: () => Promise<T>): Promise<Travelled<T>> {
  try {
    return { ok: true, value: await run() };
  } catch (thrown) {
    return { ok: false, message: toMessage(thrown) };
  }
}

export function createTravelActions({ sessionId, call, moved, reread }: TravelDeps): TravelActions {
  const at = (path: string) => `/agent-sessions/${sessionId}${path}`;
  // A refusal means that the page is behind: what it shows is right again before the reason is said.
  const attempt: typeof tryOnce = async (run) => {
    const answer = await tryOnce(run);
    if (!answer.ok) await reread().catch(() => undefined);
    return answer;
  };
  const move = async (path: string, body: unknown) => {
    const answer = await attempt(() => call(at(path), { method: 'POST', body, schema: sessionSchema }));
    if (answer.ok) moved(answer.value);
    return answer;
  };
  const change = async (path: string, body: unknown) => {
    const answer = await attempt(() => call(at(path), { method: 'POST', body, schema: sessionWithChangeSchema }));
    if (answer.ok) moved(answer.value);
    return answer;
  };
  return {
    revert: (itemId) => move('/revert', { itemId }),
    rollback: () => move('/rollback', {}),
    async tryAgain(point) {
      const back = await move('/revert', { itemId: point });
      if (!back.ok) return { ...back, moved: false };
      const on = await attempt(() => call(at('/continue'), { method: 'POST', body: {}, schema: turnAnswerSchema }));
      return { ...(on.ok ? back : on), moved: true };
    },
    async edit(body) {
      const answer = await attempt(() =>
        call(at('/messages'), { method: 'POST', body, schema: postMessageAnswerSchema }),
      );
      if (!answer.ok) return answer;
      await reread().catch(() => undefined);
      return { ok: true, value: answer.value.messageId };
    },
    fork: (itemId) => {
      const body = itemId === null ? {} : { itemId };
      return attempt(() => call(at('/fork'), { method: 'POST', body, schema: sessionSchema }));
    },
    previewUndo: (id) =>
      tryOnce(() =>
        call(at(`/compactions/${id}/revert`), {
          method: 'POST',
          query: { preview: '1' },
          body: {},
          schema: sessionWithChangeSchema,
        }),
      ),
    undoSummary: (id) => change(`/compactions/${id}/revert`, {}),
    expand: (id, part) => change(`/compactions/${id}/expand`, part),
    fold: (id, part) => change(`/compactions/${id}/fold`, part),
    undoTrim: (trimId) => change(`/trims/${trimId}/undo`, {}),
  };
}

/** Replaces the whole plan; throws what the server refused. */
export function putPlan(sessionId: string, items: readonly PlanItem[], call: typeof callApi) {
  return call(`/agent-sessions/${sessionId}/plan`, { method: 'PUT', body: { items }, schema: planAnswerSchema });
}
