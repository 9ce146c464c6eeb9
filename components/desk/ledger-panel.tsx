'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CompactionEntry, CompactionGuards } from '@/server/contract/compactions';
import { toMessage } from '../sync/api-client';
import { compactionsQuery } from '../sync/queries-chat';
import { Button } from '../ui/button';
import { LedgerEntry } from './ledger-entry';
import { wordGuards } from './ledger-words';

const shownAtOnce = 20;

export type LedgerPanelProps = {
  readonly sessionId: string;
  /** Goes to a summary in the transcript. */
  readonly onJump: (messageId: string) => void;
};

/** Every compaction of the conversation, refused ones and their requests too, newest first; and what holds the next one back (X3, C10). */
export function LedgerPanel({ sessionId, onJump }: LedgerPanelProps) {
  const ledger = useQuery(compactionsQuery(sessionId));
  const [shown, setShown] = useState(shownAtOnce);
  if (ledger.error) {
    return (
      <div role="alert">
        <p className="mb-3 text-danger">{toMessage(ledger.error)}</p>
        <Button onClick={() => void ledger.refetch()}>Try again</Button>
      </div>
    );
  }
  if (!ledger.data) return null;
  const newest = ledger.data.compactions.toReversed();
  return (
    <>
      <div className="flex items-baseline gap-2">
        <h2 className="title-1">Ledger</h2>
        <span className="numbers ml-auto text-ink-2">{sayTotals(newest)}</span>
      </div>
      <Guards guards={ledger.data.guards} />
      {newest.length === 0 ? (
        <p className="record text-record text-ink-2">
          Every compaction is kept here with what it cost, those that were refused too. There was none yet; /compact
          makes the first.
        </p>
      ) : (
        <ol className="ledger-list" aria-label="Compactions, newest first">
          {newest.slice(0, shown).map((entry) => (
            <LedgerEntry key={entry.compactionId} entry={entry} onJump={onJump} />
          ))}
        </ol>
      )}
      {shown < newest.length ? (
        <Button look="link" className="mt-2" onClick={() => setShown(shown + shownAtOnce)}>
          Show older ({newest.length - shown} more)
        </Button>
      ) : null}
    </>
  );
}

/** “4 done, 2 that came to nothing”. */
function sayTotals(entries: readonly CompactionEntry[]): string {
  const done = entries.filter(({ outcome }) => outcome === 'committed').length;
  const refused = entries.filter(({ outcome }) => outcome === 'failed' || outcome === 'rejected').length;
  if (entries.length === 0) return '';
  return refused === 0 ? `${done} done` : `${done} done, ${refused} refused`;
}

/** The counters of C10, always in sight: what defers the next automatic one, and how near the loop guard is. */
function Guards({ guards }: { readonly guards: CompactionGuards }) {
  const held = guards.state !== 'ready' && guards.state !== 'off';
  return (
    <section aria-label="What holds automatic compaction back" className="ledger-guards" data-state={guards.state}>
      <p className={held ? 'text-warn' : 'text-ink-2'}>{wordGuards(guards)}</p>
      <dl className="ledger-facts numbers">
        <div>
          <dt className="text-ink-2">Automatic failures in a row</dt>
          <dd>{guards.failuresInARow}</dd>
        </div>
        <div>
          <dt className="text-ink-2">Refills in a row</dt>
          <dd>
            {guards.refills} of {guards.refillLimit}
          </dd>
        </div>
        <div>
          <dt className="text-ink-2">Calls without another try</dt>
          <dd>{guards.deferredCalls}</dd>
        </div>
        <div>
          <dt className="text-ink-2">Recovery from a full window</dt>
          <dd>{guards.overflowUsed ? 'used in this reply' : 'not used'}</dd>
        </div>
      </dl>
    </section>
  );
}
