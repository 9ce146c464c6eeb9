'use client';

import { useQuery } from '@tanstack/react-query';
import {
  Blocks,
  Bot,
  ChevronRight,
  type LucideIcon,
  MessageSquareText,
  Search,
  Settings,
  SquarePen,
} from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useDeferredValue, useRef, useState } from 'react';
import { listSessionsAnswerSchema } from '@/server/contract/session';
import { callApi } from '../sync/api-client';
import { agentsQuery, skillsQuery } from '../sync/queries';
import { rankItems } from '../ui/combobox-match';
import { Dialog } from '../ui/dialog';
import { MatchedText } from '../ui/matched-text';
import { useCombobox } from '../ui/use-combobox';
import { useDebounced } from '../ui/use-debounced';
import { type PageCommand, useShell } from './shell-context';

type Entry = {
  readonly key: string;
  readonly group: 'This conversation' | 'Commands' | 'Conversations' | 'Agents' | 'Skills' | 'Settings';
  readonly icon: LucideIcon;
  readonly text: string;
  /** Other words that find it. */
  readonly words?: string;
  readonly run: () => void;
};

const settingsPlaces = [
  { section: 'general', text: 'General' },
  { section: 'appearance', text: 'Appearance' },
  { section: 'models', text: 'Models and keys' },
  { section: 'compaction', text: 'Compaction' },
  { section: 'carry-over', text: 'Carry-over' },
  { section: 'keyboard', text: 'Keyboard' },
  { section: 'data', text: 'Data' },
  { section: 'about', text: 'About' },
] as const;

const mostRows = 40;
const searchAfterMs = 200;

function useEntries(query: string, offered: readonly PageCommand[]): readonly Entry[] {
  const router = useRouter();
  const shell = useShell();
  const q = useDebounced(query.trim(), searchAfterMs);
  const sessions = useQuery({
    queryKey: ['palette', q],
    queryFn: ({ signal }) =>
      callApi('/agent-sessions', { schema: listSessionsAnswerSchema, query: { q, limit: 20 }, signal }),
  });
  const agents = useQuery(agentsQuery());
  const skills = useQuery(skillsQuery());
  const go = (href: string) => () => router.push(href);
  const fixed: readonly Entry[] = [
    { key: 'new', group: 'Commands', icon: SquarePen, text: 'New conversation', run: go('/') },
    { key: 'help', group: 'Commands', icon: Search, text: 'Keyboard help', run: shell.openHelp },
  ];
  return [
    // First what Enter may do unread: nothing of it changes a conversation.
    ...fixed,
    ...offered.map((one): Entry => ({ ...one, group: 'This conversation', icon: ChevronRight })),
    ...(sessions.data?.sessions ?? []).map((row): Entry => {
      const text = row.title || 'New conversation';
      return { key: row.id, group: 'Conversations', icon: MessageSquareText, text, run: go(`/c/${row.id}`) };
    }),
    ...(agents.data?.agents ?? []).map((agent): Entry => {
      return { key: agent.id, group: 'Agents', icon: Bot, text: agent.draft.name, run: go(`/agents/${agent.id}`) };
    }),
    ...(skills.data?.skills ?? []).map((skill): Entry => {
      return { key: skill.id, group: 'Skills', icon: Blocks, text: skill.draft.name, run: go(`/skills/${skill.id}`) };
    }),
    ...settingsPlaces.map(({ section, text }): Entry => {
      return { key: section, group: 'Settings', icon: Settings, text, run: go(`/settings/${section}`) };
    }),
  ];
}

type PaletteProps = {
  readonly open: boolean;
  readonly onClose: () => void;
  /** What the page on the screen can do now. */
  readonly readOffered: () => readonly PageCommand[];
};

/** Conversations, commands, agents and settings by a few letters; first what the page on the screen can do. */
export function Palette({ open, ...body }: PaletteProps) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <Dialog open={open} onClose={body.onClose} title="Go to" initialFocus={field} bodyClassName="flex flex-col">
      <PaletteBody fieldRef={field} {...body} />
    </Dialog>
  );
}

type PaletteBodyProps = Omit<PaletteProps, 'open'> & { readonly fieldRef: React.RefObject<HTMLInputElement | null> };

function PaletteBody({ fieldRef, onClose, readOffered }: PaletteBodyProps) {
  const [text, setText] = useState('');
  const query = useDeferredValue(text);
  const entries = useEntries(query, readOffered());
  const ranked = rankItems(entries, query, { textsOf: (entry) => [entry.text, entry.words ?? ''] }).slice(0, mostRows);
  // The group of the best match stands first, so Enter takes what was meant.
  const found = [...new Set(ranked.map(({ item }) => item.group))];
  const shown = found.map((group) => ({ group, rows: ranked.filter(({ item }) => item.group === group) }));
  const choose = (entry: Entry) => {
    onClose();
    entry.run();
  };
  const combobox = useCombobox({
    open: true,
    items: shown.flatMap(({ rows }) => rows.map(({ item }) => item)),
    keyOf: (entry) => entry.key,
    onChoose: choose,
    onClose,
  });
  return (
    <>
      <input
        ref={fieldRef}
        aria-label="Go to"
        placeholder="Conversation, command, agent, skill or setting"
        className="h-12 shrink-0 border-b border-line bg-transparent px-6 outline-none! max-rail:text-[1rem]"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={combobox.onKeyDown}
        {...combobox.inputProps}
      />
      <div {...combobox.listProps} role="listbox" aria-label="Found" className="min-h-60 flex-1 overflow-y-auto p-2">
        {shown.map(({ group, rows }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options in a listbox has no element of its own.
          <div key={group} role="group" aria-label={group}>
            <div aria-hidden className="px-2.5 pt-2 pb-1 text-small text-ink-2">
              {group}
            </div>
            {rows.map(({ item, match }) => (
              <div key={item.key} {...combobox.optionProps(item)} className="menu-row">
                <item.icon aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-ink-2" />
                <span className="truncate">
                  <MatchedText text={item.text} bold={match.bold} />
                </span>
              </div>
            ))}
          </div>
        ))}
        {shown.length === 0 ? <p className="record px-2.5 py-2 text-record text-ink-2">Nothing by that name.</p> : null}
      </div>
    </>
  );
}
