'use client';

import { useQuery } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import Link from 'next/link';
import type { CompactionAttempt } from '@/server/contract/compactions';
import type { CompactionRow } from '../sync/fold-stream-compaction';
import { compactionsQuery } from '../sync/queries-chat';
import { Button } from '../ui/button';
import { formatDuration } from '../ui/format-time';
import { groupTries } from './attempt-groups';
import { useChatScope } from './chat-context';
import { needsAnotherModel, wordReason } from './compaction-words';
import { ErrorDetails } from './error-details';
import { SegmentList } from './segment-list';
import { type SegmentRow, toSegmentRows } from './segment-words';

function titleOf(row: CompactionRow, attempts: readonly CompactionAttempt[]): string {
  const models = new Set(attempts.map(({ model }) => `${model.provider}/${model.model}`));
  if (models.size > 1) return 'No model could write the summary.';
  const words = wordReason(row.reason, { before: row.bytesBefore, after: row.bytesAfter });
  return `This conversation was not compacted: ${words}.`;
}

export type CompactionFailedProps = {
  readonly row: CompactionRow;
  /** A trim followed, to let the reply fit all the same. */
  readonly trimmed?: boolean;
};

/** A failed fold changed nothing, and says so first; then each model with its reason, then what can be done (C8, ux 6.3). */
export function CompactionFailed({ row, trimmed = false }: CompactionFailedProps) {
  const { sessionId, compact, actions, openDesk } = useChatScope();
  const ledger = useQuery({
    ...compactionsQuery(sessionId),
    enabled: row.compactionId !== null,
    refetchOnMount: false,
  });
  const entry = ledger.data?.compactions.find((one) => one.compactionId === row.compactionId);
  const attempts = entry?.attempts ?? [];
  const segments = entry ? toSegmentRows(entry) : [];
  return (
    <section aria-label="Compaction failed" className="failed-card" data-compaction-row="" tabIndex={-1}>
      <CircleAlert aria-hidden size={18} strokeWidth={1.75} className="mt-0.5 shrink-0 text-danger" />
      <div className="min-w-0 flex-1">
        <p className="font-[650]">
          {titleOf(row, attempts)} {trimmed ? 'Nothing was written.' : 'Nothing changed.'}
        </p>
        <p className="text-ink-2">
          {trimmed
            ? 'Older parts were left out of context instead, to fit; below it says which.'
            : 'All messages are still in context, as they were, and the conversation goes on.'}
        </p>
        {needsAnotherModel(row.reason) ? (
          <p className="text-ink-2">The same model would end the same way; another one gets a fresh attempt.</p>
        ) : null}
        {segments.length > 0 ? <KeptSegments row={row} segments={segments} /> : <AttemptLines attempts={attempts} />}
        <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2">
          {actions ? <Button onClick={() => compact(row.focus ?? undefined)}>Try again</Button> : null}
          <Link href="/settings/compaction" className="button" data-look="link">
            Choose models
          </Link>
          <Button look="link" onClick={() => openDesk('ledger')}>
            Ledger
          </Button>
          <ErrorDetails detail={row.detail ?? attempts.at(-1)?.detail ?? null} code={row.reason} />
        </div>
      </div>
    </section>
  );
}

/** Each model that was tried, with its reason. */
function AttemptLines({ attempts }: { readonly attempts: readonly CompactionAttempt[] }) {
  if (attempts.length === 0) return null;
  return (
    <ul className="my-2">
      {groupTries(attempts).map(({ attempt, words, ms }) => (
        <li key={attempt.n} className="flex min-h-7 items-baseline gap-3">
          <span className="w-28 shrink-0 truncate" title={`${attempt.model.provider}/${attempt.model.model}`}>
            {attempt.model.model}
          </span>
          <span className="min-w-0 flex-1 text-ink-2">{attempts.length > 1 ? words : ''}</span>
          <span className="numbers text-ink-2">{formatDuration(ms)}</span>
        </li>
      ))}
    </ul>
  );
}

type KeptProps = { readonly row: CompactionRow; readonly segments: readonly SegmentRow[] };

/** What of a long one is written stays written (R4): trying again goes on from there, one segment or all that are missing. */
function KeptSegments({ row, segments }: KeptProps) {
  const done = segments.filter(({ state }) => state === 'done').length;
  const words =
    done === 0
      ? 'No segment was written.'
      : `${done} of ${segments.length} segments are written and kept. Try again goes on from there.`;
  return (
    <>
      <p className="numbers text-ink-2">{words}</p>
      {row.compactionId === null ? null : <SegmentList compactionId={row.compactionId} rows={segments} canRetry />}
    </>
  );
}
