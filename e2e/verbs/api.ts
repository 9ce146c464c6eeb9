import type { APIRequestContext, APIResponse } from '@playwright/test';
import type { z } from 'zod';
import { compactionsAnswerSchema } from '../../server/contract/compactions';
import type { Message } from '../../server/contract/message';
import { messagesAnswerSchema } from '../../server/contract/messages-api';
import { type Session, sessionSchema } from '../../server/contract/session';
import { type SettingsPatch, settingsAnswerSchema } from '../../server/contract/settings';

export interface Send {
  readonly data?: unknown;
}

/** The same server over HTTP, with the page's own cookies: to prepare a walk, and to hold what is shown against the data. */
export interface Api {
  /** The raw answer, whatever its status. */
  raw(method: string, path: string, send?: Send): Promise<APIResponse>;
  /** Throws where the server refuses or answers something else than its contract. */
  call<T>(method: string, path: string, schema: z.ZodType<T>, send?: Send): Promise<T>;
  session(id: string): Promise<Session>;
  messages(id: string): Promise<readonly Message[]>;
  compactions(id: string): Promise<z.infer<typeof compactionsAnswerSchema>['compactions']>;
  /** Changes settings from whatever revision is in force. */
  settings(patch: SettingsPatch): Promise<void>;
}

export function createApi(request: APIRequestContext, origin: string): Api {
  const raw: Api['raw'] = (method, path, { data } = {}) =>
    request.fetch(`${origin}/v1${path}`, { method, headers: { origin }, ...(data === undefined ? {} : { data }) });
  const call: Api['call'] = async (method, path, schema, send) => {
    const answer = await raw(method, path, send);
    if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`);
    return schema.parse(answer.status() === 204 ? null : await answer.json());
  };
  return {
    raw,
    call,
    session: (id) => call('GET', `/agent-sessions/${id}`, sessionSchema),
    messages: async (id) => {
      const { messages } = await call('GET', `/agent-sessions/${id}/messages?limit=500`, messagesAnswerSchema);
      return messages;
    },
    compactions: async (id) => {
      const { compactions } = await call('GET', `/agent-sessions/${id}/compactions`, compactionsAnswerSchema);
      return compactions;
    },
    settings: async (settings) => {
      const { revision } = await call('GET', '/settings', settingsAnswerSchema);
      await call('PATCH', '/settings', settingsAnswerSchema, { data: { revision, settings } });
    },
  };
}
