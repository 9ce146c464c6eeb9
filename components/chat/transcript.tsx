'use client';

import { useQuery } from '@tanstack/react-query';
import { UnfoldVertical } from 'lucide-react';
import { memo, useEffect, useMemo, useState } from 'react';
import type { SummaryMessage } from '@/server/contract/message';
import type { ChatState, OutboxMessage, RunningReply } from '../sync/fold-stream';
import { compactionsQuery } from '../sync/queries-chat';
import { Button } from '../ui/button';
import { formatClock } from '../ui/format-time';
import { BoundaryCard } from './boundary-card';
import { buildBlocks, withRunning } from './build-turns';
import { CompactingRow } from './compacting-row';
import { CompactionFailed } from './compaction-failed';
import { countBefore, findFailure, type PlacedFailure } from './failed-compaction';
import { FoldContext } from './fold-context';
import { Waiting } from './reply-block';
import { TranscriptBlock } from './transcript-block';
import { useTravel } from './travel-context';
import { type FoldState, pickShown, type ShownSegment } from './use-folds';
import { UserText } from './user-block';

export type TranscriptProps = {
  readonly state: ChatState;
  readonly folds: FoldState;
  readonly agentName: string | null;
  readonly loadBefore: () => Promise<void>;
};

/** The list of turns, from the newest boundary down; what is covered only where it was unfolded. */
export function Transcript({ state, folds, agentName, loadBefore }: TranscriptProps) {
  const { sessionId, messages, running, outbox, compaction, turn, hasBefore, headMovedSeq } = state;
  const { unfolded } = folds;
  const shown = useMemo(() => pickShown(messages, unfolded), [messages, unfolded]);
  const ledger = useQuery(compactionsQuery(sessionId)).data?.compactions;
  const failure = useMemo(
    () => findFailure({ messages, compaction, headMovedSeq }, ledger ?? []),
    [messages, compaction, headMovedSeq, ledger],
  );
  const replying = turn?.state === 'started';
  const direct = outbox.filter((sent) => !sent.queued);
  const top = shown[0];
  return (
    <FoldContext value={folds}>
      <h2 className="sr-only">Transcript</h2>
      {top && top.under === null && hasBefore ? (
        <ShowEarlier empty={top.messages.length === 0} loadBefore={loadBefore} />
      ) : null}
      {shown.map((segment) => (
        <SegmentView
          key={segment.boundary?.id ?? 'newest'}
          segment={segment}
          running={segment.boundary === null ? running : null}
          failure={segment.boundary === null ? failure : null}
          agentName={agentName}
          onFold={folds.toggleCovered}
        />
      ))}
      {replying && running === null && compaction?.state !== 'running' ? (
        <div className="block-row waiting-row" data-block="waiting">
          <Waiting />
        </div>
      ) : null}
      {direct.map((sent) => (
        <SendingBlock key={sent.clientMessageId} sent={sent} />
      ))}
      {compaction && failure === null ? (
        <div className="block-row" data-block="compaction" data-kind="summary">
          <CompactingRow row={compaction} replying={replying} />
        </div>
      ) : null}
    </FoldContext>
  );
}

type SegmentProps = {
  readonly segment: ShownSegment;
  readonly running: RunningReply | null;
  readonly failure: PlacedFailure | null;
  readonly agentName: string | null;
  readonly onFold: (boundaryId: string) => void;
};

const SegmentView = memo(function SegmentView(props: SegmentProps) {
  const { segment, running, failure, agentName, onFold } = props;
  const { boundary, under, messages } = segment;
  const settled = useMemo(() => buildBlocks(messages), [messages]);
  const blocks = useMemo(() => withRunning(settled, running), [settled, running]);
  const covered = boundary !== null;
  const rows = blocks.map((block, index) => (
    <TranscriptBlock
      key={block.key}
      block={block}
      newest={!covered && index === blocks.length - 1}
      covered={covered}
      agentName={agentName}
    />
  ));
  if (failure) rows.splice(countBefore(blocks, failure.seq), 0, <Failure key="compaction" failure={failure} />);
  const card = under ? (
    <div data-block={under.id} data-message-id={under.id} data-kind="summary" className="block-row">
      <BoundaryCard message={under} />
    </div>
  ) : null;
  if (boundary === null) {
    return (
      <>
        {card}
        {rows}
      </>
    );
  }
  return (
    <section className="covered" aria-label="Covered messages" data-covered-of={boundary.id}>
      <CoveredStrip boundary={boundary} onFold={() => onFold(boundary.id)} />
      {card}
      {rows}
    </section>
  );
});

/** Where the row of a running one was drawn, and found by the same name: there is never more than one of them. */
function Failure({ failure }: { readonly failure: PlacedFailure }) {
  return (
    <div className="block-row" data-block="compaction" data-kind="summary">
      <CompactionFailed row={failure.row} trimmed={failure.trimmed} />
    </div>
  );
}

function CoveredStrip({ boundary, onFold }: { readonly boundary: SummaryMessage; readonly onFold: () => void }) {
  const { inForce, shownAgain } = useTravel();
  const { parts } = boundary.id === inForce ? shownAgain : { parts: 0 };
  const but = parts === 0 ? '' : parts === 1 ? ', but for one part' : `, but for ${parts} parts`;
  return (
    <div className="covered-strip" tabIndex={-1}>
      <UnfoldVertical aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-heather" />
      <p className="min-w-0 flex-1">
        Covered by the summary at {formatClock(new Date(boundary.at))}. Not in the model’s context{but}.
      </p>
      <Button onClick={onFold}>Fold again</Button>
    </div>
  );
}

/** Above the oldest message held. An unfolded stretch without any message asks by itself. */
function ShowEarlier({ empty, loadBefore }: { readonly empty: boolean; readonly loadBefore: () => Promise<void> }) {
  const [reading, setReading] = useState(false);
  const [failed, setFailed] = useState(false);
  const read = async () => {
    setReading(true);
    setFailed(false);
    await loadBefore().catch(() => setFailed(true));
    setReading(false);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each empty stretch.
  useEffect(() => {
    if (empty) void read();
  }, [empty]);
  return (
    <div className="show-earlier">
      <Button look="link" disabled={reading} onClick={() => void read()}>
        {reading ? 'Reading earlier messages…' : 'Show earlier'}
      </Button>
      {failed ? <p role="alert">They could not be read. Try again.</p> : null}
    </div>
  );
}

/** Drawn from the click, before the server has it. */
function SendingBlock({ sent }: { readonly sent: OutboxMessage }) {
  return (
    <div className="block-row" data-block={sent.clientMessageId} data-kind="user">
      <article className="user-turn" aria-label="You said, being sent">
        <div className="user-block" data-sending="">
          <UserText text={sent.text} />
        </div>
      </article>
    </div>
  );
}
