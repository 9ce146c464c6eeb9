import { queryOptions } from '@tanstack/react-query';
import { carryOversAnswerSchema } from '@/server/contract/carry-over';
import { compactionsAnswerSchema } from '@/server/contract/compactions';
import { contextAnswerSchema } from '@/server/contract/context';
import { type MessagesAnswer, messagesAnswerSchema } from '@/server/contract/messages-api';
import { planAnswerSchema } from '@/server/contract/plan';
import { promptAnswerSchema } from '@/server/contract/prompt';
import { type ItemPlace, itemPlaceSchema } from '@/server/contract/search';
import { callApi } from './api-client';

/** What one conversation keeps beside its transcript. Under `chat`, so that one sweep reads all of a conversation again. */

const under = (sessionId: string, what: string) => ['chat', sessionId, what] as const;

export function compactionsQuery(sessionId: string) {
  return queryOptions({
    queryKey: under(sessionId, 'compactions'),
    queryFn: ({ signal }) =>
      callApi(`/agent-sessions/${sessionId}/compactions`, { schema: compactionsAnswerSchema, signal }),
  });
}

export function promptQuery(sessionId: string) {
  return queryOptions({
    queryKey: under(sessionId, 'prompt'),
    queryFn: ({ signal }) => callApi(`/agent-sessions/${sessionId}/prompt`, { schema: promptAnswerSchema, signal }),
  });
}

export function planQuery(sessionId: string) {
  return queryOptions({
    queryKey: under(sessionId, 'plan'),
    queryFn: ({ signal }) => callApi(`/agent-sessions/${sessionId}/plan`, { schema: planAnswerSchema, signal }),
  });
}

export function carryOversQuery(sessionId: string) {
  return queryOptions({
    queryKey: under(sessionId, 'carry-overs'),
    queryFn: ({ signal }) =>
      callApi(`/agent-sessions/${sessionId}/carry-overs`, { schema: carryOversAnswerSchema, signal }),
  });
}

export function contextQuery(sessionId: string) {
  return queryOptions({
    queryKey: under(sessionId, 'context'),
    queryFn: ({ signal }) => callApi(`/agent-sessions/${sessionId}/context`, { schema: contextAnswerSchema, signal }),
  });
}

/** One page of the transcript, newest without an anchor. Not cached: the store of the conversation holds it. */
export function readMessages(
  sessionId: string,
  query: { readonly before?: string; readonly after?: string; readonly limit: number },
  signal?: AbortSignal,
): Promise<MessagesAnswer> {
  return callApi(`/agent-sessions/${sessionId}/messages`, { schema: messagesAnswerSchema, query, signal });
}

/** Where a message stands: on the path, or on a branch that was left. Asked anew each time, since going there changes it. */
export function readItemPlace(sessionId: string, itemId: string): Promise<ItemPlace> {
  return callApi(`/agent-sessions/${sessionId}/items/${itemId}/place`, { schema: itemPlaceSchema });
}
