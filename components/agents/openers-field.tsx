'use client';

import { Plus, X } from 'lucide-react';
import { useId } from 'react';
import { Button } from '../ui/button';
import { TextInput } from '../ui/field';
import { IconButton } from '../ui/icon-button';

const mostOpeners = 4;

export type OpenersFieldProps = { readonly openers: readonly string[]; readonly onChange: (openers: string[]) => void };

/** Up to four first sentences; one click puts one into the composer. */
export function OpenersField({ openers, onChange }: OpenersFieldProps) {
  const id = useId();
  const set = (at: number, text: string) => onChange(openers.map((opener, index) => (index === at ? text : opener)));
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="title-3 mb-1">Openers</legend>
      {openers.map((opener, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows are edited in place and have no identity but their place.
        <div key={index} className="flex gap-1.5">
          <TextInput
            id={`${id}-${index}`}
            aria-label={`Opener ${index + 1}`}
            maxLength={160}
            value={opener}
            onChange={(event) => set(index, event.target.value)}
          />
          <IconButton
            icon={X}
            label={`Remove opener ${index + 1}`}
            onClick={() => onChange(openers.filter((_, other) => other !== index))}
          />
        </div>
      ))}
      {openers.length < mostOpeners ? (
        <Button
          look="quiet"
          className="self-start"
          disabled={openers.at(-1)?.trim() === ''}
          onClick={() => onChange([...openers, ''])}
        >
          <Plus aria-hidden size={14} strokeWidth={1.75} />
          Add an opener
        </Button>
      ) : null}
    </fieldset>
  );
}
