'use client';

import { useMemo } from 'react';
import type { Message } from '@/server/contract/message';
import type { Session } from '@/server/contract/session';
import type { PageCommand } from '../shell/shell-context';
import { usePageCommands } from '../shell/use-page-commands';
import { useSpeak } from '../ui/live-region';
import type { TravelScope } from './travel-context';
import type { CommandTargets } from './use-commands';

export interface PaletteParts {
  readonly session: Session;
  readonly messages: readonly Message[];
  readonly targets: Omit<CommandTargets, 'openHelp'>;
  readonly travel: TravelScope;
}

/** Offers the palette what this conversation can do now; what it cannot is left out, not greyed (ux 10). */
export function usePaletteCommands({ session, messages, targets, travel }: PaletteParts): void {
  const speak = useSpeak();
  const { travel: actions, blocked, pointBefore, tell } = travel;
  const question = messages.findLast((one) => one.role === 'user' && !one.metadata.queued)?.id ?? null;
  const { readOnly, archived } = session;
  const undoes = session.undoable?.what ?? null;
  const canMove = actions !== null && blocked === null;
  usePageCommands(
    useMemo(() => {
      const goBack = async (messageId: string) => {
        const point = await pointBefore(messageId);
        if (point === undefined) return tell('What comes before your last message could not be read.');
        const answer = await actions?.revert(point);
        if (!answer) return;
        tell(answer.ok ? null : answer.message);
        if (answer.ok) speak('You went back. Nothing is lost.');
      };
      const travels: readonly (PageCommand | null)[] = [
        targets.undoReason !== null || undoes === null
          ? null
          : {
              key: 'undo',
              text: undoes === 'revert' ? 'Return to where you were' : 'Revert the newest summary',
              words: 'undo rollback return',
              run: targets.undo,
            },
        canMove && question !== null
          ? {
              key: 'back',
              text: 'Go back to before your last message',
              words: 'revert undo',
              run: () => void goBack(question),
            }
          : null,
        targets.branchReason === null && question !== null
          ? { key: 'branch', text: 'Go on from here in a new conversation', words: 'branch fork', run: targets.branch }
          : null,
      ];
      const changes: readonly PageCommand[] = readOnly
        ? []
        : [
            {
              key: 'compact',
              text: 'Compact this conversation',
              words: 'fold summary',
              run: () => targets.compact(''),
            },
            { key: 'rename', text: 'Rename this conversation', words: 'title', run: () => targets.rename('') },
            {
              key: 'archive',
              text: archived ? 'Bring this conversation back' : 'Archive this conversation',
              words: 'archive',
              run: targets.archive,
            },
            { key: 'model', text: 'Choose another model', words: 'model', run: targets.openModelPicker },
          ];
      return [
        ...travels.filter((one) => one !== null),
        ...changes,
        { key: 'export', text: 'Export this conversation', words: 'download log', run: targets.exportLog },
        { key: 'plan', text: 'Show the plan', words: 'desk todo', run: () => targets.openDesk('plan') },
        {
          key: 'context',
          text: 'Show what the model reads',
          words: 'desk context',
          run: () => targets.openDesk('context'),
        },
      ];
    }, [targets, actions, canMove, pointBefore, tell, speak, question, undoes, readOnly, archived]),
  );
}
