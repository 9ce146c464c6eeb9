import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { agentSchema, agentsAnswerSchema, agentVersionsAnswerSchema } from '@/server/contract/agent';
import type { VersionRef } from '@/server/contract/names';
import { trashAnswerSchema } from '@/server/contract/operations';
import { modelsAnswerSchema, providerOffersAnswerSchema, providersAnswerSchema } from '@/server/contract/provider';
import { sessionMatchesAnswerSchema } from '@/server/contract/search';
import { listSessionsAnswerSchema, type SessionSummary, sessionSchema } from '@/server/contract/session';
import { settingsAnswerSchema } from '@/server/contract/settings';
import { skillSchema, skillsAnswerSchema, skillVersionsAnswerSchema } from '@/server/contract/skill';
import { diffAnswerSchema } from '@/server/contract/versions';
import { callApi } from './api-client';
import { patchSessionPages, type SessionFilter, type SessionPages } from './patch-session-pages';

/** Every cached answer of the server, by one key each. What is read more than once is read through here. */

export const sessionsKey = ['sessions'] as const;

const pageSize = 50;

/** The conversations of a filter, newest first, page by page. Kept right by events, so it never grows stale by itself. */
export function sessionsQuery(filter: SessionFilter) {
  return infiniteQueryOptions({
    queryKey: [...sessionsKey, filter],
    queryFn: ({ pageParam, signal }) =>
      callApi('/agent-sessions', {
        schema: listSessionsAnswerSchema,
        query: { ...filter, cursor: pageParam, limit: pageSize },
        signal,
      }),
    initialPageParam: initialCursor,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

const initialCursor: string | null = null;

/** Older places of one conversation with these words, beyond those that came with the list. */
export function matchesQuery({ sessionId, q, cursor }: { sessionId: string; q: string; cursor: string }) {
  return infiniteQueryOptions({
    queryKey: ['matches', sessionId, q, cursor],
    queryFn: ({ pageParam, signal }) =>
      callApi(`/agent-sessions/${sessionId}/matches`, {
        schema: sessionMatchesAnswerSchema,
        query: { q, cursor: pageParam },
        signal,
      }),
    initialPageParam: cursor,
    getNextPageParam: (page) => page.more?.cursor,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** One conversation with its settings, context and what runs in it. */
export function sessionQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['session', sessionId],
    queryFn: ({ signal }) => callApi(`/agent-sessions/${sessionId}`, { schema: sessionSchema, signal }),
  });
}

/** Deleted conversations that can come back. */
export function trashQuery() {
  return queryOptions({
    queryKey: ['trash'],
    queryFn: ({ signal }) => callApi('/trash', { schema: trashAnswerSchema, signal }),
  });
}

function isSessionFilter(value: unknown): value is SessionFilter {
  return typeof value === 'object' && value !== null;
}

/** Brings one `session.updated` into every list in the cache and into the conversation itself (ux 4: no polling). */
export function applySessionUpdated(client: QueryClient, session: SessionSummary): void {
  for (const query of client.getQueryCache().findAll({ queryKey: sessionsKey })) {
    const filter = query.queryKey[1];
    const pages = client.getQueryData<SessionPages>(query.queryKey);
    if (!pages || !isSessionFilter(filter)) continue;
    const patched = patchSessionPages(pages, session, filter);
    if (patched === null) void client.invalidateQueries({ queryKey: query.queryKey });
    else client.setQueryData(query.queryKey, patched);
  }
  const { queryKey } = sessionQuery(session.id);
  client.setQueryData(queryKey, (held) => (held && held.headSeq <= session.headSeq ? { ...held, ...session } : held));
}

export function agentsQuery() {
  return queryOptions({
    queryKey: ['agents'],
    queryFn: ({ signal }) => callApi('/agents', { schema: agentsAnswerSchema, signal }),
  });
}

export function agentQuery(agentId: string) {
  return queryOptions({
    queryKey: ['agents', agentId],
    queryFn: ({ signal }) => callApi(`/agents/${agentId}`, { schema: agentSchema, signal }),
  });
}

export function agentVersionsQuery(agentId: string) {
  return queryOptions({
    queryKey: ['agents', agentId, 'versions'],
    queryFn: ({ signal }) => callApi(`/agents/${agentId}/versions`, { schema: agentVersionsAnswerSchema, signal }),
  });
}

export function skillsQuery() {
  return queryOptions({
    queryKey: ['skills'],
    queryFn: ({ signal }) => callApi('/skills', { schema: skillsAnswerSchema, signal }),
  });
}

export function skillQuery(skillId: string) {
  return queryOptions({
    queryKey: ['skills', skillId],
    queryFn: ({ signal }) => callApi(`/skills/${skillId}`, { schema: skillSchema, signal }),
  });
}

export function skillVersionsQuery(skillId: string) {
  return queryOptions({
    queryKey: ['skills', skillId, 'versions'],
    queryFn: ({ signal }) => callApi(`/skills/${skillId}/versions`, { schema: skillVersionsAnswerSchema, signal }),
  });
}

export type DiffWanted = {
  readonly kind: 'agents' | 'skills';
  readonly id: string;
  readonly from: VersionRef;
  readonly to: VersionRef;
};

export function diffQuery({ kind, id, from, to }: DiffWanted) {
  return queryOptions({
    queryKey: [kind, id, 'diff', from, to],
    queryFn: ({ signal }) => callApi(`/${kind}/${id}/diff`, { schema: diffAnswerSchema, query: { from, to }, signal }),
  });
}

export function settingsQuery() {
  return queryOptions({
    queryKey: ['settings'],
    queryFn: ({ signal }) => callApi('/settings', { schema: settingsAnswerSchema, signal }),
  });
}

export function providersQuery() {
  return queryOptions({
    queryKey: ['providers'],
    queryFn: ({ signal }) => callApi('/providers', { schema: providersAnswerSchema, signal }),
  });
}

/** Keys in the environment and servers on this machine: looked for when asked, never used unasked (N4). */
export function providerOffersQuery() {
  return queryOptions({
    queryKey: ['providers', 'offers'],
    queryFn: ({ signal }) => callApi('/providers/offers', { schema: providerOffersAnswerSchema, signal }),
    staleTime: 30_000,
  });
}

export function modelsQuery(q = '') {
  return queryOptions({
    queryKey: ['models', q],
    queryFn: ({ signal }) => callApi('/models', { schema: modelsAnswerSchema, query: { q, limit: 1000 }, signal }),
    staleTime: 60_000,
  });
}
