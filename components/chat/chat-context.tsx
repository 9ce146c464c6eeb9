'use client';

import { createContext, useContext } from 'react';
import type { ChatActions } from '../sync/actions';

/** What parts deep in a transcript may ask of the page around them. All functions keep their identity. */
export interface ChatScope {
  readonly sessionId: string;
  /** Null in a read-only branch: nothing there can be changed. */
  readonly actions: ChatActions | null;
  readonly compact: (focus?: string) => void;
  /** Scrolls to a message and marks it for two seconds; reads older pages until it is there. */
  readonly jumpTo: (messageId: string) => void;
  readonly openModelPicker: () => void;
  readonly putInComposer: (text: string) => void;
}

const nothing = () => undefined;

export const ChatContext = createContext<ChatScope>({
  sessionId: '',
  actions: null,
  compact: nothing,
  jumpTo: nothing,
  openModelPicker: nothing,
  putInComposer: nothing,
});

export function useChatScope(): ChatScope {
  return useContext(ChatContext);
}
