'use client';

import { useQueryClient } from '@tanstack/react-query';
import { usePathname, useRouter } from 'next/navigation';
import { useCallback, useState } from 'react';
import { z } from 'zod';
import { AppError } from '@/server/contract/error';
import { type PatchSession, type SessionSummary, sessionSchema } from '@/server/contract/session';
import { callApi, toApiUrl, toMessage } from '../sync/api-client';
import { applySessionUpdated, sessionsKey, trashQuery } from '../sync/queries';
import { useSpeak } from '../ui/live-region';
import { useUndoToast } from '../ui/toast';

export type SessionActions = {
  readonly rename: (session: SessionSummary, title: string) => void;
  readonly togglePin: (session: SessionSummary) => void;
  readonly toggleArchive: (sessions: readonly SessionSummary[]) => void;
  readonly remove: (sessions: readonly SessionSummary[]) => void;
  readonly download: (session: SessionSummary) => void;
  /** Rows that have left the list while their deletion can still be undone. */
  readonly leaving: ReadonlySet<string>;
  /** The newest refusal, to be shown at its row. */
  readonly problem: { readonly sessionId: string; readonly text: string; readonly onForce?: () => void } | null;
};

function download(session: SessionSummary): void {
  const link = document.createElement('a');
  link.href = toApiUrl(`/agent-sessions/${session.id}/export`, { format: 'markdown' });
  link.download = '';
  link.click();
}

function sayCount(count: number, word: string): string {
  return count === 1 ? `${word}.` : `${count} conversations ${word.toLowerCase()}.`;
}

function hasForks(thrown: unknown): boolean {
  return thrown instanceof AppError && thrown.code === 'conflict' && Array.isArray(thrown.details?.forks);
}

/** A change of fields, drawn at once and corrected by the answer; a refusal puts the row back and names the reason. */
function usePatch() {
  const client = useQueryClient();
  const [problem, setProblem] = useState<SessionActions['problem']>(null);
  const patch = useCallback(
    async (session: SessionSummary, body: PatchSession, drawn: Partial<SessionSummary>) => {
      setProblem(null);
      applySessionUpdated(client, { ...session, ...drawn });
      try {
        const answer = await callApi(`/agent-sessions/${session.id}`, { method: 'PATCH', body, schema: sessionSchema });
        applySessionUpdated(client, answer);
      } catch (thrown) {
        applySessionUpdated(client, session);
        setProblem({ sessionId: session.id, text: toMessage(thrown) });
      }
    },
    [client],
  );
  return { patch, problem, setProblem };
}

/**
 * Deletion in two steps: the row leaves at once, the request goes when the undo is over. So an undo needs nothing from
 * the server, and closing the page in between still deletes.
 */
function useRemoval(setProblem: (problem: SessionActions['problem']) => void) {
  const client = useQueryClient();
  const router = useRouter();
  const pathname = usePathname();
  const offerUndo = useUndoToast();
  const [leaving, setLeaving] = useState<ReadonlySet<string>>(new Set());
  const stay = (ids: readonly string[]) => setLeaving((now) => new Set([...now].filter((id) => !ids.includes(id))));
  const send = async (session: SessionSummary, force = false) => {
    const call = { method: 'DELETE', query: force ? { force: 1 } : {}, schema: z.unknown(), keepalive: true } as const;
    try {
      await callApi(`/agent-sessions/${session.id}`, call);
      applySessionUpdated(client, { ...session, deletedAt: session.updatedAt });
      await client.invalidateQueries({ queryKey: trashQuery().queryKey });
    } catch (thrown) {
      const onForce = () => {
        setProblem(null);
        void send(session, true);
      };
      // Forks live on without it: then a person may insist.
      const forced = hasForks(thrown) ? { onForce } : {};
      setProblem({ sessionId: session.id, text: toMessage(thrown), ...forced });
    }
    stay([session.id]);
  };
  const remove = (sessions: readonly SessionSummary[]) => {
    const ids = sessions.map((session) => session.id);
    setProblem(null);
    setLeaving((now) => new Set([...now, ...ids]));
    if (ids.some((id) => pathname === `/c/${id}`)) router.push('/');
    const sendAll = async () => {
      await Promise.all(sessions.map((session) => send(session)));
      if (sessions.length > 1) await client.invalidateQueries({ queryKey: sessionsKey });
    };
    offerUndo({
      text: sayCount(sessions.length, 'Deleted'),
      onUndo: () => stay(ids),
      onExpire: () => void sendAll(),
    });
  };
  return { leaving, remove };
}

/** What a person does to rows. After a bulk action every list reads again from its one key (ux 4). */
export function useSessionActions(): SessionActions {
  const client = useQueryClient();
  const speak = useSpeak();
  const offerUndo = useUndoToast();
  const { patch, problem, setProblem } = usePatch();
  const { leaving, remove } = useRemoval(setProblem);
  const setArchived = async (sessions: readonly SessionSummary[], archived: boolean) => {
    await Promise.all(sessions.map((session) => patch(session, { archived }, { archived })));
    if (sessions.length > 1) await client.invalidateQueries({ queryKey: sessionsKey });
  };
  const toggleArchive = (sessions: readonly SessionSummary[]) => {
    const archived = !sessions.every((session) => session.archived);
    void setArchived(sessions, archived);
    offerUndo({
      text: sayCount(sessions.length, archived ? 'Archived' : 'Brought back'),
      onUndo: () => void setArchived(sessions, !archived),
    });
  };
  return {
    rename: (session, title) => void patch(session, { title }, { title, titleBy: 'person' }),
    togglePin: (session) => {
      speak(session.pinned ? 'Unpinned' : 'Pinned');
      void patch(session, { pinned: !session.pinned }, { pinned: !session.pinned });
    },
    toggleArchive,
    remove,
    download,
    leaving,
    problem,
  };
}
