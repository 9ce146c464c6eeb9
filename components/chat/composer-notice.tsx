'use client';

import { CircleAlert, X } from 'lucide-react';
import { Button } from '../ui/button';
import { IconButton } from '../ui/icon-button';

/** `back`: refused, and its words stand in the field again. `kept`: newer words stand there; the old ones are offered. */
export type ComposerProblem =
  | { readonly kind: 'back' | 'kept'; readonly text: string; readonly words: string }
  | { readonly kind: 'command'; readonly text: string };

export type ComposerNoticeProps = {
  readonly problem: ComposerProblem;
  readonly onTakeBack: (words: string) => void;
  readonly onClose: () => void;
};

/** A message that was not sent, where it was written (case-E05). */
export function ComposerNotice({ problem, onTakeBack, onClose }: ComposerNoticeProps) {
  const sent = problem.kind !== 'command';
  return (
    <div role="alert" className="composer-notice">
      <CircleAlert aria-hidden size={16} strokeWidth={1.75} className="mt-0.5 shrink-0 text-danger" />
      <p className="min-w-0 flex-1">
        {sent ? <span className="font-[650]">Not sent. </span> : null}
        {problem.text}
      </p>
      {problem.kind === 'kept' ? (
        <Button look="link" size="small" onClick={() => onTakeBack(problem.words)}>
          Put it back
        </Button>
      ) : null}
      <IconButton icon={X} label="Close" size="small" onClick={onClose} />
    </div>
  );
}
