'use client';

import { type ComponentType, createContext, useContext } from 'react';
import type { DeskTab } from '../desk/desk-tab';
import type { ChatActions } from '../sync/actions';
import type { Block } from './build-turns';

/** What parts deep in a transcript may ask of the page around them. All functions keep their identity. */
export interface ChatScope {
  readonly sessionId: string;
  /** Null in a read-only branch: nothing there can be changed. */
  readonly actions: ChatActions | null;
  readonly compact: (focus?: string) => void;
  /** Scrolls to a message and marks it for two seconds; reads older pages until it is there. */
  readonly jumpTo: (messageId: string) => void;
  readonly openDesk: (panel: DeskTab) => void;
  readonly openModelPicker: () => void;
  readonly putInComposer: (text: string) => void;
}

const nothing = () => undefined;

export const ChatContext = createContext<ChatScope>({
  sessionId: '',
  actions: null,
  compact: nothing,
  jumpTo: nothing,
  openDesk: nothing,
  openModelPicker: nothing,
  putInComposer: nothing,
});

export function useChatScope(): ChatScope {
  return useContext(ChatContext);
}

export type TranscriptBlockProps = {
  readonly block: Block;
  readonly newest: boolean;
  /** Stands above the boundary that covers it: readable, and not in the model's context. */
  readonly covered: boolean;
  readonly agentName: string | null;
};

/** What draws a block, for a branch that hangs under a call inside of one. */
export const BlockContext = createContext<ComponentType<TranscriptBlockProps>>(() => null);
