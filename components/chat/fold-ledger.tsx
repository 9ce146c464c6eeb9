'use client';

import { MoveRight } from 'lucide-react';
import { useContext } from 'react';
import type { SummaryMetadata } from '@/server/contract/boundary';
import type { CompactionEntry } from '@/server/contract/compactions';
import type { SummaryMessage } from '@/server/contract/message';
import { countBytes } from '@/server/contract/text';
import { Button } from '../ui/button';
import { toAriaKeys } from '../ui/chord';
import { formatBytes } from '../ui/format-bytes';
import { useKeyboard } from '../ui/keyboard-provider';
import { useChatScope } from './chat-context';
import { sayCovers } from './compaction-words';
import { CopyButton } from './copy-button';
import { useRevertReason } from './fold-ask';
import { FoldContext } from './fold-context';
import { HowMade } from './fold-made';
import { LedgerSection } from './ledger-section';
import { Markdown } from './markdown';

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
      <LedgerSection
        label="Summary"
        note={<CopyButton text={() => text} label="Copy summary" word="Copy" className="text-accent" />}
      >
        <div className="record-text">
          <Markdown text={text} />
        </div>
      </LedgerSection>
      <LedgerSection label="Covers">
        <p className="numbers">{sayCovers(metadata)}</p>
        {metadata.stale.length > 0 ? (
          <p className="mt-1 text-small text-warn">Changed since it was read: {metadata.stale.join(', ')}</p>
        ) : null}
        <Button look="link" aria-expanded={shown} onClick={() => folds.toggleCovered(message.id)}>
          {shown ? 'Fold covered messages again' : 'View covered messages'}
        </Button>
      </LedgerSection>
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
  const { compact, actions } = useChatScope();
  const reason = useRevertReason(message);
  if (reason === undefined) return null;
  // A summary takes in the one before it, so only the newest can be gone on from.
  const again = actions !== null && message.metadata.inForce;
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
      {again ? (
        <Button
          look="quiet"
          title="A new summary takes this one in, and everything said since"
          onClick={() => compact()}
        >
          Compact again from here
        </Button>
      ) : null}
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
    <LedgerSection label="Carried over" note={note}>
      <ol className="carried">
        {kept.map((one, index) => (
          <li key={one.id}>
            <span className="numbers text-small text-ink-3">{index + 1}</span>
            <span className="record-text min-w-0 whitespace-pre-wrap">{one.text}</span>
            <span className="numbers text-ink-2">{formatBytes(countBytes(one.text))}</span>
          </li>
        ))}
      </ol>
    </LedgerSection>
  );
}

const dropWords: Readonly<Record<string, string>> = { bound: 'over the bound for carry-overs' };

function DidNotFit({ metadata }: { readonly metadata: SummaryMetadata }) {
  const { putInComposer, actions } = useChatScope();
  const { kept, dropped } = metadata.carryOver;
  if (dropped.length === 0) return null;
  return (
    <LedgerSection label="Did not fit" tone="warn" note={`${dropped.length} of ${kept.length + dropped.length}`}>
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
    </LedgerSection>
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
    <LedgerSection label="Agent state">
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
    </LedgerSection>
  );
}
