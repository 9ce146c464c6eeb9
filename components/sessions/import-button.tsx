'use client';

import { Upload } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '../ui/button';
import { useImport } from './use-import';

/** Chooses a file to import. */
export function ImportButton() {
  const field = useRef<HTMLInputElement>(null);
  const take = useImport();
  return (
    <>
      <Button onClick={() => field.current?.click()}>
        <Upload aria-hidden size={14} strokeWidth={1.75} />
        Import
      </Button>
      <input
        ref={field}
        type="file"
        accept=".jsonl,.json,application/jsonl"
        hidden
        onChange={(event) => {
          const file = event.target.files?.[0];
          // The same file can be chosen again after a refusal.
          event.target.value = '';
          if (file) take(file);
        }}
      />
    </>
  );
}
