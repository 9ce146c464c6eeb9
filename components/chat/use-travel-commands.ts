'use client';

import { useMemo } from 'react';
import type { Session } from '@/server/contract/session';
import { formatClock } from '../ui/format-time';
import { useSpeak } from '../ui/live-region';
import type { TravelScope } from './travel-context';
import type { CommandTargets } from './use-commands';

/** Why nothing can be undone now; null: the newest revert or summary can. */
export function wordUndo(session: Pick<Session, 'undoable' | 'readOnly'>, blocked: string | null): string | null {
  if (session.readOnly) return 'This conversation can only be read';
  if (blocked !== null) return blocked;
  if (!session.undoable) return 'Nothing to undo';
  // Undone, it would take the person away from what they said or changed last.
  return session.undoable.wentOn
    ? 'You said or changed something since you went back. The arrows and “Return” in the conversation lead to what you left'
    : null;
}

/** What an undo came to, for the eye and the ear. */
export function wordUndone({ what, items, at }: NonNullable<Session['undoable']>): string {
  const back = items === 0 ? '' : items === 1 ? ': 1 message is back' : `: ${items} messages are back`;
  return what === 'compaction'
    ? `The newest summary was reverted${back}.`
    : `You are back where you were at ${formatClock(new Date(at))}${back}.`;
}

/** `/branch` and `/undo`; what they are refused is said above the composer. */
export function useTravelCommands(
  session: Session,
  scope: TravelScope,
): Pick<CommandTargets, 'branch' | 'branchReason' | 'undo' | 'undoReason'> {
  const speak = useSpeak();
  const { travel, blocked, newestPoint, branchFrom, tell, report } = scope;
  const undoReason = wordUndo(session, blocked);
  const { undoable } = session;
  const branchReason = travel === null ? 'This conversation can only be read' : null;
  return useMemo(
    () => ({
      branchReason,
      branch: () => {
        if (newestPoint() === null) return tell('There is nothing here yet to begin a branch at.');
        void branchFrom(null).then((problem) => tell(problem));
      },
      undoReason,
      undo: () => {
        void travel?.rollback().then((answer) => {
          tell(answer.ok ? null : answer.message);
          if (!answer.ok || !undoable) return;
          const words = wordUndone(undoable);
          report(words);
          speak(words);
        });
      },
    }),
    [branchReason, newestPoint, branchFrom, tell, report, undoReason, travel, speak, undoable],
  );
}
