'use client';

import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../ui/button';
import { formatBytes } from '../ui/format-bytes';
import { formatDuration } from '../ui/format-time';
import { IconButton } from '../ui/icon-button';
import { useSpeak } from '../ui/live-region';
import { useChatScope } from './chat-context';
import { pickSegments, type SegmentRow } from './segment-words';

export type SegmentListProps = {
  readonly compactionId: string;
  readonly rows: readonly SegmentRow[];
  /** It is over without a summary, so a segment can be read again: one that failed, or one whose notes are to be others. */
  readonly canRetry: boolean;
};

/** The segments one by one, each with the way to have it read again where nothing runs (X6). */
export function SegmentList({ compactionId, rows, canRetry }: SegmentListProps) {
  const [all, setAll] = useState(false);
  const shown = all ? rows : pickSegments(rows);
  return (
    <div className="mt-2.5 border-t border-heather-hair pt-2.5">
      <ul className="segment-list" aria-label="Segments">
        {shown.map((row) => (
          <SegmentLine key={row.n} row={row} retryOf={canRetry ? compactionId : null} />
        ))}
      </ul>
      {all || shown.length < rows.length ? (
        <Button look="link" size="small" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Fewer segments' : `All ${rows.length} segments`}
        </Button>
      ) : null}
    </div>
  );
}

const tones = { quiet: 'text-ink-2', plain: '', warn: 'text-warn' } as const;

function SegmentLine({ row, retryOf }: { readonly row: SegmentRow; readonly retryOf: string | null }) {
  const { n, items, bytes, state, words, tone, ms } = row;
  const count = items === 1 ? '1 message' : `${items} messages`;
  return (
    <li data-state={state}>
      <span className="numbers text-ink-2">
        <span className="sr-only">Segment </span>
        {n}
      </span>
      <span className="numbers">{items === 0 ? 'earlier summary' : count}</span>
      <span className="numbers text-right">{formatBytes(bytes)}</span>
      <span className={`segment-words ${tones[tone]}`}>{words}</span>
      <span className="numbers flex items-center justify-end gap-1 text-ink-2">
        {ms === null ? '' : formatDuration(ms)}
        {retryOf === null || state === 'waiting' ? null : (
          <RetrySegment compactionId={retryOf} n={n} isDone={state === 'done'} />
        )}
      </span>
    </li>
  );
}

type RetryProps = { readonly compactionId: string; readonly n: number; readonly isDone: boolean };

function RetrySegment({ compactionId, n, isDone }: RetryProps) {
  const { actions } = useChatScope();
  const speak = useSpeak();
  const [asking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  if (!actions) return null;
  const retry = async () => {
    setAsking(true);
    setProblem(null);
    const outcome = await actions.retrySegment(compactionId, n);
    setAsking(false);
    if (outcome.ok) speak(`Segment ${n} is tried again`);
    else setProblem(outcome.message);
  };
  return (
    <>
      {isDone ? (
        <IconButton
          icon={RotateCcw}
          size="small"
          label={`Write segment ${n} anew`}
          disabled={asking}
          onClick={() => void retry()}
        />
      ) : (
        <Button size="small" aria-label={`Try segment ${n} again`} disabled={asking} onClick={() => void retry()}>
          <RotateCcw aria-hidden size={14} strokeWidth={1.75} />
          Retry
        </Button>
      )}
      {problem ? (
        <span role="alert" className="text-danger">
          {problem}
        </span>
      ) : null}
    </>
  );
}
