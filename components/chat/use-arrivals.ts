'use client';

import { useEffect, useLayoutEffect, useRef } from 'react';
import { type DeskTab, toDeskTab } from '../desk/desk-tab';
import type { ChatState } from '../sync/fold-stream';
import { hearJumps } from './jump-request';
import type { ScrollController } from './use-scroll-controller';

/** What was just sent rests near the top, first as it is drawn from the click, then as the message it became. */
export function useAnchorOnSend(
  state: ChatState,
  { anchor, renameAnchor }: Pick<ScrollController, 'anchor' | 'renameAnchor'>,
): void {
  const { outbox, messages } = state;
  const newest = outbox.findLast((sent) => !sent.queued)?.clientMessageId ?? null;
  const followed = useRef<string | null>(null);
  // Before the frame is drawn: between the two blocks nothing may be seen to move.
  useLayoutEffect(() => {
    if (newest !== null && newest !== followed.current) {
      followed.current = newest;
      anchor(newest);
    }
    if (newest !== null || followed.current === null) return;
    const message = messages.find(
      (one) => one.role === 'user' && one.metadata.clientMessageId === followed.current && !one.metadata.queued,
    );
    followed.current = null;
    if (message) renameAnchor(message.id);
  }, [newest, messages, anchor, renameAnchor]);
}

type OwnFold = { readonly open: (id: string) => void; readonly rest: (key: string) => void };

/** Ends of a compaction that leave no card. */
const cardless: ReadonlySet<string> = new Set(['failed', 'cancelled', 'skipped']);

/**
 * The card of a compaction that was asked for in this very tab opens itself, once, where its row was (ux 6.1). Judged by
 * what was there when it was asked for, since a quick one begins and ends within one frame and is never seen running.
 */
export function useOpenOwnFold(state: ChatState, { open, rest }: OwnFold): void {
  const asked = useRef<{ readonly id: string | null; readonly afterSeq: number } | null>(null);
  const { compaction: row, messages } = state;
  useLayoutEffect(() => {
    // Only the tab of the click draws a row that the server has not confirmed.
    if (row?.state === 'requested' && !row.acknowledged && row.clientRequestId !== asked.current?.id) {
      asked.current = { id: row.clientRequestId, afterSeq: Math.max(0, ...messages.map(({ seq }) => seq)) };
    }
    const own = asked.current;
    if (own === null) return;
    if (row?.clientRequestId === own.id && cardless.has(row.state)) asked.current = null;
    const card = messages.findLast(
      (one) => one.role === 'summary' && one.metadata.trigger === 'manual' && one.seq > own.afterSeq,
    );
    if (!card || asked.current === null) return;
    asked.current = null;
    open(card.id);
    rest(card.id);
  }, [row, messages, open, rest]);
}

/** `?m=` goes to a message and marks it, `?fold=` opens a card, `?desk=` a panel (ux 3): when the page opens; then on request. */
export function useDeepLink(targets: {
  readonly jumpTo: (id: string) => void;
  readonly openFold: (id: string) => void;
  readonly openDesk: (panel: DeskTab) => void;
}): void {
  const latest = useRef(targets);
  useEffect(() => {
    const query = new URLSearchParams(location.search);
    const fold = query.get('fold');
    const message = query.get('m') ?? fold;
    const desk = toDeskTab(query.get('desk'));
    if (fold !== null) latest.current.openFold(fold);
    if (message !== null) latest.current.jumpTo(message);
    if (desk !== null) latest.current.openDesk(desk);
  }, []);
  const { jumpTo } = targets;
  useEffect(() => hearJumps(jumpTo), [jumpTo]);
}
