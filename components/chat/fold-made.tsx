import { CircleCheck, CircleSlash, CircleX } from 'lucide-react';
import type { SummaryMetadata } from '@/server/contract/boundary';
import type { CompactionEntry } from '@/server/contract/compactions';
import { formatDuration } from '../ui/format-time';
import { wordAttempt } from './compaction-words';
import { LedgerSection } from './ledger-section';

function AttemptIcon({ outcome }: { readonly outcome: CompactionEntry['attempts'][number]['outcome'] }) {
  if (outcome === 'accepted') return <CircleCheck aria-hidden size={14} strokeWidth={1.75} className="text-ok" />;
  if (outcome === 'cancelled') return <CircleSlash aria-hidden size={14} strokeWidth={1.75} className="text-ink-3" />;
  return <CircleX aria-hidden size={14} strokeWidth={1.75} className="text-warn" />;
}

type HowMadeProps = { readonly metadata: SummaryMetadata; readonly entry: CompactionEntry | undefined };

/** Models tried, in order, with what became of each; tokens, cost where the price is known, and the focus that was given. */
export function HowMade({ metadata, entry }: HowMadeProps) {
  const usage = entry?.usage ?? metadata.usage;
  const cost = entry?.cost ?? metadata.cost ?? null;
  const focus = entry?.focus ?? metadata.focus ?? null;
  const tokens = [
    usage?.input ? `${usage.input.toLocaleString('en')} in` : '',
    usage?.output ? `${usage.output.toLocaleString('en')} out` : '',
  ].filter(Boolean);
  return (
    <LedgerSection label="How it was made">
      {entry && entry.attempts.length > 0 ? (
        <ul className="attempts">
          {entry.attempts.map((attempt) => (
            <li key={attempt.n}>
              <AttemptIcon outcome={attempt.outcome} />
              <span className="truncate">{attempt.model.model}</span>
              <span className="min-w-0 text-ink-2">{wordAttempt(attempt)}</span>
              <span className="numbers">{formatDuration(attempt.ms)}</span>
            </li>
          ))}
        </ul>
      ) : null}
      <dl className="ledger-facts">
        {entry || !metadata.model ? null : <Fact name="Model" value={metadata.model.model} />}
        {metadata.imported ? null : (
          <Fact name="Way" value={metadata.method === 'map_reduce' ? 'in segments, then joined' : 'in one request'} />
        )}
        {tokens.length > 0 ? <Fact name="Tokens" value={tokens.join(', ')} /> : null}
        {cost === null && tokens.length > 0 && !metadata.simulated ? (
          <Fact name="Cost" value="price not known" />
        ) : null}
        {cost === null ? null : <Fact name="Cost" value={`$ ${cost.toFixed(cost < 0.01 ? 4 : 3)}`} />}
        {focus ? <Fact name="You asked it to keep" value={`“${focus}”`} record /> : null}
        {metadata.imported ? <Fact name="Origin" value="written by another tool, imported as it was" /> : null}
      </dl>
    </LedgerSection>
  );
}

type FactProps = { readonly name: string; readonly value: string; readonly record?: boolean };

function Fact({ name, value, record = false }: FactProps) {
  return (
    <div>
      <dt className="text-ink-2">{name}</dt>
      <dd className={record ? 'record text-record' : 'numbers'}>{value}</dd>
    </div>
  );
}
