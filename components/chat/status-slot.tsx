'use client';

import { useQuery } from '@tanstack/react-query';
import { CircleAlert, X } from 'lucide-react';
import { memo, useRef } from 'react';
import type { Session } from '@/server/contract/session';
import type { ChatNotice } from '@/server/contract/stream';
import { toApiUrl } from '../sync/api-client';
import type { ChatState } from '../sync/fold-stream';
import { type CompactionRow, isLive } from '../sync/fold-stream-compaction';
import { promptQuery } from '../sync/queries-chat';
import { Button } from '../ui/button';
import { formatBytes } from '../ui/format-bytes';
import { IconButton } from '../ui/icon-button';
import { BehindBanner } from './behind-banner';
import { wordBehind } from './behind-words';
import { useChatScope } from './chat-context';
import { wordReason } from './compaction-words';
import { DamageSlot } from './damage-slot';
import { ElsewhereSlot } from './elsewhere-slot';
import { wordMeter } from './meter-segments';
import { ProblemSlot } from './problem-slot';
import { wordRow } from './row-words';
import { useTravel } from './travel-context';
import { useDamage } from './use-damage';
import { useElapsed } from './use-elapsed';
import type { Jump } from './use-jump';
import type { TravelProblem } from './use-travel-scope';
import { findWentBack, WentBackSlot } from './went-back-slot';

export type StatusSlotProps = Pick<ChatState, 'compaction' | 'notices'> &
  Pick<Jump, 'elsewhere' | 'goThere' | 'stayHere'> & {
    readonly session: Session;
    readonly replying: boolean;
    readonly messages: ChatState['messages'];
    /** What went wrong on the way to another place of the conversation. */
    readonly travelProblem: TravelProblem | null;
  };

/** The newest notice that a person must see before writing on. */
function blockingNotice(notices: readonly ChatNotice[]): ChatNotice | undefined {
  return notices.findLast((notice) => notice.level === 'error');
}

/** One message above the composer, the most urgent: what blocks, compacting, gone back, damage, behind, nearly full (ux 3). */
export const StatusSlot = memo(function StatusSlot(props: StatusSlotProps) {
  const { session, compaction: row, notices, replying, messages, travelProblem } = props;
  const { elsewhere, goThere, stayHere } = props;
  const { actions } = useChatScope();
  const { tips } = useTravel();
  const prompt = useQuery(promptQuery(session.id));
  const said = useRef<string | null>(null);
  const damage = useDamage(session);
  const saidDamage = useRef<string | null>(null);
  const error = blockingNotice(notices);
  // Asked for a moment ago, and gone with a key: before whatever else there is to say.
  if (elsewhere) return <ElsewhereSlot place={elsewhere} goThere={goThere} stayHere={stayHere} />;
  if (session.readOnly) return <BlockedSlot text={session.readOnly.text} sessionId={session.id} />;
  if (error) return <BlockedSlot text={error.text} sessionId={session.id} onClose={() => actions?.closeNotices()} />;
  if (travelProblem !== null && !travelProblem.isDone) return <ProblemSlot problem={travelProblem} />;
  if (isLive(row)) return <CompactingSlot row={row} replying={replying} />;
  const back = replying ? null : findWentBack(session, messages, tips);
  if (back) return <WentBackSlot back={back} />;
  if (travelProblem !== null) return <ProblemSlot problem={travelProblem} />;
  if (damage.untold.length > 0) return <DamageSlot damage={damage.untold} said={saidDamage} onClose={damage.close} />;
  if (prompt.data && wordBehind(prompt.data)) {
    const problem = row?.state === 'failed' ? `Not compacted: ${wordReason(row.reason)}.` : null;
    return <BehindBanner session={session} prompt={prompt.data} problem={problem} said={said} />;
  }
  const notice = notices.at(-1);
  if (notice) return <NoticeSlot notice={notice} onClose={() => actions?.closeNotices()} />;
  return <LimitSlot session={session} />;
});

type BlockedProps = { readonly text: string; readonly sessionId: string; readonly onClose?: () => void };

function BlockedSlot({ text, sessionId, onClose }: BlockedProps) {
  return (
    <div role="alert" className="slot" data-look="danger">
      <CircleAlert aria-hidden size={18} strokeWidth={1.75} className="shrink-0 text-danger" />
      <p className="slot-words font-[650]">{text}</p>
      <div className="slot-actions">
        <a className="button" data-look="plain" href={toApiUrl(`/agent-sessions/${sessionId}/export`)} download="">
          Export this conversation
        </a>
      </div>
      {onClose ? <IconButton icon={X} label="Close" className="slot-close" onClick={onClose} /> : null}
    </div>
  );
}

/** The row in the transcript says it in full; here, where the eye is while typing, in one line. */
function CompactingSlot({ row, replying }: { readonly row: CompactionRow; readonly replying: boolean }) {
  const { actions, jumpTo } = useChatScope();
  const elapsedMs = useElapsed(row.since === '' ? null : row.since);
  const words = wordRow(row, { elapsedMs, replying });
  return (
    <section aria-label="Compacting" className="slot" data-look="compacting">
      <span aria-hidden className={words.pulses ? 'dot pulse' : 'dot'} data-tone="heather" />
      <button type="button" className="slot-words text-left" onClick={() => jumpTo('compaction')}>
        <span className="font-[650]">{words.text}</span>
        {words.aside === '' ? null : <span className="numbers ml-1.5 text-ink-2">{words.aside}</span>}
      </button>
      {row.state === 'cancelling' ? null : (
        <Button look="quiet" onClick={() => void actions?.cancel('compaction')}>
          Stop
        </Button>
      )}
    </section>
  );
}

function NoticeSlot({ notice, onClose }: { readonly notice: ChatNotice; readonly onClose: () => void }) {
  return (
    <div className="slot" data-look={notice.level === 'warn' ? 'warn' : 'plain'}>
      <p className="slot-words">{notice.text}</p>
      <IconButton icon={X} label="Close" className="slot-close" onClick={onClose} />
    </div>
  );
}

function LimitSlot({ session }: { readonly session: Session }) {
  const { compact } = useChatScope();
  const { level } = wordMeter(session.context);
  const { usedBytes, budgetBytes } = session.context;
  const over = usedBytes > budgetBytes;
  if (session.context.floorTooLarge) {
    return (
      <div className="slot" data-look="warn">
        <p className="slot-words">
          Instructions, skills and tools fill most of the budget. Compacting cannot help; shorten one of them.
        </p>
      </div>
    );
  }
  if (level !== 'near' || session.context.budgetBytes === 0) return null;
  return (
    <div className="slot" data-look="warn">
      <p className="slot-words">
        <span className="font-[650]">{over ? 'More than fits.' : 'Nearly full.'}</span>
        {over
          ? ` ${formatBytes(usedBytes)} for a budget of ${formatBytes(budgetBytes)}: older parts are folded or left out before the next reply.`
          : null}
      </p>
      <div className="slot-actions">
        <Button onClick={() => compact()}>Compact</Button>
      </div>
    </div>
  );
}
