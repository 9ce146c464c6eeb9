'use client';

import { SquarePen } from 'lucide-react';
import Link from 'next/link';
import { usePathname, useRouter } from 'next/navigation';
import { useCallback, useState } from 'react';
import { requestJump } from '../chat/jump-request';
import { RailFoot } from '../shell/rail-foot';
import { useShell } from '../shell/shell-context';
import { toMessage } from '../sync/api-client';
import type { SessionFilter } from '../sync/patch-session-pages';
import { Button } from '../ui/button';
import { StitchMark } from '../ui/own-marks';
import { ImportButton } from './import-button';
import { SessionFilterBox } from './session-filter-box';
import { SessionList } from './session-list';
import { useSessionSearch } from './use-session-search';

/** Head, filter, list and foot of the left rail. */
export function SessionsRail() {
  const router = useRouter();
  const pathname = usePathname();
  const { closeDrawer } = useShell();
  const [text, setText] = useState('');
  const [chosen, setFilter] = useState<SessionFilter>({});
  // For just these words: the next ones are looked for where one looks otherwise.
  const [archivedFor, setArchivedFor] = useState<string | null>(null);
  const filter = archivedFor === text ? { ...chosen, archived: true } : chosen;
  const open = useCallback(
    (href: string) => {
      closeDrawer();
      router.push(href);
      // What is on the page already opens nothing anew.
      const [path, item] = href.split('?m=');
      if (path === pathname && item !== undefined) requestJump(item);
    },
    [closeDrawer, router, pathname],
  );
  const { typed, rows, list, failed, searching, openFirst } = useSessionSearch(text, filter, open);
  const reset = () => {
    setText('');
    setArchivedFor(null);
    setFilter({});
  };
  return (
    <>
      <div className="flex h-14 shrink-0 items-center gap-2.5 pr-2.5 pl-4">
        <Link href="/" className="flex items-center gap-2.5 rounded-control" onClick={closeDrawer}>
          <StitchMark className="text-ink" />
          <span className="record text-[1.1875rem] leading-7 font-[500] tracking-[-0.01em]">Tidemark</span>
        </Link>
        <NewConversation onOpen={closeDrawer} />
      </div>
      <SessionFilterBox text={text} onText={setText} filter={chosen} onFilter={setFilter} onEnter={openFirst} />
      <div className="min-h-0 flex-1 overflow-y-auto px-2 pt-2 pb-4">
        {failed ? (
          <div className="px-2 py-1">
            <p className="mb-2 text-danger">{toMessage(list.error)}</p>
            <Button onClick={() => void list.refetch()}>Try again</Button>
          </div>
        ) : null}
        {list.isSuccess && rows.length === 0 && !searching ? (
          <NoRows query={typed} filter={filter} onArchived={() => setArchivedFor(text)} onReset={reset} />
        ) : null}
        {searching ? <p className="px-2 py-1 text-small text-ink-2">Searching what was said…</p> : null}
        <SessionList rows={rows} query={typed} hasMore={list.hasNextPage} onMore={() => void list.fetchNextPage()} />
      </div>
      <RailFoot />
    </>
  );
}

function NewConversation({ onOpen }: { readonly onOpen: () => void }) {
  return (
    <Link
      href="/"
      aria-label="New conversation"
      title="New conversation"
      className="icon-button ml-auto"
      onClick={onOpen}
    >
      <SquarePen aria-hidden size={18} strokeWidth={1.75} />
    </Link>
  );
}

type NoRowsProps = {
  readonly query: string;
  readonly filter: SessionFilter;
  readonly onArchived: () => void;
  readonly onReset: () => void;
};

function NoRows({ query, filter, onArchived, onReset }: NoRowsProps) {
  if (query === '' && Object.keys(filter).length === 0) {
    return (
      <div className="flex flex-col items-start gap-2 px-2 py-1.5">
        <p className="record text-record text-ink-2">Nothing here yet.</p>
        <Link href="/" className="button" data-look="plain">
          New conversation
        </Link>
        <ImportButton />
      </div>
    );
  }
  return (
    <div className="px-2 py-1.5">
      <p className="record mb-2 text-record text-ink-2">
        {query === '' ? 'No conversation is like that.' : `Nothing found for “${query}”.`}
      </p>
      <div className="flex flex-wrap gap-2">
        {filter.archived ? null : <Button onClick={onArchived}>Search archived too</Button>}
        <Button look="quiet" onClick={onReset}>
          Clear
        </Button>
      </div>
    </div>
  );
}
