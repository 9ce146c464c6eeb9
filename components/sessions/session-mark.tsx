import { X } from 'lucide-react';
import { BehindMark } from '../ui/own-marks';
import { type SessionMark as Mark, markWords } from './mark-of-session';

const shapes: Readonly<Record<Mark, () => React.ReactNode>> = {
  replying: () => <span className="pulse size-2 rounded-pill bg-live forced-colors:border" />,
  compacting: () => <span className="pulse size-2 rounded-pill bg-heather forced-colors:border" />,
  waiting: () => <span className="size-2.5 rounded-pill border-2 border-warn" />,
  new: () => <span className="size-[0.4375rem] bg-ink forced-colors:border" />,
  failed: () => <X aria-hidden size={14} strokeWidth={2} className="text-danger" />,
  behind: () => <BehindMark className="h-[0.6875rem] w-[0.9375rem] text-heather" />,
};

/** A state as shape and word. */
export function SessionMark({ mark }: { readonly mark: Mark | null }) {
  if (mark === null) return <span className="w-4 shrink-0" />;
  const Shape = shapes[mark];
  return (
    <span className="flex h-5 w-4 shrink-0 items-center justify-center" title={markWords[mark]}>
      <Shape />
      <span className="sr-only">{markWords[mark]}</span>
    </span>
  );
}
