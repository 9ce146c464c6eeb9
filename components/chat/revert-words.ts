import type { SummaryMetadata } from '@/server/contract/boundary';
import type { ContextMeter } from '@/server/contract/context';
import { formatBytes } from '../ui/format-bytes';
import { countCovered } from './compaction-words';
import { wordMeter } from './meter-segments';

/** What the view would measure without a summary: what it covered instead of it, as both were measured when it was made. */
export function guessAfter(metadata: Pick<SummaryMetadata, 'bytes' | 'sourceBytes'>, usedBytes: number): number {
  return Math.max(0, usedBytes - metadata.bytes) + metadata.sourceBytes;
}

export interface Sizes {
  readonly beforeBytes: number;
  readonly afterBytes: number;
}

/**
 * "Put 48 messages back into context? 62 kB to 374 kB of 400 kB (94 %)." and what follows from it (ux 6.2). Until the server
 * has said the sizes they are guessed, and called so.
 */
export function sayRevert(
  metadata: SummaryMetadata,
  context: ContextMeter,
  known: { readonly auto: boolean; readonly sizes: Sizes | null },
): { readonly question: string; readonly sizes: string; readonly warning: string | null } {
  const { budgetBytes } = context;
  const before = known.sizes?.beforeBytes ?? context.usedBytes;
  const after = known.sizes?.afterBytes ?? guessAfter(metadata, before);
  const count = countCovered(metadata);
  const share =
    budgetBytes > 0 ? ` of ${formatBytes(budgetBytes)} (${Math.round((after / budgetBytes) * 100)}\u00a0%)` : '';
  const about = known.sizes ? '' : 'About ';
  return {
    question: `Put ${count === 1 ? '1 message' : `${count} messages`} back into context?`,
    sizes: `${about}${formatBytes(before)} to ${formatBytes(after)}${share}. The summary is kept in history.`,
    warning: warn(after, context, known.auto),
  };
}

function warn(after: number, context: ContextMeter, auto: boolean): string | null {
  const { budgetBytes } = context;
  if (budgetBytes <= 0) return null;
  const over = after - budgetBytes;
  if (auto)
    return after / budgetBytes > (wordMeter(context).tick ?? 1)
      ? 'That is nearly full: the next message compacts again.'
      : null;
  return over > 0
    ? `Automatic compaction is off: about ${formatBytes(over)} of older parts will be left out to fit.`
    : null;
}

/** Why a summary cannot be taken back; null: it can. Only the newest in force may be (X5). */
export function wordOlder(newer: number): string | null {
  return newer > 0 ? `Revert newer summaries first (${newer})` : null;
}
