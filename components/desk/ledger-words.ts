import type { CompactionAttempt, CompactionEntry, CompactionGuards } from '@/server/contract/compactions';
import { sayCount, wordEnd, wordReason } from '../chat/compaction-words';
import { formatBytes } from '../ui/format-bytes';
import { formatClock } from '../ui/format-time';

/** The ledger in words (X3): what set a compaction off, what became of it and why, and what holds the next one back. */

const triggers: Readonly<Record<CompactionEntry['trigger'], string>> = {
  manual: 'You asked',
  auto: 'Limit reached',
  overflow: 'The window was full',
};

export function wordCause({ trigger }: Pick<CompactionEntry, 'trigger'>): string {
  return triggers[trigger];
}

/** How it ended, in a word or two, with what it means for the conversation. */
const outcomes: Readonly<Record<CompactionEntry['outcome'], { readonly word: string; readonly tone: Tone }>> = {
  running: { word: 'running', tone: 'heather' },
  previewed: { word: 'waits for your yes', tone: 'warn' },
  committed: { word: 'done', tone: 'ok' },
  rejected: { word: 'refused, nothing was replaced', tone: 'danger' },
  failed: { word: 'failed, nothing was replaced', tone: 'danger' },
  cancelled: { word: 'stopped, nothing was replaced', tone: 'quiet' },
  skipped: { word: 'nothing to compact', tone: 'quiet' },
  deferred: { word: 'not tried again', tone: 'warn' },
};

export type Tone = 'ok' | 'warn' | 'danger' | 'quiet' | 'heather';

export function wordOutcome({ outcome, reverted }: Pick<CompactionEntry, 'outcome' | 'reverted'>): {
  readonly word: string;
  readonly tone: Tone;
} {
  return reverted ? { word: `reverted at ${formatClock(new Date(reverted.at))}`, tone: 'quiet' } : outcomes[outcome];
}

/** Why it came to nothing; null where it did not, or where the outcome says it all. */
export function wordWhy(entry: CompactionEntry): string | null {
  const { outcome, reason, bytesBefore, bytesAfter, deferral } = entry;
  if (outcome === 'deferred') {
    const calls = deferral?.calls ?? 0;
    return `The automatic compaction before it had failed, so ${sayCount(calls, 'model call', 'model calls')} of the same reply went out without another try.`;
  }
  const plain = outcome === 'committed' || outcome === 'running' || outcome === 'previewed' || reason === null;
  if (plain || reason === 'cancelled') return null;
  const words = wordReason(reason, { before: bytesBefore, after: bytesAfter });
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** Numbers the trigger was judged by: what was in the conversation against the bound it went over. */
export function sayTriggerNumbers({ trigger, numbers }: Pick<CompactionEntry, 'trigger' | 'numbers'>): string {
  const { view, trigger: bound } = numbers;
  const sizes = `${formatBytes(view)} of conversation, trigger at ${formatBytes(Math.max(0, bound))}`;
  if (trigger === 'manual') return `${sizes}; asked for, so the trigger did not count`;
  return trigger === 'overflow' ? `${sizes}; the provider said that its window was full` : sizes;
}

/** Why the model stopped, in words, with the provider's own beside it where that says more. */
export function wordStop({ end, rawEnd }: Pick<CompactionAttempt, 'end' | 'rawEnd'>): string {
  if (end === null) return rawEnd ?? 'no end came';
  const words = wordEnd(end);
  return rawEnd === null || rawEnd.toLowerCase() === end ? words : `${words} (${rawEnd})`;
}

/** What holds automatic compaction back now (C10), and until when. */
export function wordGuards(guards: CompactionGuards): string {
  switch (guards.state) {
    case 'off':
      return 'Automatic compaction is switched off in the settings.';
    case 'deferred':
      return `Automatic compaction waits for your next message: it failed in this reply, and ${sayCount(guards.deferredCalls, 'model call', 'model calls')} went out without another try. /compact works at any time.`;
    case 'stopped':
      return 'You stopped the automatic compaction of this reply. It waits for your next message.';
    case 'refill_stopped':
      return `The room filled up again ${guards.refillLimit} times in a row, so automatic compaction has ended for this reply. It begins anew with your next message.`;
    case 'ready':
      if (guards.failuresInARow === 0) return 'Automatic compaction is ready.';
      return 'Automatic compaction is ready: it failed before, and your next message gets a fresh attempt.';
  }
}
