'use client';

import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { ItemPlace } from '@/server/contract/search';
import { type ChatActions, createChatActions } from './actions';
import { callApi } from './api-client';
import { type ChatReader, createChatReader } from './chat-reader';
import { type ChatStore, createChatStore, scheduleFrame } from './chat-store';
import type { StreamMessage } from './event-stream-parse';
import { type BrowserStream, useBrowserStream } from './event-stream-provider';
import type { ChatState } from './fold-stream';
import { makeId } from './make-id';
import { applySessionUpdated, sessionQuery } from './queries';
import { compactionsQuery, contextQuery, planQuery, promptQuery, readItemPlace, readMessages } from './queries-chat';
import { createTravelActions, type TravelActions } from './travel-actions';

/** After an event that changes what runs or how full it is, the conversation is read again at most this often. Milliseconds. */
const settleMs = 600;

export interface ChatSession {
  readonly state: ChatState;
  readonly store: ChatStore;
  readonly actions: ChatActions;
  readonly travel: TravelActions;
  /** Why the transcript could not be read; null while all is well. */
  readonly problem: unknown;
  /** Reads the page before the oldest message held. */
  readonly loadBefore: () => Promise<void>;
  /** Where a message stands that may not be on the path. */
  readonly readPlace: (itemId: string) => Promise<ItemPlace>;
  readonly reload: () => void;
}

/** Events after which something beside the transcript must be read again. */
function sweep(client: QueryClient, sessionId: string, { event }: StreamMessage): void {
  const invalidate = (queryKey: readonly unknown[]) => void client.invalidateQueries({ queryKey });
  // The first turn keeps a prompt; before it there was none to be behind.
  const unkept = client.getQueryData(promptQuery(sessionId).queryKey)?.kept === null;
  if (event.event === 'prompt.behind' || (event.event === 'chat.turn' && unkept)) {
    invalidate(promptQuery(sessionId).queryKey);
  }
  if (event.event === 'chat.plan') client.setQueryData(planQuery(sessionId).queryKey, { items: event.data.items });
  if (event.event === 'chat.compacted') {
    // A summary is written against the new prompt (P5): the banner does not come back for the moment of asking.
    if (event.data.outcome === 'committed') {
      client.setQueryData(promptQuery(sessionId).queryKey, (held) => held && { ...held, current: true });
    }
    invalidate(promptQuery(sessionId).queryKey);
    invalidate(compactionsQuery(sessionId).queryKey);
  }
  // A turn that begins or ends moves the counters of the ledger (C10).
  if (event.event === 'chat.turn') invalidate(compactionsQuery(sessionId).queryKey);
  // A boundary that changes is a summary or a trim taken back, or a part of one shown again.
  const boundary = event.event === 'chat.message' && (event.data.role === 'summary' || event.data.role === 'trim');
  if (boundary) invalidate(compactionsQuery(sessionId).queryKey);
  if (boundary || event.event === 'chat.compacted' || event.event === 'chat.turn')
    invalidate(contextQuery(sessionId).queryKey);
}

const settling = new Set(['chat.turn', 'chat.compacted', 'chat.message', 'session.updated']);

function follow(parts: {
  store: ChatStore;
  reader: ChatReader;
  client: QueryClient;
  stream: BrowserStream;
  after: number;
}) {
  const { store, reader, client, stream, after } = parts;
  const { sessionId } = store.get();
  let timer: ReturnType<typeof setTimeout> | undefined;
  // A fork is told by its own conversation alone; the message it begins at is read again, once for each.
  const forks = new Set<string>();
  const noticeFork = (id: string) => {
    if (forks.has(id)) return;
    forks.add(id);
    void reader.load(false).catch(() => undefined);
  };
  const settle = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void reader.refresh().catch(() => undefined);
    }, settleMs);
  };
  const onMessage = (message: StreamMessage) => {
    const { event } = message;
    if (event.event === 'session.updated' && event.data.parent?.sessionId === sessionId) noticeFork(event.data.id);
    const owner = event.event === 'session.updated' ? event.data.id : event.data.sessionId;
    if (owner !== sessionId && owner !== null) return;
    reader.see(message);
    store.push(event);
    sweep(client, sessionId, message);
    if (settling.has(event.event)) settle();
    if (event.event === 'session.updated') void reader.follow(event.data.headMovedSeq);
  };
  const onResync = () => void reader.load(true).catch(() => undefined);
  const stop = stream.follow(sessionId, after, { onMessage, onResync });
  return () => {
    clearTimeout(timer);
    stop();
  };
}

function whenOnline(): Promise<void> | null {
  if (navigator.onLine) return null;
  return new Promise((resolve) => window.addEventListener('online', () => resolve(), { once: true }));
}

/** One conversation, read once and kept right by the stream for as long as it is on the page. */
export function useChatSession(sessionId: string): ChatSession {
  const client = useQueryClient();
  const stream = useBrowserStream();
  const { follow: followStream, reconnect, state: streamState } = stream;
  const [store] = useState(() => createChatStore(sessionId, scheduleFrame));
  const [reader] = useState(() =>
    createChatReader({
      store,
      readSession: () => client.fetchQuery({ ...sessionQuery(sessionId), staleTime: 0 }),
      readPage: (query) => readMessages(sessionId, query),
      onMoved: () => void client.invalidateQueries({ queryKey: ['chat', sessionId] }),
    }),
  );
  const [problem, setProblem] = useState<unknown>(null);
  const [round, setRound] = useState(0);
  const actions = useMemo(
    () =>
      createChatActions({
        store,
        makeId,
        now: () => new Date().toISOString(),
        call: callApi,
        wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
        whenOnline,
      }),
    [store],
  );
  const travel = useMemo(
    () =>
      createTravelActions({
        sessionId,
        call: callApi,
        moved: (session) => {
          client.setQueryData(sessionQuery(sessionId).queryKey, session);
          applySessionUpdated(client, session);
          void reader.follow(session.headMovedSeq);
        },
        reread: reader.refresh,
      }),
    [sessionId, client, reader],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` is the person's wish to read again.
  useEffect(() => {
    let stop: (() => void) | null = null;
    let gone = false;
    const browser = { state: 'open', follow: followStream, reconnect } as const;
    reader.load(false).then(
      (after) => {
        setProblem(null);
        if (!gone) stop = follow({ store, reader, client, stream: browser, after });
      },
      (thrown: unknown) => setProblem(thrown),
    );
    const stopGap = store.onGap(reconnect);
    return () => {
      gone = true;
      stop?.();
      stopGap();
      store.close();
    };
  }, [store, reader, client, followStream, reconnect, round]);
  useEffect(() => {
    if (streamState === 'open' && store.get().loaded) void reader.refresh().catch(() => undefined);
  }, [streamState, reader, store]);
  const state = useSyncExternalStore(store.subscribe, store.get, store.get);
  const reload = useCallback(() => setRound((n) => n + 1), []);
  const readPlace = useCallback((itemId: string) => readItemPlace(sessionId, itemId), [sessionId]);
  return { state, store, actions, travel, problem, loadBefore: reader.loadBefore, readPlace, reload };
}
