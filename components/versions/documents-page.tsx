'use client';

import type { ReactNode } from 'react';
import { PageFrame } from '../shell/main-header';
import { toMessage } from '../sync/api-client';
import { Button } from '../ui/button';
import { DocumentList, type DocumentListProps } from './document-list';

export type DocumentsPageProps = Omit<DocumentListProps, 'entries'> & {
  readonly title: string;
  /** Null while they are being read, or could not be. */
  readonly entries: DocumentListProps['entries'] | null;
  /** Why they could not be read; null while all is well. */
  readonly error: unknown;
  readonly onRetry: () => void;
  /** The editor of the one the address names; null where there is no such one. */
  readonly editor: ReactNode;
};

/** All documents of a kind, and the editor of one. */
export function DocumentsPage({ title, entries, error, onRetry, editor, ...list }: DocumentsPageProps) {
  const { noun, currentId } = list;
  return (
    <PageFrame title={title}>
      <div className="flex h-full">
        {error === null ? null : (
          <div className="p-6">
            <p className="mb-3 text-danger">{toMessage(error)}</p>
            <Button onClick={onRetry}>Try again</Button>
          </div>
        )}
        {entries === null ? null : <DocumentList {...list} entries={entries} />}
        {editor}
        {entries !== null && currentId !== null && editor === null ? (
          <p className="record p-6 text-record text-ink-2">There is no such {noun}.</p>
        ) : null}
      </div>
    </PageFrame>
  );
}
