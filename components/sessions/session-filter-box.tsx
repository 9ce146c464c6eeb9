'use client';

import { useQuery } from '@tanstack/react-query';
import { ListFilter, Search, X } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { useShell } from '../shell/shell-context';
import type { SessionFilter } from '../sync/patch-session-pages';
import { agentsQuery } from '../sync/queries';
import { CheckRow, Field, Select } from '../ui/field';
import { IconButton } from '../ui/icon-button';
import { useCommand } from '../ui/keyboard-provider';
import { Popover } from '../ui/popover';

export type SessionFilterBoxProps = {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly filter: SessionFilter;
  readonly onFilter: (filter: SessionFilter) => void;
  /** Opens the first result. */
  readonly onEnter: () => void;
};

/** Titles at once, full text through the server; the filters beside it narrow both. */
export function SessionFilterBox({ text, onText, filter, onFilter, onEnter }: SessionFilterBoxProps) {
  const field = useRef<HTMLInputElement>(null);
  const { sessionsShown, toggleSessions } = useShell();
  useCommand('filterSessions', () => {
    if (!sessionsShown) toggleSessions();
    // The rail is hidden until the next frame when it was closed, and hidden things take no focus.
    requestAnimationFrame(() => field.current?.focus());
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') onEnter();
    else if (event.key === 'Escape' && text !== '') onText('');
    else if (event.key === 'ArrowDown') document.querySelector<HTMLElement>('[data-session-link]')?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const active = Object.keys(filter).length > 0;
  return (
    <search className="mx-3 flex items-center rounded-control border border-line-strong bg-raised focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-focus">
      <Search aria-hidden size={14} strokeWidth={1.75} className="ml-2.5 shrink-0 text-ink-2" />
      <input
        ref={field}
        type="search"
        aria-label="Search conversations"
        aria-keyshortcuts="/"
        data-session-filter=""
        placeholder="Search conversations"
        autoComplete="off"
        spellCheck={false}
        className="h-[1.875rem] min-w-0 flex-1 bg-transparent px-2 outline-none! placeholder:text-ink-3 max-rail:text-[1rem] pointer-coarse:h-[2.625rem]"
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {text === '' ? (
        <kbd aria-hidden className="keycap pointer-coarse:hidden">
          /
        </kbd>
      ) : (
        <IconButton icon={X} size="small" label="Clear" onClick={() => onText('')} />
      )}
      <Popover
        title="Show only"
        align="end"
        trigger={
          <IconButton
            icon={ListFilter}
            size="small"
            label={active ? 'Filters, some are on' : 'Filters'}
            className={active ? 'text-accent' : undefined}
          />
        }
      >
        <Filters filter={filter} onFilter={onFilter} />
      </Popover>
    </search>
  );
}

type FiltersProps = Pick<SessionFilterBoxProps, 'filter' | 'onFilter'>;

const flags = [
  { key: 'hasSummary', label: 'With a summary' },
  { key: 'behind', label: 'Behind their agent' },
  { key: 'archived', label: 'Archived' },
] as const;

function Filters({ filter, onFilter }: FiltersProps) {
  const agents = useQuery(agentsQuery());
  const set = (key: keyof SessionFilter, value: string | boolean | undefined) => {
    const { [key]: _, ...others } = filter;
    onFilter(value === undefined || value === false || value === '' ? others : { ...others, [key]: value });
  };
  return (
    <div className="flex w-56 flex-col gap-2">
      {flags.map(({ key, label }) => (
        <CheckRow
          key={key}
          label={label}
          checked={filter[key] ?? false}
          onChange={(event) => set(key, event.target.checked)}
        />
      ))}
      <Field label="Agent">
        {(control) => (
          <Select {...control} value={filter.agent ?? ''} onChange={(event) => set('agent', event.target.value)}>
            <option value="">Any</option>
            {agents.data?.agents.map((agent) => (
              <option key={agent.id} value={agent.id}>
                {agent.published?.name ?? agent.draft.name}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </div>
  );
}
