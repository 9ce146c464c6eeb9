'use client';

import { Button } from '../ui/button';
import { formatClock } from '../ui/format-time';
import type { DraftState } from './use-draft';

export type DraftLineProps = {
  readonly state: DraftState;
  readonly onRetry: () => void;
  readonly onKeepMine: () => void;
  readonly onTakeTheirs: () => void;
};

/** Where the draft stands, beside its heading; spoken politely, once a change. */
export function DraftLine({ state, onRetry, onKeepMine, onTakeTheirs }: DraftLineProps) {
  return (
    <div role="status" className="flex flex-wrap items-center gap-x-2 text-small text-ink-2">
      {state.state === 'saved' && state.at ? (
        <span className="numbers">Draft saved {formatClock(state.at)}</span>
      ) : null}
      {state.state === 'unsaved' || state.state === 'saving' ? <span>Saving the draft…</span> : null}
      {state.state === 'failed' ? (
        <>
          <span className="text-danger">Not saved: {state.text}</span>
          <Button look="link" size="small" onClick={onRetry}>
            Retry
          </Button>
        </>
      ) : null}
      {state.state === 'conflict' ? (
        <>
          <span className="text-danger">Changed in another window.</span>
          <Button look="link" size="small" onClick={onTakeTheirs}>
            Show that
          </Button>
          <Button look="link" size="small" onClick={onKeepMine}>
            Keep mine
          </Button>
        </>
      ) : null}
    </div>
  );
}
