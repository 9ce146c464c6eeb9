'use client';

import { FoldVertical, MoveRight } from 'lucide-react';
import { FoldSheet } from '../ui/fold-edge';
import { useStartSession } from './use-start-session';

/** The bundled conversation with its folds: why any of this exists, in one minute (N3). Drawn as the fold it shows. */
export function SampleCard() {
  const { openSample, starting, problem } = useStartSession();
  return (
    <div>
      <FoldSheet>
        <button
          type="button"
          disabled={starting}
          onClick={() => void openSample()}
          className="flex w-full items-start gap-2.5 px-4 py-3.5 text-left rail:pl-5"
        >
          <FoldVertical aria-hidden size={16} strokeWidth={1.75} className="mt-1.5 shrink-0 text-heather" />
          <span className="min-w-0 flex-1">
            <span className="title-card block">Open the sample conversation</span>
            <span className="block text-small text-ink-2">300 messages · two summaries · one agent that moved on</span>
          </span>
          <MoveRight aria-hidden size={16} strokeWidth={1.75} className="mt-1 shrink-0 text-ink-3" />
        </button>
      </FoldSheet>
      {problem ? (
        <p role="alert" className="mt-2 text-danger">
          {problem}
        </p>
      ) : null}
    </div>
  );
}
