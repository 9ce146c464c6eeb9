'use client';

import { useState } from 'react';
import type { CompactionAttempt } from '@/server/contract/compactions';
import { wordStage } from '../chat/attempt-groups';
import { AttemptIcon } from '../chat/attempt-icon';
import { wordAttempt } from '../chat/compaction-words';
import { ErrorDetails } from '../chat/error-details';
import { sayCost, sayTokens } from '../chat/spent-words';
import { Button } from '../ui/button';
import { formatBytes } from '../ui/format-bytes';
import { formatDuration } from '../ui/format-time';
import { wordStop } from './ledger-words';

const shownAtOnce = 8;

/** Each request of a compaction, in order: what for, which model, how it stopped, what it cost, and why it was refused. */
export function LedgerAttempts({ attempts }: { readonly attempts: readonly CompactionAttempt[] }) {
  const [all, setAll] = useState(false);
  const shown = all ? attempts : attempts.slice(0, shownAtOnce);
  return (
    <section className="mt-2">
      <h3 className="title-3">{attempts.length === 1 ? '1 request' : `${attempts.length} requests`}</h3>
      <ol className="attempt-list">
        {shown.map((attempt) => (
          <AttemptLine key={attempt.n} attempt={attempt} />
        ))}
      </ol>
      {shown.length < attempts.length ? (
        <Button look="link" size="small" onClick={() => setAll(true)}>
          All {attempts.length} requests
        </Button>
      ) : null}
    </section>
  );
}

function AttemptLine({ attempt }: { readonly attempt: CompactionAttempt }) {
  const { model, ms, outcome, reason, detail, requestBytes, ceiling, usage, cost } = attempt;
  const sent = ceiling === null ? '' : `, at most ${ceiling.toLocaleString('en')} tokens asked for`;
  return (
    <li data-outcome={outcome}>
      <AttemptIcon outcome={outcome} />
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-[650]">{wordStage(attempt)}</span>
          <span className="min-w-0 truncate" title={`${model.provider}/${model.model}`}>
            {model.model} <span className="text-ink-3">{model.provider}</span>
          </span>
          <span className="numbers ml-auto text-ink-2">{formatDuration(ms)}</span>
        </p>
        <p className={outcome === 'accepted' ? 'text-ink-2' : 'text-warn'}>{wordAttempt(attempt)}</p>
        <p className="numbers text-small text-ink-2">
          Stop: {wordStop(attempt)} · sent {formatBytes(requestBytes)}
          {sent} · {sayTokens(usage) ?? 'no tokens reported'} · {sayCost(cost, usage)}
        </p>
        {outcome === 'accepted' ? null : <ErrorDetails detail={detail} code={reason} />}
      </div>
    </li>
  );
}
