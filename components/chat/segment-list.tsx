'use client';

import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../ui/button';
import { formatBytes } from '../ui/format-bytes';
import { formatDuration } from '../ui/format-time';
import { useSpeak } from '../ui/live-region';
import { useChatScope } from './chat-context';
import { pickSegments, type SegmentRow } from './segment-words';

export type SegmentListProps = {
  readonly compactionId: string;
  readonly rows: readonly SegmentRow[];
};

/** The segments one by one, a failed one with the way to have it read again (X6). */
export function SegmentList({ compactionId, rows }: SegmentListProps) {
  const [all, setAll] = useState(false);
  const shown = all ? rows : pickSegments(rows);
  return (
    <div className="mt-2.5 border-t border-heather-hair pt-2.5">
      <ul className="segment-list" aria-label="Segments">
        {shown.map((row) => (
          <SegmentLine key={row.n} row={row} compactionId={compactionId} />
        ))}
      </ul>
      {all || shown.length < rows.length ? (
        <Button look="link" size="small" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Only those in progress' : `All ${rows.length} segments`}
        </Button>
      ) : null}
    </div>
  );
}

const tones = { quiet: 'text-ink-2', plain: '', warn: 'text-warn' } as const;

function SegmentLine({ row, compactionId }: { readonly row: SegmentRow; readonly compactionId: string }) {
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
      {state === 'failed' ? (
        <RetrySegment compactionId={compactionId} n={n} />
      ) : (
        <span className="numbers text-right text-ink-2">{ms === null ? '' : formatDuration(ms)}</span>
      )}
    </li>
  );
}

function RetrySegment({ compactionId, n }: { readonly compactionId: string; readonly n: number }) {
  const { actions } = useChatScope();
  const speak = useSpeak();
  const [asking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  if (!actions) return <span />;
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
      <Button
        size="small"
        className="justify-self-end"
        aria-label={`Try segment ${n} again`}
        disabled={asking}
        onClick={() => void retry()}
      >
        <RotateCcw aria-hidden size={14} strokeWidth={1.75} />
        Retry
      </Button>
      {problem ? (
        <p role="alert" className="segment-problem text-danger">
          {problem}
        </p>
      ) : null}
    </>
  );
}
