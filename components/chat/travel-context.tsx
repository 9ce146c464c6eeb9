'use client';

import { createContext, useContext } from 'react';
import type { Session } from '@/server/contract/session';
import type { TravelActions } from '../sync/travel-actions';
import type { Shown } from './travel-points';

export interface Landing {
  readonly id: string;
  /** A button of its branches, the message itself, or the thin line that a summary leaves. */
  readonly on: 'previous' | 'next' | 'message' | 'reverted';
  /** Rests near the top, as one that was just sent. */
  readonly anchor?: boolean;
}

/** What parts of a transcript need to go back and forth. It changes with what runs and where the head is, never by a word of a reply. */
export interface TravelScope {
  /** Null where nothing can be changed. */
  readonly travel: TravelActions | null;
  /** Why the head cannot move now; null: it can. */
  readonly blocked: string | null;
  readonly context: Session['context'] | null;
  readonly parent: Session['parent'];
  /** The summary in force, by its id. */
  readonly inForce: string | null;
  /** Summaries on the path that are newer than this one. */
  readonly countNewer: (summaryId: string) => number;
  readonly tips: ReadonlySet<string>;
  readonly shownAgain: Shown;
  /** Reads older pages where it must; null: this is the first message. Undefined: it could not be found out. */
  readonly pointBefore: (messageId: string) => Promise<string | null | undefined>;
  readonly newestPoint: () => string | null;
  /** The last item of a reply, results of its calls included. */
  readonly lastItemOf: (messageId: string) => string;
  /** Opens a new conversation that begins here, with null where this one stands now; gives why not. */
  readonly branchFrom: (itemId: string | null) => Promise<string | null>;
  /** Where the focus goes once the path that was asked for is on the page. */
  readonly land: (landing: Landing) => void;
  /** Once the path ends at this item, its end is what is looked at. */
  readonly endAt: (itemId: string) => void;
  /** Told where the place of the action is gone: above the composer. With the message it was about, the way there is offered. */
  readonly tell: (problem: string | null, messageId?: string) => void;
  /** Says there what was done, until something else is told or a reply runs. */
  readonly report: (done: string) => void;
}

export const TravelContext = createContext<TravelScope>({
  travel: null,
  blocked: null,
  context: null,
  parent: null,
  inForce: null,
  countNewer: () => 0,
  tips: new Set(),
  shownAgain: { ids: new Set(), parts: 0 },
  pointBefore: () => Promise.resolve(undefined),
  newestPoint: () => null,
  lastItemOf: (messageId) => messageId,
  branchFrom: () => Promise.resolve(null),
  land: () => undefined,
  endAt: () => undefined,
  tell: () => undefined,
  report: () => undefined,
});

export function useTravel(): TravelScope {
  return useContext(TravelContext);
}
