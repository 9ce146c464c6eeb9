'use client';

import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, memo, useContext, useId, useRef, useState } from 'react';
import type { SummaryMessage } from '@/server/contract/message';
import { compactionsQuery } from '../sync/queries-chat';
import { Button } from '../ui/button';
import { FoldSheet } from '../ui/fold-edge';
import { formatClock } from '../ui/format-time';
import { useKeyboard } from '../ui/keyboard-provider';
import { BeforeAfter } from './before-after';
import { useChatScope } from './chat-context';
import { formatSpan, sayLosses, sayOrigin, titleOf } from './compaction-words';
import { FoldAsk, useRevertReason } from './fold-ask';
import { FoldContext } from './fold-context';
import { FoldLedger } from './fold-ledger';

/** A line of words with dots between them; losses in warn. */
function OriginLine({ words, losses }: { readonly words: readonly string[]; readonly losses: readonly string[] }) {
  return (
    <span className="dotted-words">
      {words.map((word) => (
        <span key={word}>{word}</span>
      ))}
      {losses.map((word) => (
        <span key={word} className="text-warn">
          {word}
        </span>
      ))}
    </span>
  );
}

/**
 * A compaction as the boundary it is (C16): never shown as something the agent said. Closed it tells what was covered,
 * how small it became, who wrote it, why, and what was lost; open it is a ledger.
 */
export const BoundaryCard = memo(function BoundaryCard({ message }: { readonly message: SummaryMessage }) {
  const { sessionId, actions } = useChatScope();
  const folds = useContext(FoldContext);
  const { match } = useKeyboard();
  // The transcript keeps the ledger read and the stream tells of changes: a card that comes to be, as earlier pages bring
  // them, asks nothing anew.
  const ledger = useQuery({ ...compactionsQuery(sessionId), enabled: actions !== null, refetchOnMount: false });
  const [shownReverted, setShownReverted] = useState(false);
  const bodyId = useId();
  const head = useRef<HTMLButtonElement>(null);
  const [asking, setAsking] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const reason = useRevertReason(message);
  const { metadata } = message;
  const entry = ledger.data?.compactions.find((one) => one.compactionId === metadata.compactionId);
  const open = folds.isOpen(message.id);
  if (metadata.reverted && !shownReverted) {
    return <RevertedLine message={message} onShow={() => setShownReverted(true)} />;
  }
  const Chevron = open ? ChevronDown : ChevronRight;
  const ask = () => {
    if (reason === undefined) return;
    setRefused(reason);
    setAsking(reason === null);
  };
  const close = () => {
    setAsking(false);
    head.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const command = match(event, ['viewCovered', 'revertFold']);
    if (command === null) return;
    event.preventDefault();
    if (command === 'viewCovered') folds.toggleCovered(message.id);
    else ask();
  };
  return (
    <section
      className="boundary"
      aria-label={`${titleOf(metadata)}, ${formatSpan(metadata.span)}${metadata.reverted ? ', reverted' : ''}`}
      data-fold={message.id}
    >
      <FoldSheet>
        <h3 className="font-[inherit]">
          <button
            ref={head}
            type="button"
            className="boundary-head"
            data-fold-head=""
            aria-expanded={open}
            aria-controls={bodyId}
            onClick={() => folds.toggleOpen(message.id)}
            onKeyDown={onKeyDown}
          >
            <Chevron aria-hidden size={16} strokeWidth={1.75} className="mt-1.5 shrink-0 text-heather" />
            <span className="min-w-0 flex-1">
              <span className="flex flex-wrap items-baseline gap-x-2.5">
                <span className="title-card">{titleOf(metadata)}</span>
                <span className="numbers text-ink-2">{formatSpan(metadata.span)}</span>
                <span className="ml-auto max-phone:ml-0 max-phone:basis-full">
                  <BeforeAfter before={metadata.sourceBytes} after={metadata.bytes} />
                </span>
              </span>
              {metadata.reverted ? <span className="block text-warn">{wordReverted(metadata)}</span> : null}
              <OriginLine words={sayOrigin(metadata)} losses={sayLosses(metadata, entry)} />
            </span>
          </button>
        </h3>
        {asking ? <FoldAsk message={message} onDone={close} /> : null}
        {refused ? (
          <p role="status" className="fold-ask">
            {refused}
          </p>
        ) : null}
        {open ? <FoldLedger id={bodyId} message={message} entry={entry} onRevert={ask} /> : null}
      </FoldSheet>
    </section>
  );
});

/** It is out of force: said wherever it is drawn, open too. */
function wordReverted({ reverted }: Pick<SummaryMessage['metadata'], 'reverted'>): string {
  return reverted ? `reverted at ${formatClock(new Date(reverted.at))}` : 'reverted';
}

function RevertedLine({ message, onShow }: { readonly message: SummaryMessage; readonly onShow: () => void }) {
  return (
    <p className="struck-line">
      <span>
        <s>{titleOf(message.metadata)}</s> {wordReverted(message.metadata)} ·{' '}
        <Button look="link" size="small" onClick={onShow}>
          Show
        </Button>
      </span>
    </p>
  );
}
