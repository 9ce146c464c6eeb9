'use client';

import dynamic from 'next/dynamic';
import { useId, useState } from 'react';
import { TextArea } from '../ui/field';
import { formatBytes } from '../ui/format-bytes';
import { Segmented } from '../ui/segmented';

const Preview = dynamic(() => import('./instructions-preview').then((module) => module.InstructionsPreview), {
  loading: () => <p className="p-3.5 text-ink-3">Reading…</p>,
});

const views = [
  { value: 'write', label: 'Write' },
  { value: 'preview', label: 'Preview' },
] as const;

export type InstructionsFieldProps = { readonly value: string; readonly onChange: (value: string) => void };

/** Instructions in the machine face, with how they read; their size is what each request pays for them. */
export function InstructionsField({ value, onChange }: InstructionsFieldProps) {
  const [view, setView] = useState<'write' | 'preview'>('write');
  const id = useId();
  const bytes = new TextEncoder().encode(value).length;
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-center gap-3">
        <label htmlFor={id} className="title-3">
          Instructions
        </label>
        <span className="numbers text-small text-ink-3">{formatBytes(bytes)}</span>
        <span className="ml-auto">
          <Segmented label="Instructions as" value={view} options={views} onChange={setView} />
        </span>
      </div>
      {view === 'write' ? (
        <TextArea
          id={id}
          face="machine"
          rows={16}
          className="min-h-80"
          spellCheck
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <div className="min-h-64 rounded-control border border-line bg-raised px-5 py-4">
          <Preview text={value} />
        </div>
      )}
    </div>
  );
}
