'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Message } from '@/server/contract/message';
import type { Session } from '@/server/contract/session';
import { useShell } from '../shell/shell-context';
import type { ChatSession } from '../sync/chat-store-session';
import { isLive } from '../sync/fold-stream-compaction';
import { applySessionUpdated } from '../sync/queries';
import { buildBlocks } from './build-turns';
import type { Landing, TravelScope } from './travel-context';
import { findShownAgain, lastItemOf, newestPoint, pointBefore, tipsShown } from './travel-points';
import { findBlockKey } from './use-folds';
import type { ScrollController } from './use-scroll-controller';

/** Pages read backwards to find what a message follows. */
const mostPages = 60;

/** Why the head cannot move now, in words; null: it can. */
export function wordBlocked(
  state: Pick<ChatSession['state'], 'turn' | 'compaction'>,
  session: Pick<Session, 'status'>,
): string | null {
  if (isLive(state.compaction) || session.status === 'compacting')
    return 'A compaction runs. Stop it, or wait for its end.';
  if (session.status === 'waiting_approval')
    return 'A tool waits for your yes or no. Decide, or stop this reply first.';
  return state.turn?.state === 'started' ? 'A reply runs. Stop it, or wait for its end.' : null;
}

/** What was refused, and the message that was meant: it is not where it was any more. */
export interface TravelProblem {
  readonly text: string;
  readonly messageId: string | null;
  /** Nothing went wrong: this is what was done. */
  readonly isDone?: boolean;
}

export interface TravelScopeParts {
  readonly session: Session;
  readonly chat: ChatSession;
  readonly scroll: Pick<ScrollController, 'anchor' | 'toEnd'>;
}

/** The travel of one page, and what it has to tell above the composer. */
export function useTravelScope({ session, chat, scroll }: TravelScopeParts): {
  readonly scope: TravelScope;
  readonly problem: TravelProblem | null;
} {
  const { state, store, loadBefore, travel } = chat;
  const { anchor, toEnd } = scroll;
  const client = useQueryClient();
  const router = useRouter();
  const { expectComposer } = useShell();
  const [problem, setProblem] = useState<TravelProblem | null>(null);
  const tell = useCallback(
    (text: string | null, messageId?: string) =>
      setProblem(text === null ? null : { text, messageId: messageId ?? null }),
    [],
  );
  const report = useCallback((text: string) => setProblem({ text, messageId: null, isDone: true }), []);
  const running = state.turn?.state === 'started';
  useEffect(() => {
    if (running) setProblem((held) => (held?.isDone ? null : held));
  }, [running]);
  const findBefore = useCallback(
    async (messageId: string) => {
      for (let page = 0; page < mostPages; page += 1) {
        const found = pointBefore(store.get(), messageId);
        if (found !== undefined || !store.get().hasBefore) return found;
        await loadBefore();
      }
      return pointBefore(store.get(), messageId);
    },
    [store, loadBefore],
  );
  const branchFrom = useCallback(
    async (itemId: string | null) => {
      const answer = await travel.fork(itemId);
      if (!answer.ok) return answer.message;
      applySessionUpdated(client, answer.value);
      // What held the focus goes with this page.
      expectComposer(`/c/${answer.value.id}`);
      router.push(`/c/${answer.value.id}`);
      return null;
    },
    [travel, client, router, expectComposer],
  );
  const { messages } = state;
  const marks = useMemo(() => {
    const summaries = messages.filter((one) => one.role === 'summary' && !one.metadata.reverted);
    const inForce = summaries.findLast((one) => one.role === 'summary' && one.metadata.inForce)?.id ?? null;
    const countNewer = (id: string) => {
      const seq = summaries.find((one) => one.id === id)?.seq ?? Number.POSITIVE_INFINITY;
      return summaries.filter((one) => one.seq > seq).length;
    };
    return { inForce, countNewer, tips: tipsShown(messages), shownAgain: findShownAgain(messages) };
  }, [messages]);
  const land = useLanding(messages, anchor);
  const endAt = useEndAt(messages, toEnd);
  const blocked = wordBlocked(state, session);
  const { context, parent, readOnly } = session;
  const scope = useMemo<TravelScope>(
    () => ({
      ...marks,
      travel: readOnly ? null : travel,
      blocked,
      context,
      parent,
      pointBefore: findBefore,
      newestPoint: () => newestPoint(store.get().messages),
      lastItemOf: (messageId) => lastItemOf(store.get().messages, messageId),
      branchFrom,
      land,
      endAt,
      tell,
      report,
    }),
    [marks, readOnly, travel, blocked, context, parent, findBefore, store, branchFrom, land, endAt, tell, report],
  );
  return { scope, problem };
}

function findLanding({ id, on }: Landing, messages: readonly Message[]): HTMLElement | null {
  const transcript = document.querySelector<HTMLElement>('[data-transcript]');
  const escaped = CSS.escape(id);
  // A result stands in the block of its reply.
  const key = CSS.escape(findBlockKey(buildBlocks(messages), id) ?? id);
  const block = transcript?.querySelector<HTMLElement>(`[data-block="${key}"]`) ?? null;
  if (on === 'message') return block ?? findCover(transcript, messages, id);
  if (on === 'reverted') return block?.querySelector<HTMLElement>('.struck-line button') ?? null;
  const branches = transcript?.querySelector(`[data-branches="${escaped}"]`);
  return branches?.querySelector<HTMLElement>(`[data-step="${on}"]`) ?? block;
}

function focusBlock(target: HTMLElement): void {
  if (target.dataset.block !== undefined) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/** In there, or lost: nobody put it anywhere else meanwhile. */
function isFocusIn(region: string): boolean {
  const active = document.activeElement;
  return active === null || active === document.body || active.closest(region) !== null;
}

/** What is part of the conversation and not drawn is covered: its card is as near as one gets. */
function findCover(transcript: HTMLElement | null, messages: readonly Message[], id: string): HTMLElement | null {
  if (!messages.some((message) => message.id === id)) return null;
  return transcript?.querySelector<HTMLElement>('[data-fold-head]') ?? null;
}

/** Keeps the focus where a person acted although the messages there are other ones now. */
function useLanding(messages: readonly Message[], anchor: (key: string) => void): TravelScope['land'] {
  const wanted = useRef<Landing | null>(null);
  const drawn = useRef(messages);
  const settle = useCallback(() => {
    const landing = wanted.current;
    const target = landing && findLanding(landing, drawn.current);
    if (!landing || !target) return;
    wanted.current = null;
    focusBlock(target);
    if (landing.anchor) anchor(landing.id);
    else target.scrollIntoView({ block: 'nearest' });
  }, [anchor]);
  useLayoutEffect(() => {
    drawn.current = messages;
    settle();
  }, [messages, settle]);
  return useCallback(
    (landing) => {
      wanted.current = landing;
      settle();
    },
    [settle],
  );
}

/** Not before the new path is drawn: the end of the old one is nowhere a person wants to be. */
function useEndAt(messages: readonly Message[], toEnd: () => void): TravelScope['endAt'] {
  const wanted = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (wanted.current === null || newestPoint(messages) !== wanted.current) return;
    const target = findLanding({ id: wanted.current, on: 'message' }, messages);
    wanted.current = null;
    toEnd();
    // What was pressed may have left the page with the messages after it.
    if (target && isFocusIn('[data-transcript]')) focusBlock(target);
  }, [messages, toEnd]);
  return useCallback((itemId) => {
    wanted.current = itemId;
  }, []);
}
