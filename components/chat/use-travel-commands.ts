'use client';

import { useMemo } from 'react';
import type { Session } from '@/server/contract/session';
import { useSpeak } from '../ui/live-region';
import type { TravelScope } from './travel-context';
import type { CommandTargets } from './use-commands';

/** Why nothing can be undone now; null: the newest revert or summary can. */
export function wordUndo(session: Pick<Session, 'undoable' | 'readOnly'>, blocked: string | null): string | null {
  if (session.readOnly) return 'This conversation can only be read';
  return blocked ?? (session.undoable ? null : 'Nothing to undo');
}

/** `/branch` and `/undo`; what they are refused is said above the composer. */
export function useTravelCommands(
  session: Session,
  scope: TravelScope,
): Pick<CommandTargets, 'branch' | 'branchReason' | 'undo' | 'undoReason'> {
  const speak = useSpeak();
  const { travel, blocked, newestPoint, branchFrom, tell } = scope;
  const undoReason = wordUndo(session, blocked);
  const what = session.undoable?.what ?? null;
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
          if (answer.ok)
            speak(what === 'compaction' ? 'The newest summary was reverted.' : 'You are back where you were.');
        });
      },
    }),
    [branchReason, newestPoint, branchFrom, tell, undoReason, travel, speak, what],
  );
}
