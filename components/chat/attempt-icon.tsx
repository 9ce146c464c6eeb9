import { CircleCheck, CircleSlash, CircleX } from 'lucide-react';
import type { CompactionAttempt } from '@/server/contract/compactions';

/** What became of a request, as its mark. */
export function AttemptIcon({ outcome }: { readonly outcome: CompactionAttempt['outcome'] }) {
  if (outcome === 'accepted') return <CircleCheck aria-hidden size={14} strokeWidth={1.75} className="text-ok" />;
  if (outcome === 'cancelled') return <CircleSlash aria-hidden size={14} strokeWidth={1.75} className="text-ink-3" />;
  return <CircleX aria-hidden size={14} strokeWidth={1.75} className="text-warn" />;
}
