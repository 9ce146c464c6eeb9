'use client';

import { Plus } from 'lucide-react';
import Link from 'next/link';
import { type FormEvent, useState } from 'react';
import { toMessage } from '../sync/api-client';
import { Button } from '../ui/button';
import { classNames } from '../ui/class-names';
import { TextInput } from '../ui/field';

export type DocumentEntry = {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  /** Short facts under it: version, conversations, behind. */
  readonly facts: readonly string[];
  readonly behind: number;
};

export type DocumentListProps = {
  readonly noun: 'agent' | 'skill';
  readonly base: '/agents' | '/skills';
  readonly entries: readonly DocumentEntry[];
  readonly currentId: string | null;
  /** Makes one with this name and goes to it; throws what refused. */
  readonly onCreate: (name: string) => Promise<void>;
};

/** The list beside an editor; on phones, and while nothing is chosen, a page of its own. */
export function DocumentList({ noun, base, entries, currentId, onCreate }: DocumentListProps) {
  return (
    <nav
      aria-label={noun === 'agent' ? 'Agents' : 'Skills'}
      className={classNames(
        'overflow-y-auto border-line p-3',
        currentId === null ? 'mx-auto w-full max-w-[40rem]' : 'w-64 shrink-0 border-r max-rail:hidden',
      )}
    >
      <ul className="mb-3 flex flex-col gap-0.5">
        {entries.map((entry) => (
          <li key={entry.id}>
            <Link
              href={`${base}/${entry.id}`}
              aria-current={entry.id === currentId ? 'page' : undefined}
              className={classNames(
                'block rounded-control border px-2.5 py-2',
                entry.id === currentId ? 'border-line bg-raised' : 'border-transparent hover:bg-code-wash',
              )}
            >
              <span className="block truncate font-[650]">{entry.name}</span>
              {entry.about ? <span className="line-clamp-2 text-[0.8125rem] text-ink-2">{entry.about}</span> : null}
              <span className="numbers block text-small text-ink-3">
                {entry.facts.join(' · ')}
                {entry.behind > 0 ? <span className="text-heather"> · {entry.behind} behind</span> : null}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <CreateDocument noun={noun} onCreate={onCreate} />
    </nav>
  );
}

function CreateDocument({ noun, onCreate }: Pick<DocumentListProps, 'noun' | 'onCreate'>) {
  const [name, setName] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (name === null || name.trim() === '') return;
    try {
      await onCreate(name.trim());
      setName(null);
      setProblem(null);
    } catch (thrown) {
      setProblem(toMessage(thrown));
    }
  };
  if (name === null) {
    return (
      <Button onClick={() => setName('')}>
        <Plus aria-hidden size={14} strokeWidth={1.75} />
        New {noun}
      </Button>
    );
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-2">
      <TextInput
        autoFocus
        aria-label={`Name of the new ${noun}`}
        placeholder="Name"
        maxLength={60}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {problem ? (
        <p role="alert" className="text-small text-danger">
          {problem}
        </p>
      ) : null}
      <div className="flex gap-2">
        <Button type="submit" look="primary" disabled={name.trim() === ''}>
          Make it
        </Button>
        <Button look="quiet" onClick={() => setName(null)}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
