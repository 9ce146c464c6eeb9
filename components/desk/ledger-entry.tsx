'use client';

import { ChevronDown, ChevronRight } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import type { CompactionEntry } from '@/server/contract/compactions';
import { BeforeAfter } from '../chat/before-after';
import { SegmentList } from '../chat/segment-list';
import { toSegmentRows } from '../chat/segment-words';
import { sayCost, sayTokens } from '../chat/spent-words';
import { Button } from '../ui/button';
import { formatBytes } from '../ui/format-bytes';
import { formatDuration, formatRelative } from '../ui/format-time';
import { LedgerAttempts } from './ledger-attempts';
import { sayTriggerNumbers, type Tone, wordCause, wordOutcome, wordWhy } from './ledger-words';

const tones: Readonly<Record<Tone, string>> = {
  ok: 'text-ok',
  warn: 'text-warn',
  danger: 'text-danger',
  quiet: 'text-ink-2',
  heather: 'text-heather',
};

export type LedgerEntryProps = {
  readonly entry: CompactionEntry;
  readonly onJump: (messageId: string) => void;
};

/** One compaction: a line that says what became of it, and everything that is known of it on demand. */
export function LedgerEntry({ entry, onJump }: LedgerEntryProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const { word, tone } = wordOutcome(entry);
  const why = wordWhy(entry);
  const Chevron = open ? ChevronDown : ChevronRight;
  const { bytesBefore, bytesAfter } = entry;
  return (
    <li data-outcome={entry.outcome}>
      <button
        type="button"
        className="ledger-head"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <Chevron aria-hidden size={14} strokeWidth={1.75} className="mt-0.75 shrink-0 text-ink-3" />
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-baseline gap-x-2">
            <span className="font-[650]">{wordCause(entry)}</span>
            <time dateTime={entry.startedAt} title={entry.startedAt} className="numbers text-small text-ink-2">
              {formatRelative(new Date(entry.startedAt), new Date())}
            </time>
            {entry.outcome === 'committed' && bytesBefore !== null && bytesAfter !== null ? (
              <span className="ml-auto">
                <BeforeAfter before={bytesBefore} after={bytesAfter} />
              </span>
            ) : null}
          </span>
          <span className="dotted-words">
            <span className={tones[tone]}>{word}</span>
            {entry.model ? <span className="text-ink-2">{entry.model.model}</span> : null}
            {entry.ms > 0 ? <span className="numbers text-ink-2">{formatDuration(entry.ms)}</span> : null}
          </span>
          {why === null ? null : <span className="block text-small text-ink-2">{why}</span>}
        </span>
      </button>
      {open ? <EntryBody id={id} entry={entry} onJump={onJump} /> : null}
    </li>
  );
}

type FactProps = { readonly name: string; readonly children: ReactNode };

function Fact({ name, children }: FactProps) {
  return (
    <div>
      <dt className="text-ink-2">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

/** Over, and nothing was replaced: what it wrote in segments can be gone on from. */
function isUnfinished({ outcome }: CompactionEntry): boolean {
  return outcome === 'failed' || outcome === 'rejected' || outcome === 'cancelled';
}

function EntryBody({ id, entry, onJump }: LedgerEntryProps & { readonly id: string }) {
  const { checkpointId, segments, attempts } = entry;
  const rows = toSegmentRows(entry);
  return (
    <div id={id} className="ledger-body">
      {entry.outcome === 'deferred' ? null : <Facts entry={entry} />}
      {attempts.length > 0 ? <LedgerAttempts attempts={attempts} /> : null}
      {segments.length > 0 ? (
        <SegmentList compactionId={entry.compactionId} rows={rows} canRetry={isUnfinished(entry)} />
      ) : null}
      {checkpointId === null ? null : (
        <Button look="link" size="small" onClick={() => onJump(checkpointId)}>
          Show the summary
        </Button>
      )}
    </div>
  );
}

/** Trigger and numbers, what was folded, by whom, in which order, for how much (X3). */
function Facts({ entry }: { readonly entry: CompactionEntry }) {
  const { numbers, source, chain, focus, usage, cost, ms, counters, bytesBefore, bytesAfter, method } = entry;
  const size = (bytes: number | null) => (bytes === null ? 'not known' : formatBytes(bytes));
  return (
    <dl className="entry-facts numbers">
      <Fact name="Trigger">{sayTriggerNumbers(entry)}</Fact>
      <Fact name="Room">
        {formatBytes(Math.max(0, numbers.room))} of a budget of {formatBytes(numbers.budget)};{' '}
        {formatBytes(numbers.floor)} always sent
      </Fact>
      {source === null ? null : (
        <Fact name="Folded">
          {source.items} messages, {formatBytes(source.bytes)}
        </Fact>
      )}
      <Fact name="Before, after">
        {size(bytesBefore)}, {bytesAfter === null ? 'unchanged' : size(bytesAfter)}
      </Fact>
      {method === null ? null : (
        <Fact name="Way">{method === 'map_reduce' ? 'in segments, then joined' : 'in one request'}</Fact>
      )}
      <Fact name="Models in order">
        {chain.length === 0 ? 'none' : chain.map(({ provider, model }) => `${model} (${provider})`).join(', ')}
      </Fact>
      <Fact name="Tokens">{sayTokens(usage) ?? 'none reported'}</Fact>
      <Fact name="Cost">{sayCost(cost, usage)}</Fact>
      <Fact name="Time">{entry.outcome === 'running' ? 'runs' : formatDuration(ms)}</Fact>
      {focus === null ? null : <Fact name="You asked it to keep">“{focus}”</Fact>}
      <Fact name="Automatic, in a row">
        {counters.failuresInARow} failed, {counters.refills} refilled
      </Fact>
    </dl>
  );
}
