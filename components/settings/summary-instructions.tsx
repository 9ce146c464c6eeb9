'use client';

import { ChevronRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import { countBytes } from '@/server/contract/text';
import { Button } from '../ui/button';
import { Field, TextArea } from '../ui/field';
import { SavedMark, SaveProblem } from './setting-row';
import { useSaveSettings } from './use-save-settings';

const mostBytes = 4000;

/** What every summary is told besides the product's own instructions. Closed at first: most people never need it. */
export function SummaryInstructions({ value }: { readonly value: string }) {
  const { state, save, retry } = useSaveSettings();
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const tooLong = countBytes(text) > mostBytes;
  const commit = (next: string) => {
    if (next !== value && countBytes(next) <= mostBytes) save({ compaction: { instructions: next } });
  };
  return (
    <details className="group/instructions py-3">
      <summary className="title-3 flex items-center gap-1.5 rounded-tag">
        <ChevronRight
          aria-hidden
          size={14}
          strokeWidth={1.75}
          className="transition-transform duration-[180ms] group-open/instructions:rotate-90"
        />
        Instructions for the summary
        {value === '' ? null : <span className="text-small text-ink-2">changed</span>}
      </summary>
      <div className="mt-2 flex flex-col gap-2">
        <Field
          label="Added to every summary request"
          hint="For example what must always be kept. At most 4,000 bytes."
          error={tooLong ? `${countBytes(text) - mostBytes} bytes too long; not saved.` : null}
        >
          {(control) => (
            <TextArea
              {...control}
              rows={5}
              value={text}
              onChange={(event) => setText(event.target.value)}
              onBlur={() => commit(text)}
            />
          )}
        </Field>
        <div className="flex items-center gap-3">
          <Button look="quiet" disabled={value === '' && text === ''} onClick={() => commit('')}>
            Reset
          </Button>
          <SavedMark state={state} />
          <SaveProblem state={state} onRetry={retry} onKeepMine={retry} />
        </div>
      </div>
    </details>
  );
}
