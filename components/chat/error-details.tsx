'use client';

import { useState } from 'react';
import type { TroubleDetail } from '@/server/contract/shapes';
import { Button } from '../ui/button';
import { CopyButton } from './copy-button';

function toLines(detail: TroubleDetail, code: string | null): string {
  return [
    code ? `code: ${code}` : '',
    detail.status === null ? '' : `status: ${detail.status}`,
    detail.code === null ? '' : `provider code: ${detail.code}`,
    detail.requestId === null ? '' : `request: ${detail.requestId}`,
    detail.text ?? '',
  ]
    .filter(Boolean)
    .join('\n');
}

export type ErrorDetailsProps = { readonly detail: TroubleDetail | null; readonly code: string | null };

/** What is kept of a provider's answer, opened on demand, with Copy. Nothing where there is nothing. */
export function ErrorDetails({ detail, code }: ErrorDetailsProps) {
  const [open, setOpen] = useState(false);
  const empty = { status: null, code: null, text: null, requestId: null };
  const text = toLines(detail ?? empty, code);
  if (text === '') return null;
  return (
    <>
      <Button look="quiet" size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
        Details
      </Button>
      {open ? (
        <div className="flex basis-full items-start gap-2 rounded-control bg-raised p-2">
          <pre className="min-w-0 flex-1 overflow-x-auto whitespace-pre-wrap text-mono">{text}</pre>
          <CopyButton text={() => text} label="Copy details" />
        </div>
      ) : null}
    </>
  );
}
