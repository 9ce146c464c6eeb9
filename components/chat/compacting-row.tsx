'use client';

import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronUp, Square } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type CompactionRow, isLive } from '../sync/fold-stream-compaction';
import { promptQuery } from '../sync/queries-chat';
import { Button } from '../ui/button';
import { FoldSheet } from '../ui/fold-edge';
import { IconButton } from '../ui/icon-button';
import { useChatScope } from './chat-context';
import { CompactionFailed } from './compaction-failed';
import { wordReason } from './compaction-words';
import { countEarned, wordRow, wordTrigger } from './row-words';
import { SegmentProgress } from './segment-progress';
import { sayTally } from './segment-words';
import { useElapsed } from './use-elapsed';
import { useLedgerEntry } from './use-ledger-entry';

export type CompactingRowProps = {
  readonly row: CompactionRow;
  readonly replying: boolean;
};

/** The row of a compaction from the click to its end, one element throughout (ux 6.3). */
export function CompactingRow({ row, replying }: CompactingRowProps) {
  const caughtUp = useCaughtUp(row);
  if (row.state === 'failed') return <CompactionFailed row={row} />;
  if (row.state === 'cancelled') return <p className="struck-line">Compaction stopped. Nothing changed.</p>;
  if (row.state === 'skipped') {
    const now = caughtUp ? ' This conversation now uses the newest versions.' : '';
    return (
      <p className="struck-line">
        Nothing was compacted: {wordReason(row.reason)}.{now}
      </p>
    );
  }
  return <LiveCompaction row={row} replying={replying} />;
}

/** The conversation was behind its agent while this ran, and is not any more: newer versions come even without a summary (P5). */
function useCaughtUp(row: CompactionRow): boolean {
  const { sessionId, actions } = useChatScope();
  const prompt = useQuery({ ...promptQuery(sessionId), enabled: actions !== null });
  const [wasBehind, setWasBehind] = useState(false);
  const behind = prompt.data?.current === false;
  const live = isLive(row);
  useEffect(() => {
    if (live && behind) setWasBehind(true);
  }, [live, behind]);
  return wasBehind && prompt.data?.current === true;
}

function LiveCompaction({ row, replying }: CompactingRowProps) {
  const { sessionId, actions } = useChatScope();
  const entry = useLedgerEntry(sessionId, row);
  const [open, setOpen] = useState(true);
  const elapsedMs = useElapsed(row.since === '' ? null : row.since);
  const words = wordRow(row, { elapsedMs, replying });
  const landed = row.state === 'landed';
  const { segments } = row;
  const progress = segments && segments.total > 0 ? { ...row, segments } : null;
  const waits = row.state === 'requested' && row.acknowledged && replying;
  return (
    <section aria-label="Compaction" data-compaction-row="" className="compacting-row" tabIndex={-1}>
      <FoldSheet earned={landed ? undefined : countEarned(row)}>
        <div className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-2 px-5 py-2">
          <span aria-hidden className={words.pulses && !landed ? 'dot pulse' : 'dot'} data-tone="heather" />
          <p className="min-w-0 flex-[1_1_8rem]">
            <span className="font-[650]">{landed ? 'Compacted.' : words.text}</span>
            {words.aside === '' || landed ? null : <span className="numbers ml-2 text-ink-2">{words.aside}</span>}
            {progress && !open && !landed ? (
              <span className="numbers block text-small text-ink-2">{sayTally(progress.segments)}</span>
            ) : null}
          </p>
          {progress && !landed ? (
            <IconButton
              icon={open ? ChevronUp : ChevronDown}
              label={open ? 'Hide segments' : 'Show segments'}
              aria-expanded={open}
              onClick={() => setOpen(!open)}
            />
          ) : null}
          {landed || row.state === 'cancelling' || !actions ? null : waits ? (
            <Button onClick={() => void actions.cancel('turn')}>Compact now and stop the reply</Button>
          ) : (
            <Button onClick={() => void actions.cancel('compaction')}>
              <Square aria-hidden size={14} strokeWidth={1.75} />
              Stop
            </Button>
          )}
          {wordTrigger(row) === '' ? null : <p className="basis-full pl-7 text-small text-ink-2">{wordTrigger(row)}</p>}
          {row.focus === null ? null : <p className="record basis-full pl-7 text-ink-2">Keeping: “{row.focus}”</p>}
        </div>
        {progress && open && !landed ? <SegmentProgress row={progress} entry={entry} /> : null}
      </FoldSheet>
    </section>
  );
}
