'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { CompactionEntry } from '@/server/contract/compactions';
import type { CompactionRow } from '../sync/fold-stream-compaction';
import { compactionsQuery } from '../sync/queries-chat';

/** The ledger is read again at most this often while segments come in. Milliseconds. */
const readEveryMs = 400;

/** The ledger's own row of a compaction; read again whenever the stream says that one of its segments moved on. */
export function useLedgerEntry(sessionId: string, row: CompactionRow): CompactionEntry | undefined {
  const client = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const { compactionId, segments, reading, stage, model } = row;
  const ledger = useQuery({ ...compactionsQuery(sessionId), enabled: compactionId !== null });
  // Each of them is a step that a line of the log tells of.
  const step = compactionId === null ? null : JSON.stringify([compactionId, segments, reading, stage, model]);
  useEffect(() => {
    if (step === null || timer.current !== null) return;
    timer.current = setTimeout(() => {
      timer.current = null;
      void client.invalidateQueries({ queryKey: compactionsQuery(sessionId).queryKey });
    }, readEveryMs);
  }, [step, client, sessionId]);
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
    },
    [],
  );
  return ledger.data?.compactions.find((one) => one.compactionId === compactionId);
}
