'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { errorBodySchema } from '@/server/contract/error';
import { type ImportAnswer, importAnswerSchema, maxImportBytes } from '@/server/contract/import';
import { toApiUrl } from '../sync/api-client';
import { sessionsKey } from '../sync/queries';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { formatBytes } from '../ui/format-bytes';
import { useSpeak } from '../ui/live-region';

type Importing =
  | { readonly state: 'idle' }
  | { readonly state: 'sending'; readonly name: string }
  | { readonly state: 'done'; readonly name: string; readonly answer: ImportAnswer }
  | { readonly state: 'refused'; readonly name: string; readonly text: string };

const ImportContext = createContext<(file: File) => void>(() => undefined);

/** Streams a file to the server as it is: reading it here first would freeze the page for a large one. */
async function sendFile(file: File): Promise<Importing> {
  const { name } = file;
  if (file.size > maxImportBytes) {
    return {
      state: 'refused',
      name,
      text: `It has ${formatBytes(file.size)}; ${formatBytes(maxImportBytes)} is the most.`,
    };
  }
  try {
    const response = await fetch(toApiUrl('/import', { name }), {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'content-type': 'application/octet-stream' },
      body: file,
    });
    const body: unknown = await response.json();
    const answer = importAnswerSchema.safeParse(body);
    if (response.ok && answer.success) return { state: 'done', name, answer: answer.data };
    const error = errorBodySchema.safeParse(body);
    return { state: 'refused', name, text: error.success ? error.data.error.message : 'The server did not take it.' };
  } catch {
    return { state: 'refused', name, text: 'The server did not answer. Nothing was imported.' };
  }
}

function holdsFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false;
}

/** A file dropped anywhere that no field has taken for itself is imported. */
function useDropAnywhere(onFile: (file: File) => void): boolean {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const onOver = (event: DragEvent) => {
      if (!holdsFiles(event) || event.defaultPrevented) return setOver(false);
      event.preventDefault();
      setOver(true);
    };
    const onLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent) => {
      setOver(false);
      if (!holdsFiles(event) || event.defaultPrevented) return;
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file) onFile(file);
    };
    window.addEventListener('dragover', onOver);
    window.addEventListener('dragleave', onLeave);
    window.addEventListener('drop', onDrop);
    return () => {
      window.removeEventListener('dragover', onOver);
      window.removeEventListener('dragleave', onLeave);
      window.removeEventListener('drop', onDrop);
    };
  }, [onFile]);
  return over;
}

/** Takes files by button or by drop; one clean conversation is opened at once, anything else is told first. */
export function ImportProvider({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const router = useRouter();
  const speak = useSpeak();
  const [importing, setImporting] = useState<Importing>({ state: 'idle' });
  const take = useCallback(
    async (file: File) => {
      setImporting({ state: 'sending', name: file.name });
      speak(`Importing ${file.name}`);
      const outcome = await sendFile(file);
      if (outcome.state === 'done') speak(`${file.name} was imported`);
      if (outcome.state === 'refused') speak(`${file.name} was not imported. ${outcome.text}`);
      if (outcome.state === 'done') await client.invalidateQueries({ queryKey: sessionsKey });
      const only = outcome.state === 'done' && outcome.answer.warnings.length === 0 ? outcome.answer.sessions : [];
      setImporting(only.length === 1 ? { state: 'idle' } : outcome);
      if (only.length === 1) router.push(`/c/${only[0]?.id}`);
    },
    [client, router, speak],
  );
  const onFile = useMemo(() => (file: File) => void take(file), [take]);
  const over = useDropAnywhere(onFile);
  const close = () => setImporting({ state: 'idle' });
  return (
    <ImportContext value={onFile}>
      {children}
      {over ? (
        <div className="pointer-events-none fixed inset-3 z-50 flex items-center justify-center rounded-composer border-2 border-dashed border-accent bg-accent-wash/90">
          <p className="title-1">Drop it to import</p>
        </div>
      ) : null}
      <Dialog open={importing.state !== 'idle'} onClose={close} title="Import" width="small">
        <ImportReport importing={importing} onClose={close} />
      </Dialog>
    </ImportContext>
  );
}

type ImportReportProps = { readonly importing: Importing; readonly onClose: () => void };

function ImportReport({ importing, onClose }: ImportReportProps) {
  const router = useRouter();
  if (importing.state === 'idle') return null;
  if (importing.state === 'sending') return <p>Reading {importing.name}…</p>;
  if (importing.state === 'refused') {
    return (
      <>
        <p className="mb-1 font-[650]">{importing.name} was not imported.</p>
        <p className="break-words text-danger">{importing.text}</p>
      </>
    );
  }
  const { sessions, warnings } = importing.answer;
  const open = (id: string) => {
    onClose();
    router.push(`/c/${id}`);
  };
  return (
    <div className="flex flex-col gap-3">
      <ul className="flex flex-col gap-1.5">
        {sessions.map((session) => (
          <li key={session.id}>
            <Button className="max-w-full" onClick={() => open(session.id)}>
              <span className="truncate">Open {session.title || importing.name}</span>
            </Button>
          </li>
        ))}
      </ul>
      {warnings.length > 0 ? (
        <div>
          <h3 className="title-3">Not taken as it was</h3>
          <ul className="list-disc pl-5 text-ink-2">
            {warnings.map((warning) => (
              <li key={`${warning.code} ${warning.line}`}>
                {warning.message}
                {warning.line === null ? '' : ` Line ${warning.line}.`}
                {warning.count > 1 ? ` (${warning.count} times)` : ''}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </div>
  );
}

export function useImport(): (file: File) => void {
  return useContext(ImportContext);
}
