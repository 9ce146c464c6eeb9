'use client';

import { useRouter } from 'next/navigation';
import { useMemo } from 'react';
import type { DeskTab } from '../desk/desk-tab';
import type { SlashCommand } from './slash-commands';

export type CommandTargets = {
  readonly compact: (focus: string) => void;
  /** One is on its way: asking again only leads to it, so words for the next one must not be lost. */
  readonly compacting: boolean;
  readonly branch: () => void;
  /** Why there is nothing to begin a branch at; null: there is. */
  readonly branchReason: string | null;
  readonly undo: () => void;
  readonly undoReason: string | null;
  readonly rename: (title: string) => void;
  readonly exportLog: () => void;
  readonly archive: () => void;
  readonly openDesk: (panel: DeskTab) => void;
  readonly openModelPicker: () => void;
  readonly openHelp: () => void;
};

const free = { argument: '', needsArgument: false, reason: null } as const;

/** The commands that can do something everywhere; those of a conversation come with it (ux 10). */
function commonCommands(go: (href: string) => void, openHelp: () => void): readonly SlashCommand[] {
  return [
    { ...free, name: 'new', group: 'Conversation', description: 'Begin a new conversation', run: () => go('/') },
    {
      ...free,
      name: 'help',
      group: 'Help',
      description: 'What the keys and commands do',
      run: openHelp,
    },
    {
      ...free,
      name: 'keys',
      group: 'Help',
      description: 'See and change the keys',
      run: () => go('/settings/keyboard'),
    },
  ];
}

/** The slash commands of a page; `targets` null: no conversation yet, so only those that need none. */
export function useCommands(targets: CommandTargets | null, openHelp: () => void): readonly SlashCommand[] {
  const router = useRouter();
  return useMemo(() => {
    const common = commonCommands((href) => router.push(href), openHelp);
    if (targets === null) return common;
    const own: readonly SlashCommand[] = [
      {
        ...free,
        name: 'compact',
        group: 'Conversation',
        argument: 'keep…',
        description: 'Fold the conversation so far into a summary',
        refuse: (argument) =>
          targets.compacting && argument !== ''
            ? 'a compaction runs already, without these words. Send them once it has ended.'
            : null,
        run: (argument) => targets.compact(argument.replace(/^keep:?\s*/i, '')),
      },
      {
        ...free,
        name: 'branch',
        group: 'Conversation',
        description: 'Go on from here in a new conversation',
        reason: targets.branchReason,
        run: targets.branch,
      },
      {
        ...free,
        name: 'undo',
        group: 'Conversation',
        description: 'Undo the newest step back or summary',
        reason: targets.undoReason,
        run: targets.undo,
      },
      {
        ...free,
        name: 'rename',
        group: 'Conversation',
        argument: 'title',
        description: 'Give the conversation a title',
        run: targets.rename,
      },
      {
        ...free,
        name: 'export',
        group: 'Conversation',
        description: 'Download the log, to keep or to import again',
        run: targets.exportLog,
      },
      {
        ...free,
        name: 'archive',
        group: 'Conversation',
        description: 'Take the conversation out of the list',
        run: targets.archive,
      },
      {
        ...free,
        name: 'context',
        group: 'Context',
        description: 'What the model reads now, and how much room is left',
        run: () => targets.openDesk('context'),
      },
      {
        ...free,
        name: 'plan',
        group: 'Context',
        description: 'The agent’s plan',
        run: () => targets.openDesk('plan'),
      },
      {
        ...free,
        name: 'ledger',
        group: 'Context',
        description: 'Every compaction, refused ones too, with what it cost',
        run: () => targets.openDesk('ledger'),
      },
      {
        ...free,
        name: 'model',
        group: 'Agent',
        description: 'Choose another model',
        run: targets.openModelPicker,
      },
    ];
    return [...own, ...common];
  }, [targets, router, openHelp]);
}
