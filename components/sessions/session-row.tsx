'use client';

import { Archive, ArchiveRestore, Download, Ellipsis, Pencil, Pin, PinOff, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react';
import type { ListSessionsAnswer } from '@/server/contract/session';
import { requestJump } from '../chat/jump-request';
import { Button } from '../ui/button';
import { classNames } from '../ui/class-names';
import { IconButton } from '../ui/icon-button';
import { isFocusLost } from '../ui/is-focus-lost';
import type { CommandId } from '../ui/keyboard-catalogue';
import { useKeyboard } from '../ui/keyboard-provider';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu';
import { markOfSession, stateLine } from './mark-of-session';
import { SessionMark } from './session-mark';
import { SessionMatches } from './session-matches';
import { SessionTitleField } from './session-title-field';
import { findNeighbour, findRowLink } from './use-row-focus';
import type { SessionActions } from './use-session-actions';

export type Row = ListSessionsAnswer['sessions'][number];

export type SessionRowProps = {
  readonly row: Row;
  readonly current: boolean;
  readonly selected: boolean;
  readonly now: Date;
  readonly seenAt: string | null;
  /** What was looked for, marked in the matches. */
  readonly query: string;
  readonly actions: SessionActions;
  readonly onOpen: () => void;
  /** This row is about to be drawn elsewhere or to leave: where the focus goes if it would be lost; null: into the field. */
  readonly onFocusNext: (id: string | null) => void;
  /** Shift or Ctrl held at the click. */
  readonly onSelect: (row: Row, range: boolean) => void;
};

const rowCommands = [
  'renameSession',
  'pinSession',
  'archiveSession',
  'exportSession',
  'deleteSession',
] as const satisfies readonly CommandId[];

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0 || event.altKey || event.ctrlKey || event.metaKey) return;
  const links = [...document.querySelectorAll<HTMLElement>('[data-session-link], [data-session-match]')];
  event.preventDefault();
  links[links.indexOf(event.currentTarget) + step]?.focus();
}

export function SessionRow(props: SessionRowProps) {
  const { row, current, selected, now, seenAt, query, actions, onOpen, onFocusNext, onSelect } = props;
  const { match } = useKeyboard();
  const [renaming, setRenaming] = useState(false);
  const mark = markOfSession(row, { current, seenAt });
  useRenamed(row.id, renaming);
  const run: Readonly<Record<(typeof rowCommands)[number], () => void>> = {
    renameSession: () => setRenaming(true),
    pinSession: () => {
      onFocusNext(row.id);
      actions.togglePin(row);
    },
    archiveSession: () => {
      onFocusNext(findNeighbour(row.id));
      actions.toggleArchive([row]);
    },
    exportSession: () => actions.download(row),
    deleteSession: () => {
      onFocusNext(findNeighbour(row.id));
      actions.remove([row]);
    },
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const command = rowCommands.find((id) => match(event, [id]) !== null);
    if (!command) return moveFocus(event);
    event.preventDefault();
    run[command]();
  };
  const onClick = (event: MouseEvent) => {
    if (!event.shiftKey && !event.ctrlKey && !event.metaKey) return onOpen();
    event.preventDefault();
    onSelect(row, event.shiftKey);
  };
  const title = row.title || 'New conversation';
  const strong = mark === 'new' || current;
  return (
    <li className="group/row relative">
      {renaming ? (
        <SessionTitleField
          title={row.title}
          onSave={(next) => actions.rename(row, next)}
          onDone={() => setRenaming(false)}
        />
      ) : (
        <Link
          href={`/c/${row.id}`}
          prefetch={false}
          data-session-link={row.id}
          aria-current={current ? 'page' : undefined}
          onKeyDown={onKeyDown}
          onClick={onClick}
          className={classNames(
            'flex min-h-(--row-session) items-start gap-[0.4375rem] rounded-control border pr-1.5 pl-2 py-[0.3125rem] in-data-[density=compact]:py-1 pointer-coarse:min-h-[3.375rem]',
            current ? 'border-line bg-raised' : 'border-transparent hover:bg-code-wash',
            selected && 'border-accent bg-accent-wash',
          )}
        >
          <SessionMark mark={mark} />
          <span className="min-w-0 flex-1 group-focus-within/row:pr-7 group-hover/row:pr-7 pointer-coarse:pr-9">
            <span className={classNames('block truncate', strong ? 'font-[650]' : 'font-[450]')}>{title}</span>
            <span className="numbers block truncate text-small text-ink-2 in-data-[density=compact]:hidden">
              {[row.agentName, stateLine(row, mark, now)].filter(Boolean).join(' · ')}
            </span>
            {selected ? <span className="sr-only">, selected</span> : null}
          </span>
        </Link>
      )}
      {renaming ? null : <SessionMenu row={row} title={title} run={run} />}
      {row.matches && row.matches.length > 0 ? (
        <SessionMatches
          sessionId={row.id}
          title={title}
          matches={row.matches}
          more={row.moreMatches ?? null}
          query={query}
          now={now}
          onOpen={(match) => {
            onOpen();
            if (current && match.itemId !== null) requestJump(match.itemId);
          }}
          onKeyDown={moveFocus}
        />
      ) : null}
      {actions.problem?.sessionId === row.id ? (
        <p role="alert" className="px-2 pb-1 text-small text-danger">
          {actions.problem.text}{' '}
          {actions.problem.onForce ? (
            <Button look="link" size="small" onClick={actions.problem.onForce}>
              Delete all the same
            </Button>
          ) : null}
        </p>
      ) : null}
    </li>
  );
}

/** The field goes with its name kept or not, and the row has the focus again, unless it was put elsewhere. */
function useRenamed(id: string, renaming: boolean): void {
  const before = useRef(renaming);
  useEffect(() => {
    if (before.current && !renaming && isFocusLost()) findRowLink(id)?.focus();
    before.current = renaming;
  }, [id, renaming]);
}

type SessionMenuProps = {
  readonly row: Row;
  readonly title: string;
  readonly run: Readonly<Record<(typeof rowCommands)[number], () => void>>;
};

function SessionMenu({ row, title, run }: SessionMenuProps) {
  const trigger = (
    <IconButton
      icon={Ellipsis}
      size="small"
      label={`Actions for ${title}`}
      className="absolute top-2.5 right-1.5 opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100 data-popup-open:opacity-100 pointer-coarse:top-1 pointer-coarse:right-0 pointer-coarse:opacity-100"
    />
  );
  return (
    <Menu trigger={trigger}>
      <MenuItem icon={Pencil} label="Rename" command="renameSession" onSelect={run.renameSession} />
      <MenuItem
        icon={row.pinned ? PinOff : Pin}
        label={row.pinned ? 'Unpin' : 'Pin'}
        command="pinSession"
        onSelect={run.pinSession}
      />
      <MenuItem
        icon={row.archived ? ArchiveRestore : Archive}
        label={row.archived ? 'Bring back' : 'Archive'}
        command="archiveSession"
        onSelect={run.archiveSession}
      />
      <MenuItem icon={Download} label="Export" command="exportSession" onSelect={run.exportSession} />
      <MenuSeparator />
      <MenuItem icon={Trash2} label="Delete" command="deleteSession" tone="danger" onSelect={run.deleteSession} />
    </Menu>
  );
}
