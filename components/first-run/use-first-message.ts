'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useRef, useState } from 'react';
import { postMessageAnswerSchema } from '@/server/contract/messages-api';
import { type CreateSession, type SessionSummary, sessionSchema } from '@/server/contract/session';
import { useShell } from '../shell/shell-context';
import { callApi, toMessage } from '../sync/api-client';
import { makeId } from '../sync/make-id';
import { applySessionUpdated } from '../sync/queries';

/** What was already made when a send failed: sent again it must become neither a second conversation nor a second message. */
type Begun = { session: SessionSummary | null; clientMessageId: string; text: string };

/** Makes a conversation with its first message and goes to it. After a failure the words stay, and a retry goes on where it broke. */
export function useFirstMessage(body: CreateSession) {
  const client = useQueryClient();
  const router = useRouter();
  const { expectComposer } = useShell();
  const begun = useRef<Begun | null>(null);
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const send = async (text: string): Promise<boolean> => {
    if (sending) return false;
    setSending(true);
    setProblem(null);
    const before = begun.current;
    const now: Begun =
      before?.text === text ? before : { session: before?.session ?? null, clientMessageId: makeId(), text };
    begun.current = now;
    try {
      now.session ??= await callApi('/agent-sessions', { method: 'POST', body, schema: sessionSchema });
      await callApi(`/agent-sessions/${now.session.id}/messages`, {
        method: 'POST',
        body: { text, clientMessageId: now.clientMessageId },
        schema: postMessageAnswerSchema,
      });
      applySessionUpdated(client, now.session);
      expectComposer(`/c/${now.session.id}`);
      router.push(`/c/${now.session.id}`);
      return true;
    } catch (thrown) {
      setProblem(toMessage(thrown));
      return false;
    } finally {
      setSending(false);
    }
  };
  return { send, sending, problem };
}
