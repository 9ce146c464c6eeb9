'use client';

import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import type { StreamMessage } from './event-stream-parse';
import { openTabStream, type StreamState, type TabStream } from './event-stream-tab';
import type { Channel } from './leader-tab';
import { makeId } from './make-id';
import { applySessionUpdated, sessionsKey } from './queries';

export interface ChatListener {
  readonly onMessage: (message: StreamMessage) => void;
  /** Everything must be read again: the place in the stream is lost. */
  readonly onResync: () => void;
}

export interface BrowserStream {
  readonly state: StreamState;
  /** Follow a conversation; its events and those of no conversation go to the listener. */
  readonly follow: (sessionId: string, after: number | null, listener: ChatListener) => () => void;
  readonly reconnect: () => void;
}

const StreamContext = createContext<BrowserStream>({
  state: 'connecting',
  follow: () => () => undefined,
  reconnect: () => undefined,
});

function openChannel(): Channel | null {
  if (typeof BroadcastChannel === 'undefined') return null;
  const channel = new BroadcastChannel('tidemark-stream');
  return {
    post: (message) => channel.postMessage(message),
    listen(onMessage) {
      const listener = (event: MessageEvent<unknown>) => onMessage(event.data);
      channel.addEventListener('message', listener);
      return () => channel.removeEventListener('message', listener);
    },
  };
}

type Hub = {
  readonly open: (onState: (state: StreamState) => void) => () => void;
  readonly follow: BrowserStream['follow'];
  readonly reconnect: () => void;
};

/** Follows before the stream is open are kept and told when it is: effects of children run first. */
function createHub(client: QueryClient): Hub {
  const listeners = new Map<ChatListener, { readonly sessionId: string; readonly after: number | null }>();
  const stops = new Map<ChatListener, () => void>();
  let tab: TabStream | null = null;
  const onMessage = (message: StreamMessage) => {
    if (message.event.event === 'session.updated') {
      applySessionUpdated(client, message.event.data);
    }
    for (const listener of [...listeners.keys()]) listener.onMessage(message);
  };
  const onResync = () => {
    void client.invalidateQueries({ queryKey: sessionsKey });
    for (const listener of [...listeners.keys()]) listener.onResync();
  };
  return {
    open(onState) {
      tab = openTabStream({
        tabId: makeId(),
        listener: { onMessage, onState, onResync },
        channel: openChannel(),
        locks: navigator.locks ?? null,
        fetch: window.fetch.bind(window),
        random: Math.random,
        now: Date.now,
      });
      for (const [listener, start] of listeners) stops.set(listener, tab.follow(start.sessionId, start.after));
      const close = () => {
        tab?.close();
        tab = null;
        stops.clear();
      };
      // A tab that goes without unmounting says so, and the next one leads at once.
      window.addEventListener('pagehide', close);
      return () => {
        window.removeEventListener('pagehide', close);
        close();
      };
    },
    follow(sessionId, after, listener) {
      listeners.set(listener, { sessionId, after });
      if (tab) stops.set(listener, tab.follow(sessionId, after));
      return () => {
        listeners.delete(listener);
        stops.get(listener)?.();
        stops.delete(listener);
      };
    },
    reconnect: () => tab?.reconnect(),
  };
}

/** The one stream of the browser, for the session list and every open conversation (ux 4, contract 16). */
export function EventStreamProvider({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const [hub] = useState(() => createHub(client));
  const [state, setState] = useState<StreamState>('connecting');
  useEffect(() => hub.open(setState), [hub]);
  const value = useMemo(() => ({ state, follow: hub.follow, reconnect: hub.reconnect }), [state, hub]);
  return <StreamContext value={value}>{children}</StreamContext>;
}

export function useBrowserStream(): BrowserStream {
  return useContext(StreamContext);
}
