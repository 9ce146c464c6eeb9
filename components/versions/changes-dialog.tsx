'use client';

import { useQueries } from '@tanstack/react-query';
import { Blocks, Bot, type LucideIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { VersionRef } from '@/server/contract/names';
import type { DiffAnswer, DiffLine } from '@/server/contract/versions';
import { toMessage } from '../sync/api-client';
import { diffQuery } from '../sync/queries';
import { classNames } from '../ui/class-names';
import { Dialog } from '../ui/dialog';
import { Segmented } from '../ui/segmented';
import { useMediaQuery } from '../ui/use-media-query';
import { labelOfField, linesOfField } from './diff-field-lines';
import { countLines } from './diff-rows';
import { type DiffLayout, DiffView, NextChangeHint } from './diff-view';

/** One document that moved on: an agent or a skill, between two of its versions. */
export type ChangedDocument = {
  readonly kind: 'agents' | 'skills';
  readonly id: string;
  readonly name: string;
  readonly from: VersionRef;
  readonly to: VersionRef;
};

export type ChangesDialogProps = {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title?: string;
  readonly note?: string;
  readonly documents: readonly ChangedDocument[];
  /** Shown above the lines of a document, for example its version notes. */
  readonly introOf?: (document: ChangedDocument) => ReactNode;
  readonly foot?: ReactNode;
};

type Part = {
  readonly key: string;
  readonly document: ChangedDocument;
  readonly title: string;
  readonly lines: readonly DiffLine[];
};

/** Two columns of machine text need the width (ux 11). */
const roomyQuery = '(min-width: 68.75rem)';

const layouts = [
  { value: 'unified', label: 'Unified' },
  { value: 'sides', label: 'Side by side' },
] as const;

const icons: Readonly<Record<ChangedDocument['kind'], LucideIcon>> = { agents: Bot, skills: Blocks };

export function sayVersion(version: VersionRef): string {
  return version === 'draft' ? 'draft' : `v${version}`;
}

function toParts(document: ChangedDocument, answer: DiffAnswer): readonly Part[] {
  return answer.fields.map((field) => {
    const label = labelOfField(field.field);
    const plain = document.kind === 'agents' || field.field !== 'instructions';
    const title =
      document.kind === 'skills' ? (plain ? `${document.name}: ${label.toLowerCase()}` : document.name) : label;
    return { key: `${document.id} ${field.field}`, document, title, lines: linesOfField(field) };
  });
}

/** “What changed”: everything that differs between versions, one part at a time, every part in the list at the side. */
export function ChangesDialog(props: ChangesDialogProps) {
  const { open, onClose, title = 'What changed', note, foot } = props;
  const [wanted, setWanted] = useState<DiffLayout>('unified');
  const roomy = useMediaQuery(roomyQuery);
  const layout = roomy ? wanted : 'unified';
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      note={note}
      width="diff"
      bodyClassName="flex max-rail:flex-col"
      foot={
        <>
          {roomy ? <Segmented label="Layout" value={layout} options={layouts} onChange={setWanted} /> : null}
          <NextChangeHint />
          {foot}
        </>
      }
    >
      <Changes documents={props.documents} introOf={props.introOf} layout={layout} />
    </Dialog>
  );
}

type ChangesProps = Pick<ChangesDialogProps, 'documents' | 'introOf'> & { readonly layout: DiffLayout };

function Changes({ documents, introOf, layout }: ChangesProps) {
  const answers = useQueries({ queries: documents.map((document) => diffQuery(document)) });
  const [wanted, setWanted] = useState<string | null>(null);
  const parts = documents.flatMap((document, index) => {
    const answer = answers[index]?.data;
    return answer ? toParts(document, answer) : [];
  });
  const failed = answers.find((answer) => answer.isError);
  const shown = parts.find((part) => part.key === wanted) ?? parts[0];
  if (failed?.error) return <p className="p-6 text-danger">{toMessage(failed.error)}</p>;
  if (answers.some((answer) => answer.isPending)) return <p className="p-6 text-ink-2">Comparing…</p>;
  if (!shown) return <p className="record p-6 text-record text-ink-2">These versions say the same.</p>;
  return (
    <>
      <nav
        aria-label="Changed parts"
        className="w-64 shrink-0 overflow-y-auto border-line bg-sunken p-2.5 rail:border-r max-rail:max-h-40 max-rail:w-full max-rail:border-b"
      >
        {parts.map((part) => (
          <PartButton key={part.key} part={part} current={part === shown} onChoose={() => setWanted(part.key)} />
        ))}
      </nav>
      <section
        aria-label={shown.title}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable to be scrolled by keys.
        tabIndex={0}
        className="min-w-0 flex-1 overflow-y-auto pb-4 focus-visible:-outline-offset-2"
      >
        {introOf?.(shown.document)}
        <DiffView key={shown.key} lines={shown.lines} label={shown.title} layout={layout} />
      </section>
    </>
  );
}

type PartButtonProps = { readonly part: Part; readonly current: boolean; readonly onChoose: () => void };

function PartButton({ part, current, onChoose }: PartButtonProps) {
  const Icon = icons[part.document.kind];
  const { added, removed } = countLines(part.lines);
  return (
    <button
      type="button"
      aria-current={current ? 'true' : undefined}
      onClick={onChoose}
      className={classNames(
        'flex w-full items-start gap-2.5 rounded-card border px-2.5 py-2 text-left',
        current ? 'border-line bg-raised font-[650]' : 'border-transparent hover:bg-code-wash',
      )}
    >
      <Icon aria-hidden size={16} strokeWidth={1.75} className="mt-0.5 shrink-0 text-ink-2" />
      <span className="min-w-0 flex-1">
        <span className="block truncate">{part.title}</span>
        <span className="block text-small font-[450] text-ink-2">
          {sayVersion(part.document.from)} to {sayVersion(part.document.to)}
        </span>
      </span>
      <span className="numbers text-small font-[550] whitespace-nowrap">
        <span className="text-ok">
          +{added}
          <span className="sr-only"> lines added</span>
        </span>{' '}
        <span className="text-danger">
          −{removed}
          <span className="sr-only"> lines removed</span>
        </span>
      </span>
    </button>
  );
}
