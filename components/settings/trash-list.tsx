'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useRef, useState } from 'react';
import type { TrashAnswer } from '@/server/contract/operations';
import { sessionSchema } from '@/server/contract/session';
import { callApi, toMessage } from '../sync/api-client';
import { applySessionUpdated, sessionsKey, trashQuery } from '../sync/queries';
import { Button } from '../ui/button';
import { formatDate } from '../ui/format-time';
import { useSpeak } from '../ui/live-region';
import { useNow } from '../ui/use-now';

type Deleted = TrashAnswer['sessions'][number];

/** Deleted conversations, kept for a while, and the way back (ux 4: recoverable in Settings). */
export function TrashList() {
  const trash = useQuery(trashQuery());
  const { restored, problem, restore } = useRestore();
  const heading = useRef<HTMLHeadingElement>(null);
  const rows = trash.data?.sessions ?? [];
  return (
    <section aria-labelledby="trash" className="border-b border-line py-3">
      <h3 id="trash" ref={heading} tabIndex={-1} className="title-3">
        Trash
      </h3>
      <p className="max-w-[30rem] text-[0.8125rem] text-ink-2">
        {trash.isSuccess && rows.length === 0
          ? 'Nothing here. Deleted conversations are kept for 30 days, unless set otherwise, and can come back whole.'
          : 'A restored conversation is as it was. Search finds nothing of what lies here.'}
      </p>
      {trash.isError ? (
        <p className="mt-2 flex flex-wrap items-center gap-2 text-danger">
          {toMessage(trash.error)} <Button onClick={() => void trash.refetch()}>Try again</Button>
        </p>
      ) : null}
      {restored === null ? null : (
        <p className="mt-2">
          Restored: <Link href={`/c/${restored.id}`}>{titleOf(restored)}</Link>
        </p>
      )}
      <ul className="mt-1">
        {rows.map((row) => (
          <TrashRow
            key={row.id}
            row={row}
            problem={problem?.id === row.id ? problem.text : null}
            onRestore={() => void restore(row).then((gone) => (gone ? heading.current?.focus() : undefined))}
          />
        ))}
      </ul>
    </section>
  );
}

/** Until when it is here for certain. A fork stands on the lines of what it was begun in, so those go together. */
function wordKept({ goneAt }: Deleted, now: Date): string {
  return goneAt === null
    ? 'kept as long as the conversation it was branched from, or a branch of it, is not deleted'
    : `kept until ${formatDate(new Date(goneAt), now)}, then removed for good`;
}

const titleOf = (row: Pick<Deleted, 'title'>) => row.title || 'New conversation';

type TrashRowProps = {
  readonly row: Deleted;
  readonly problem: string | null;
  readonly onRestore: () => void;
};

function TrashRow({ row, problem, onRestore }: TrashRowProps) {
  const now = useNow();
  return (
    <li className="flex flex-wrap items-center gap-x-3 border-t border-line py-1.5 first:border-t-0">
      <span className="min-w-0 flex-1">
        <span className="block truncate">{titleOf(row)}</span>
        <span className="numbers block text-small text-ink-2">
          {now === null ? null : `Deleted ${formatDate(new Date(row.deletedAt), now)}, ${wordKept(row, now)}`}
        </span>
      </span>
      <Button aria-label={`Restore ${titleOf(row)}`} onClick={onRestore}>
        Restore
      </Button>
      {problem === null ? null : (
        <p role="alert" className="w-full text-small text-danger">
          {problem}
        </p>
      )}
    </li>
  );
}

/** Restores one; it is in the lists again at once. `restore` resolves with whether it went. */
function useRestore() {
  const client = useQueryClient();
  const speak = useSpeak();
  const [restored, setRestored] = useState<Deleted | null>(null);
  const [problem, setProblem] = useState<{ readonly id: string; readonly text: string } | null>(null);
  const restore = async (row: Deleted): Promise<boolean> => {
    setProblem(null);
    try {
      const session = await callApi(`/trash/${row.id}/restore`, { method: 'POST', schema: sessionSchema });
      applySessionUpdated(client, session);
      setRestored(row);
      speak(`Restored ${titleOf(row)}`);
      await client.invalidateQueries({ queryKey: trashQuery().queryKey });
      await client.invalidateQueries({ queryKey: sessionsKey });
      return true;
    } catch (thrown) {
      setProblem({ id: row.id, text: toMessage(thrown) });
      await client.invalidateQueries({ queryKey: trashQuery().queryKey });
      return false;
    }
  };
  return { restored, problem, restore };
}
