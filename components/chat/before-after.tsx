import { MoveRight } from 'lucide-react';
import { formatBytes } from '../ui/format-bytes';

/** Sizes with the arrow as an icon: the latin subsets of our faces hold none. */
export function BeforeAfter({ before, after }: { readonly before: number; readonly after: number }) {
  return (
    <span className="numbers flex shrink-0 items-center gap-1.5">
      {formatBytes(before)}
      <MoveRight aria-hidden size={14} strokeWidth={1.75} className="text-ink-3" />
      <span className="sr-only">became</span>
      <strong className="font-[650]">{formatBytes(after)}</strong>
    </span>
  );
}
