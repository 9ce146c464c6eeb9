'use client';

import { useQuery } from '@tanstack/react-query';
import { Check, Circle, CircleDot, Square } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { CompactionStage, SegmentTally } from '@/server/contract/session';
import { type CompactionRow, isLive } from '../sync/fold-stream-compaction';
import { promptQuery } from '../sync/queries-chat';
import { Button } from '../ui/button';
import { FoldSheet } from '../ui/fold-edge';
import { useChatScope } from './chat-context';
import { CompactionFailed } from './compaction-failed';
import { wordReason } from './compaction-words';
import { countEarned, wordRow, wordTrigger } from './row-words';
import { useElapsed } from './use-elapsed';

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
  const { actions } = useChatScope();
  const elapsedMs = useElapsed(row.since === '' ? null : row.since);
  const words = wordRow(row, { elapsedMs, replying });
  const landed = row.state === 'landed';
  const waits = row.state === 'requested' && row.acknowledged && replying;
  return (
    <section aria-label="Compaction" data-compaction-row="" className="compacting-row" tabIndex={-1}>
      <FoldSheet earned={landed ? undefined : countEarned(row)}>
        <div className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-2 px-5 py-2">
          <span aria-hidden className={words.pulses && !landed ? 'dot pulse' : 'dot'} data-tone="heather" />
          <p className="min-w-0 flex-[1_1_12rem]">
            <span className="font-[650]">{landed ? 'Compacted.' : words.text}</span>
            {words.aside === '' || landed ? null : <span className="numbers ml-2 text-ink-2">{words.aside}</span>}
          </p>
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
        {row.segments && row.segments.total > 0 ? <Segments tally={row.segments} stage={row.stage} /> : null}
      </FoldSheet>
    </section>
  );
}

type SegmentsProps = { readonly tally: SegmentTally; readonly stage: CompactionStage | null };

function stateOf(index: number, { done, running, failed }: SegmentTally): string {
  if (index < done) return 'done';
  if (index < done + running) return 'running';
  return index < done + running + failed ? 'failed' : 'waiting';
}

/** Segments as they are written; nothing here moves by itself: what runs is hatched. */
function Segments({ tally, stage }: SegmentsProps) {
  const places = Array.from({ length: Math.min(tally.total, 60) }, (_, index) => stateOf(index, tally));
  const words = `${tally.done} of ${tally.total} segments written${tally.running > 0 ? `, ${tally.running} in progress` : ''}`;
  return (
    <div className="px-5 pb-3.5 pl-12 max-rail:pl-5">
      <div className="segments" aria-hidden>
        {places.map((state, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a segment is its place.
          <span key={index} data-state={state} />
        ))}
      </div>
      <p className="numbers mt-2 text-small">{words}</p>
      <Stages total={tally.total} stage={stage} />
    </div>
  );
}

const stageOrder: readonly CompactionStage[] = ['map', 'reduce', 'audit', 'correct'];

function Stages({ total, stage }: { readonly total: number; readonly stage: CompactionStage | null }) {
  const at = stage === null ? 0 : stageOrder.indexOf(stage);
  const rows = [
    { word: 'Split into whole messages', state: 'done' },
    { word: `Write ${total} segments`, state: at <= 0 ? 'now' : 'done' },
    { word: 'Join them', state: at < 1 ? 'next' : at === 1 ? 'now' : 'done' },
    { word: 'Check against the segments', state: at < 2 ? 'next' : 'now' },
  ] as const;
  return (
    <ol className="mt-2.5 flex flex-wrap justify-between gap-x-4 gap-y-1 text-small">
      {rows.map(({ word, state }) => {
        const Icon = state === 'done' ? Check : state === 'now' ? CircleDot : Circle;
        return (
          <li key={word} className={`flex items-center gap-1.5 ${state === 'now' ? 'font-[650]' : 'text-ink-2'}`}>
            <Icon aria-hidden size={14} strokeWidth={1.75} className={state === 'now' ? 'text-heather' : undefined} />
            {word}
            <span className="sr-only">
              {state === 'done' ? ', done' : state === 'now' ? ', in progress' : ', to come'}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
