'use client';

import { Check } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Button } from '../ui/button';
import type { SaveState } from './use-save-settings';

export type SettingRowProps = {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly state?: SaveState;
  readonly problem?: string | null;
  readonly onRetry?: () => void;
  readonly onKeepMine?: () => void;
  readonly children: (control: { readonly id: string; readonly 'aria-describedby': string }) => ReactNode;
};

/** One setting: its words left, its control right, and what became of the last change beside it. */
export function SettingRow(props: SettingRowProps) {
  const { label, hint, state = { state: 'idle' }, problem, onRetry, onKeepMine, children } = props;
  const id = useId();
  return (
    <div className="border-b border-line py-3">
      <div className="flex items-center gap-4">
        <div className="min-w-0 flex-1">
          <label htmlFor={id} className="title-3">
            {label}
          </label>
          <div id={`${id}-hint`} className="max-w-[30rem] text-[0.8125rem] text-ink-2">
            {hint}
          </div>
        </div>
        <SavedMark state={state} />
        {children({ id, 'aria-describedby': `${id}-hint ${id}-problem` })}
      </div>
      <div id={`${id}-problem`} className="flex flex-wrap items-center gap-2 text-[0.8125rem] text-danger">
        {problem}
        <SaveProblem state={state} onRetry={onRetry} onKeepMine={onKeepMine} />
      </div>
    </div>
  );
}

/** Stands beside a field once what is in it is kept. */
export function SavedMark({ state }: { readonly state: SaveState }) {
  if (state.state !== 'saved') return null;
  return (
    <span className="flex items-center gap-1 text-small text-ok">
      <Check aria-hidden size={14} strokeWidth={1.75} />
      Saved
    </span>
  );
}

export type SaveProblemProps = Pick<SettingRowProps, 'onRetry' | 'onKeepMine'> & { readonly state: SaveState };

/** What stands under a field that was not saved: nothing while all is well. */
export function SaveProblem({ state, onRetry, onKeepMine }: SaveProblemProps) {
  if (state.state === 'failed') {
    return (
      <span role="alert" className="flex flex-wrap items-center gap-2 text-danger">
        Not saved: {state.text}
        {onRetry ? (
          <Button look="link" size="small" onClick={onRetry}>
            Retry
          </Button>
        ) : null}
      </span>
    );
  }
  if (state.state === 'conflict') {
    return (
      <span role="alert" className="flex flex-wrap items-center gap-2 text-danger">
        Changed in another window; this is the newer value.
        {onKeepMine ? (
          <Button look="link" size="small" onClick={onKeepMine}>
            Use mine instead
          </Button>
        ) : null}
      </span>
    );
  }
  return null;
}
