import { AppError } from '@/server/contract/error';
import type { ApprovalDecision } from '@/server/contract/messages-api';
import { isKnown } from '@/server/core/projection/log-state-path';
import { isDecided } from '@/server/core/turn/approvals';
import type { SessionWriter } from './append-events';
import type { OwedWork } from './owed-work';
import { OWNER } from './owner';
import type { SessionJobs } from './session-jobs';

export interface ApprovalsDeps {
  readonly writer: SessionWriter;
  readonly jobs: SessionJobs;
  readonly owed: OwedWork;
}

/** A person's yes or no to a tool that waits (T2); once for a call and its arguments. */
export interface ApprovalsUse {
  /** Throws `not_found` for a call that nobody asked about, `conflict` for one that is decided or waits no more. */
  decide(sessionId: string, callId: string, decision: ApprovalDecision): Promise<void>;
}

/** Decisions of a person about calls that ask (T2). */
export function createApprovals({ writer, jobs, owed }: ApprovalsDeps): ApprovalsUse {
  return {
    decide: async (sessionId, callId, { decision, scope }) => {
      const turnId = await writer.append(sessionId, ({ session }) => {
        const lines = session.path.filter(isKnown);
        const asked = lines.findLast((event) => event.type === 'approval.asked' && event.callId === callId);
        if (asked?.type !== 'approval.asked') throw new AppError('not_found', 'Nobody was asked about this call.');
        const isOpen = session.parked?.waiting.includes(callId) ?? false;
        if (!isOpen || isDecided(session, callId))
          throw new AppError('conflict', 'This was decided already, or its turn has ended.');
        const { argsHash } = asked;
        const events = [
          { type: 'approval.decided' as const, callId, argsHash, decision, scope: scope ?? 'once', by: OWNER },
        ];
        return { events, result: session.parked?.turnId };
      });
      if (turnId !== undefined) owed.ask(sessionId, () => jobs.enqueueTurn(sessionId, { turnId, resume: true }));
    },
  };
}
