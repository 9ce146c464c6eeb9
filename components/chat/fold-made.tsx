import type { SummaryMetadata } from '@/server/contract/boundary';
import type { CompactionEntry } from '@/server/contract/compactions';
import { Button } from '../ui/button';
import { formatDuration } from '../ui/format-time';
import { groupAttempts } from './attempt-groups';
import { AttemptIcon } from './attempt-icon';
import { useChatScope } from './chat-context';
import { LedgerSection } from './ledger-section';
import { sayCost, sayTokens } from './spent-words';

type HowMadeProps = { readonly metadata: SummaryMetadata; readonly entry: CompactionEntry | undefined };

/** Models tried, in order, with what became of each; tokens, cost where the price is known, and the focus that was given. */
export function HowMade({ metadata, entry }: HowMadeProps) {
  const usage = entry?.usage ?? metadata.usage;
  const cost = entry?.cost ?? metadata.cost ?? null;
  const focus = entry?.focus ?? metadata.focus ?? null;
  const { openDesk } = useChatScope();
  const tokens = sayTokens(usage);
  return (
    <LedgerSection label="How it was made">
      {entry && entry.attempts.length > 0 ? (
        <ul className="attempts">
          {groupAttempts(entry.attempts).map((group) => (
            <li key={group.n}>
              <AttemptIcon outcome={group.outcome} />
              <span className="truncate">{group.model.model}</span>
              <span className="min-w-0 text-ink-2">{group.words}</span>
              <span className="numbers">{formatDuration(group.ms)}</span>
            </li>
          ))}
        </ul>
      ) : null}
      <dl className="ledger-facts">
        {entry || !metadata.model ? null : <Fact name="Model" value={metadata.model.model} />}
        {metadata.imported ? null : (
          <Fact name="Way" value={metadata.method === 'map_reduce' ? 'in segments, then joined' : 'in one request'} />
        )}
        {tokens === null ? null : <Fact name="Tokens" value={tokens} />}
        {cost === null && (tokens === null || metadata.simulated) ? null : (
          <Fact name="Cost" value={sayCost(cost, usage)} />
        )}
        {focus ? <Fact name="You asked it to keep" value={`“${focus}”`} record /> : null}
        {metadata.imported ? <Fact name="Origin" value="written by another tool, imported as it was" /> : null}
      </dl>
      {entry ? (
        <Button look="link" size="small" onClick={() => openDesk('ledger')}>
          Everything in the ledger
        </Button>
      ) : null}
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
