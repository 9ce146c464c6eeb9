import type { SummaryMetadata } from '@/server/contract/boundary';
import type { ContextMeter } from '@/server/contract/context';
import { formatBytes } from '../ui/format-bytes';
import { countCovered, sayCount } from './compaction-words';
import { wordMeter } from './meter-segments';

/** What the view would measure without a summary: what it covered instead of it, as both were measured when it was made. */
function guessAfter(metadata: Pick<SummaryMetadata, 'bytes' | 'sourceBytes'>, usedBytes: number): number {
  return Math.max(0, usedBytes - metadata.bytes) + metadata.sourceBytes;
}

/** What comes back: not what an older summary covers too, since that one applies again. */
function countReturned({ counts, returns }: Pick<SummaryMetadata, 'counts' | 'returns'>): number {
  return returns ?? countCovered({ counts });
}

/** "12 messages are back. The summary before it applies again." */
export function sayReturned(metadata: Pick<SummaryMetadata, 'counts' | 'returns'>): string {
  const count = countReturned(metadata);
  return `${count === 1 ? '1 message is' : `${count} messages are`} back.${earlier(metadata)}`;
}

function earlier({ counts, returns }: Pick<SummaryMetadata, 'counts' | 'returns'>): string {
  const before = countCovered({ counts }) - (returns ?? countCovered({ counts }));
  if (before <= 0) return '';
  return ` The summary before it applies again, to ${sayCount(before, 'message', 'messages')}.`;
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
  metadata: Pick<SummaryMetadata, 'bytes' | 'sourceBytes' | 'counts' | 'returns'>,
  context: ContextMeter,
  known: { readonly auto: boolean; readonly sizes: Sizes | null },
): { readonly question: string; readonly sizes: string; readonly warning: string | null } {
  const { budgetBytes } = context;
  const before = known.sizes?.beforeBytes ?? context.usedBytes;
  const after = known.sizes?.afterBytes ?? guessAfter(metadata, before);
  const share =
    budgetBytes > 0 ? ` of ${formatBytes(budgetBytes)} (${Math.round((after / budgetBytes) * 100)}\u00a0%)` : '';
  const about = known.sizes ? '' : 'About ';
  return {
    question: `Put ${sayCount(countReturned(metadata), 'message', 'messages')} back into context?${earlier(metadata)}`,
    sizes: `${about}${formatBytes(before)} to ${formatBytes(after)}${share}. The summary is kept in history.`,
    warning: warn(after, context, known.auto),
  };
}

function warn(after: number, context: ContextMeter, auto: boolean): string | null {
  const { budgetBytes } = context;
  if (budgetBytes <= 0) return null;
  const over = after - budgetBytes;
  if (auto && over > 0) return 'That is more than fits: the next message compacts again.';
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
