'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { sampleAnswerSchema } from '@/server/contract/import';
import { type CreateSession, type SessionSummary, sessionSchema } from '@/server/contract/session';
import { useShell } from '../shell/shell-context';
import { callApi, toMessage } from '../sync/api-client';
import { applySessionUpdated } from '../sync/queries';

/** The one model of the embedded provider (`contract.md` 18). */
export const practiceModel = { provider: 'practice', model: 'rules-1' } as const;

/** Makes a conversation and goes to it. One at a time: a second click while the first is on its way does nothing. */
export function useStartSession() {
  const client = useQueryClient();
  const router = useRouter();
  const { expectComposer } = useShell();
  const [starting, setStarting] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const run = async (make: () => Promise<SessionSummary>) => {
    if (starting) return;
    setStarting(true);
    setProblem(null);
    try {
      const session = await make();
      applySessionUpdated(client, session);
      expectComposer(`/c/${session.id}`);
      router.push(`/c/${session.id}`);
    } catch (thrown) {
      setProblem(toMessage(thrown));
    }
    setStarting(false);
  };
  return {
    starting,
    problem,
    start: (body: CreateSession) =>
      run(() => callApi('/agent-sessions', { method: 'POST', body, schema: sessionSchema })),
    openSample: () =>
      run(
        async () => (await callApi('/samples/open', { method: 'POST', body: {}, schema: sampleAnswerSchema })).session,
      ),
  };
}
