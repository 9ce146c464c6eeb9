'use client';

import { Check, Circle, CircleDot } from 'lucide-react';
import type { CompactionEntry } from '@/server/contract/compactions';
import type { CompactionStage, SegmentTally } from '@/server/contract/session';
import type { CompactionRow } from '../sync/fold-stream-compaction';
import { SegmentList } from './segment-list';
import { sayResumed, saySource, sayTally, toSegmentRows } from './segment-words';

export type SegmentProgressProps = {
  readonly row: CompactionRow & { readonly segments: SegmentTally };
  readonly entry: CompactionEntry | undefined;
};

/** A compaction in segments as it goes (X6): the bar, the count, the stages, and each segment. Nothing here moves by itself: what runs is hatched. */
export function SegmentProgress({ row, entry }: SegmentProgressProps) {
  const { segments: tally, stage, reading, compactionId } = row;
  const rows = entry ? toSegmentRows(entry, reading) : [];
  const resumed = sayResumed(rows);
  return (
    <div className="px-5 pb-3.5 pl-12 max-rail:pl-5" data-segments="">
      <SegmentBar tally={tally} rows={rows} />
      <p className="numbers mt-2 flex flex-wrap justify-between gap-x-4 text-small">
        <span>{sayTally(tally)}</span>
        <span className="text-ink-2">{entry ? saySource(entry) : ''}</span>
      </p>
      {resumed === '' ? null : <p className="numbers text-small text-ink-2">{resumed}</p>}
      <Stages total={tally.total} stage={stage} />
      {compactionId !== null && rows.length > 0 ? (
        <SegmentList compactionId={compactionId} rows={rows} canRetry={false} />
      ) : null}
    </div>
  );
}

/** Where only the count is known its places are filled in order; the segments themselves say it each for its own. */
function stateOf(index: number, { done, running, failed }: SegmentTally): string {
  if (index < done) return 'done';
  if (index < done + running) return 'running';
  return index < done + running + failed ? 'failed' : 'waiting';
}

const mostPlaces = 60;

type SegmentBarProps = { readonly tally: SegmentTally; readonly rows: ReturnType<typeof toSegmentRows> };

function SegmentBar({ tally, rows }: SegmentBarProps) {
  const exact = rows.length === tally.total && rows.length <= mostPlaces;
  const places = exact
    ? rows.map(({ n, state, bytes }) => ({ n, state, bytes }))
    : Array.from({ length: Math.min(tally.total, mostPlaces) }, (_, index) => ({
        n: index + 1,
        state: stateOf((index * tally.total) / Math.min(tally.total, mostPlaces), tally),
        bytes: 1,
      }));
  return (
    <div className="segments" aria-hidden>
      {places.map(({ n, state, bytes }) => (
        <span key={n} data-state={state} style={{ flexGrow: bytes }} />
      ))}
    </div>
  );
}

const stageOrder: readonly CompactionStage[] = ['map', 'reduce', 'audit', 'correct'];

function Stages({ total, stage }: { readonly total: number; readonly stage: CompactionStage | null }) {
  const at = stage === null ? 0 : stageOrder.indexOf(stage);
  const rows = [
    { word: 'Split into whole messages', state: 'done' },
    { word: total === 1 ? 'Write 1 segment' : `Write ${total} segments`, state: at <= 0 ? 'now' : 'done' },
    { word: 'Join them', state: at < 1 ? 'next' : at === 1 ? 'now' : 'done' },
    {
      word: stage === 'correct' ? 'Correct what the check found' : 'Check against the segments',
      state: at < 2 ? 'next' : 'now',
    },
  ] as const;
  return (
    <ol className="mt-2.5 flex flex-wrap justify-between gap-x-4 gap-y-1 text-small max-phone:flex-col">
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
