'use client';

import { CircleCheck, CircleSlash, CircleX, MoveRight } from 'lucide-react';
import { type ReactNode, useContext } from 'react';
import type { SummaryMetadata } from '@/server/contract/boundary';
import type { CompactionEntry } from '@/server/contract/compactions';
import type { SummaryMessage } from '@/server/contract/message';
import { countBytes } from '@/server/contract/text';
import { Button } from '../ui/button';
import { toAriaKeys } from '../ui/chord';
import { formatBytes } from '../ui/format-bytes';
import { formatDuration } from '../ui/format-time';
import { useKeyboard } from '../ui/keyboard-provider';
import { useChatScope } from './chat-context';
import { sayCovers, wordAttempt } from './compaction-words';
import { CopyButton } from './copy-button';
import { FoldContext } from './fold-context';
import { useRevertReason } from './fold-revert';
import { Markdown } from './markdown';

type SectionProps = {
  readonly label: string;
  readonly note?: ReactNode;
  readonly tone?: 'warn';
  readonly children: ReactNode;
};

function Section({ label, note, tone, children }: SectionProps) {
  return (
    <section className="ledger-row">
      <div>
        <h4 className={tone === 'warn' ? 'title-3 text-warn' : 'title-3'}>{label}</h4>
        {note ? <div className="numbers text-small text-ink-3">{note}</div> : null}
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  );
}

export type FoldLedgerProps = {
  readonly id: string;
  readonly message: SummaryMessage;
  readonly entry: CompactionEntry | undefined;
  /** Asks in place whether it is to be taken back, or says why it cannot be. */
  readonly onRevert: () => void;
};

/** The open card: what it says, what it covers, what came along, what did not, and how it was made. */
export function FoldLedger({ id, message, entry, onRevert }: FoldLedgerProps) {
  const folds = useContext(FoldContext);
  const { metadata } = message;
  const text = message.parts.map((part) => part.text).join('\n\n');
  const shown = folds.isCoveredShown(message.id);
  return (
    <div id={id} className="ledger">
      <Section
        label="Summary"
        note={<CopyButton text={() => text} label="Copy summary" word="Copy" className="text-accent" />}
      >
        <div className="record-text">
          <Markdown text={text} />
        </div>
      </Section>
      <Section label="Covers">
        <p className="numbers">{sayCovers(metadata)}</p>
        {metadata.stale.length > 0 ? (
          <p className="mt-1 text-small text-warn">Changed since it was read: {metadata.stale.join(', ')}</p>
        ) : null}
        <Button look="link" aria-expanded={shown} onClick={() => folds.toggleCovered(message.id)}>
          {shown ? 'Fold covered messages again' : 'View covered messages'}
        </Button>
      </Section>
      <CarriedOver metadata={metadata} />
      <DidNotFit metadata={metadata} />
      <AgentState metadata={metadata} />
      <HowMade metadata={metadata} entry={entry} />
      <LedgerFoot message={message} onRevert={onRevert} />
    </div>
  );
}

/** What can be done with the whole of it; nothing where it was taken back, or nothing can be changed. */
function LedgerFoot({ message, onRevert }: Pick<FoldLedgerProps, 'message' | 'onRevert'>) {
  const { keysOf } = useKeyboard();
  const reason = useRevertReason(message);
  if (reason === undefined) return null;
  return (
    <div className="ledger-foot">
      <Button
        look="quiet"
        aria-disabled={reason !== null}
        aria-label={reason === null ? 'Revert' : `Revert: ${reason}`}
        aria-keyshortcuts={toAriaKeys(keysOf('revertFold')) || undefined}
        onClick={onRevert}
      >
        Revert
      </Button>
      {reason === null ? null : <span className="text-small text-ink-2">{reason}</span>}
    </div>
  );
}

function CarriedOver({ metadata }: { readonly metadata: SummaryMetadata }) {
  const { kept, dropped } = metadata.carryOver;
  if (kept.length === 0) return null;
  const bytes = kept.reduce((sum, one) => sum + countBytes(one.text), 0);
  const note = (
    <>
      <span className="block">
        {kept.length} of {kept.length + dropped.length}
      </span>
      <span className="block">{formatBytes(bytes)}</span>
    </>
  );
  return (
    <Section label="Carried over" note={note}>
      <ol className="carried">
        {kept.map((one, index) => (
          <li key={one.id}>
            <span className="numbers text-small text-ink-3">{index + 1}</span>
            <span className="record-text min-w-0 whitespace-pre-wrap">{one.text}</span>
            <span className="numbers text-ink-2">{formatBytes(countBytes(one.text))}</span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

const dropWords: Readonly<Record<string, string>> = { bound: 'over the bound for carry-overs' };

function DidNotFit({ metadata }: { readonly metadata: SummaryMetadata }) {
  const { putInComposer, actions } = useChatScope();
  const { kept, dropped } = metadata.carryOver;
  if (dropped.length === 0) return null;
  return (
    <Section label="Did not fit" tone="warn" note={`${dropped.length} of ${kept.length + dropped.length}`}>
      <ol className="carried">
        {dropped.map((one, index) => (
          <li key={one.id}>
            <span className="numbers text-small text-ink-3">{kept.length + index + 1}</span>
            <span className="min-w-0">
              <span className="record-text block whitespace-pre-wrap">
                {one.text ?? 'Its words are in the covered messages.'}
              </span>
              <span className="block text-small text-ink-3">{dropWords[one.reason] ?? one.reason}</span>
              {one.text && actions ? (
                <Button look="link" size="small" onClick={() => putInComposer(one.text ?? '')}>
                  Send again
                </Button>
              ) : null}
            </span>
            <span className="numbers text-ink-2">{formatBytes(one.bytes)}</span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Versions({ from, to }: { readonly from: number | null; readonly to: number | null }) {
  const word = (version: number | null, none: string) => (version === null ? none : `v${version}`);
  return (
    <span className="numbers flex items-center gap-2">
      <span className="text-ink-2">{word(from, 'none')}</span>
      {from === to ? (
        <span className="text-ink-2">same</span>
      ) : (
        <>
          <MoveRight aria-hidden size={14} strokeWidth={1.75} className="text-ink-3" />
          <span className="sr-only">became</span>
          <span>{word(to, 'removed')}</span>
        </>
      )}
    </span>
  );
}

function AgentState({ metadata }: { readonly metadata: SummaryMetadata }) {
  const { agentVersion, skills = [], promptRecomposed } = metadata;
  if (!agentVersion && skills.length === 0 && !promptRecomposed) return null;
  return (
    <Section label="Agent state">
      <ul className="ledger-facts">
        {agentVersion ? (
          <li>
            <span>Agent</span>
            <Versions {...agentVersion} />
          </li>
        ) : null}
        {skills.map((skill) => (
          <li key={skill.id ?? skill.name}>
            <span>{skill.name}</span>
            <Versions from={skill.from} to={skill.to} />
          </li>
        ))}
      </ul>
      {promptRecomposed ? (
        <p className="text-small text-ink-2">Instructions and skills were put together anew.</p>
      ) : null}
    </Section>
  );
}

function AttemptIcon({ outcome }: { readonly outcome: CompactionEntry['attempts'][number]['outcome'] }) {
  if (outcome === 'accepted') return <CircleCheck aria-hidden size={14} strokeWidth={1.75} className="text-ok" />;
  if (outcome === 'cancelled') return <CircleSlash aria-hidden size={14} strokeWidth={1.75} className="text-ink-3" />;
  return <CircleX aria-hidden size={14} strokeWidth={1.75} className="text-warn" />;
}

function HowMade({ metadata, entry }: Pick<FoldLedgerProps, 'entry'> & { readonly metadata: SummaryMetadata }) {
  const usage = entry?.usage ?? metadata.usage;
  const cost = entry?.cost ?? metadata.cost ?? null;
  const focus = entry?.focus ?? metadata.focus ?? null;
  const tokens = [
    usage?.input ? `${usage.input.toLocaleString('en')} in` : '',
    usage?.output ? `${usage.output.toLocaleString('en')} out` : '',
  ].filter(Boolean);
  return (
    <Section label="How it was made">
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
        {cost === null && tokens.length > 0 ? <Fact name="Cost" value="price not known" /> : null}
        {cost === null ? null : <Fact name="Cost" value={`$ ${cost.toFixed(cost < 0.01 ? 4 : 3)}`} />}
        {focus ? <Fact name="You asked it to keep" value={`“${focus}”`} record /> : null}
        {metadata.imported ? <Fact name="Origin" value="written by another tool, imported as it was" /> : null}
      </dl>
    </Section>
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
