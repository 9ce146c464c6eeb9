'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Session } from '@/server/contract/session';
import type { CompactionRow } from '../sync/fold-stream-compaction';
import { applySessionUpdated } from '../sync/queries';

/**
 * The row of the list says "compacting" from the click on, like the row of the transcript (ux 7.3). While a reply runs it does
 * not: the fold waits for its end. What the server says is newer and goes before; where it refused, the row is as it was.
 */
export function useCompactingMark(session: Session, row: CompactionRow | null, replying: boolean): void {
  const client = useQueryClient();
  const latest = useRef(session);
  useEffect(() => {
    latest.current = session;
  });
  const isAsked = row?.state === 'requested' && !replying;
  const isUnderWay = row?.state === 'running' || row?.state === 'cancelling' || row?.state === 'landed';
  const before = useRef<Session | null>(null);
  useEffect(() => {
    if (isAsked && before.current === null && latest.current.status === 'idle') {
      before.current = latest.current;
      applySessionUpdated(client, { ...latest.current, status: 'compacting' });
    }
    if (isAsked) return;
    const held = before.current;
    before.current = null;
    if (held !== null && !isUnderWay) applySessionUpdated(client, held);
  }, [client, isAsked, isUnderWay]);
}
