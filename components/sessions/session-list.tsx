'use client';

import { Archive, Download, Trash2, X } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { useEffect, useState } from 'react';
import { useShell } from '../shell/shell-context';
import { Button } from '../ui/button';
import { IconButton } from '../ui/icon-button';
import { useNow } from '../ui/use-now';
import { groupSessions } from './group-sessions';
import { type Row, SessionRow } from './session-row';
import { useRowFocus } from './use-row-focus';
import { useSeen } from './use-seen';
import { useSessionActions } from './use-session-actions';

export type SessionListProps = {
  readonly rows: readonly Row[];
  /** What is looked for; empty: nothing. Groups are for browsing, a search keeps the order of its results. */
  readonly query: string;
  readonly hasMore: boolean;
  readonly onMore: () => void;
};

/** The rows under their headings, and the bar for several at once. */
export function SessionList({ rows, query, hasMore, onMore }: SessionListProps) {
  const now = useNow();
  const pathname = usePathname();
  const { closeDrawer } = useShell();
  const { seenAt, markSeen } = useSeen();
  const actions = useSessionActions();
  const focusNext = useRowFocus(actions.leaving);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const currentId = pathname.startsWith('/c/') ? pathname.slice(3) : null;
  const current = rows.find((row) => row.id === currentId);
  useEffect(() => {
    if (current?.lastTurn) markSeen(current.id, current.lastTurn.at);
  }, [current, markSeen]);
  if (now === null) return null;
  const here = rows.filter((row) => !actions.leaving.has(row.id));
  const found = here.length === 0 ? [] : [{ key: 'found', title: wordFound(here), sessions: here }];
  const groups = query === '' ? groupSessions(here, now) : found;
  const onSelect = (row: Row, range: boolean) =>
    setSelected(
      nextSelection(
        selected,
        groups.flatMap((group) => group.sessions),
        row,
        range,
      ),
    );
  const chosen = here.filter((row) => selected.has(row.id));
  return (
    <>
      {chosen.length > 0 ? (
        <SelectionBar chosen={chosen} actions={actions} onClear={() => setSelected(new Set())} />
      ) : null}
      {groups.map((group) => (
        <section key={group.key} aria-labelledby={`group-${group.key}`} className="mb-2">
          <h2
            id={`group-${group.key}`}
            className="px-2 pt-2.5 pb-1 font-live text-[0.8125rem] leading-5 font-[450] tracking-normal text-ink-2"
          >
            {group.title}
          </h2>
          <ul>
            {group.sessions.map((row) => (
              <SessionRow
                key={row.id}
                row={row}
                current={row.id === currentId}
                selected={selected.has(row.id)}
                now={now}
                seenAt={seenAt(row.id)}
                query={query}
                actions={actions}
                onOpen={closeDrawer}
                onFocusNext={focusNext}
                onSelect={onSelect}
              />
            ))}
          </ul>
        </section>
      ))}
      {hasMore ? (
        <Button look="quiet" className="w-full" onClick={onMore}>
          Show older
        </Button>
      ) : null}
    </>
  );
}

/** In which order they stand, and where from when it is not the list that is seen otherwise. */
function wordFound(rows: readonly Row[]): string {
  const where = rows.every((row) => row.archived) ? 'Found in the archive' : 'Found';
  return `${where}, ${rows.some((row) => row.pinned) ? 'pinned and newest' : 'newest'} first`;
}

function nextSelection(
  selected: ReadonlySet<string>,
  rows: readonly Row[],
  row: Row,
  range: boolean,
): ReadonlySet<string> {
  const next = new Set(selected);
  const last = rows.findLastIndex((other) => selected.has(other.id));
  const at = rows.findIndex((other) => other.id === row.id);
  if (range && last !== -1) {
    for (const between of rows.slice(Math.min(last, at), Math.max(last, at) + 1)) next.add(between.id);
  } else if (!next.delete(row.id)) next.add(row.id);
  return next;
}

type SelectionBarProps = {
  readonly chosen: readonly Row[];
  readonly actions: ReturnType<typeof useSessionActions>;
  readonly onClear: () => void;
};

function SelectionBar({ chosen, actions, onClear }: SelectionBarProps) {
  const run = (action: () => void) => {
    action();
    onClear();
  };
  return (
    <div
      role="toolbar"
      aria-label="Selected conversations"
      className="sticky top-0 z-10 mb-2 flex items-center rounded-control border border-line-2 bg-raised pl-2.5"
    >
      <span className="mr-auto">{chosen.length} selected</span>
      <IconButton
        icon={Archive}
        size="small"
        label="Archive"
        onClick={() => run(() => actions.toggleArchive(chosen))}
      />
      <IconButton
        icon={Download}
        size="small"
        label="Export"
        onClick={() => run(() => chosen.forEach(actions.download))}
      />
      <IconButton icon={Trash2} size="small" label="Delete" onClick={() => run(() => actions.remove(chosen))} />
      <IconButton icon={X} size="small" label="Select none" onClick={onClear} />
    </div>
  );
}
