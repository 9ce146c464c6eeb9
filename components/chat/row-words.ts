import type { CompactionRow } from '../sync/fold-stream-compaction';
import { STITCHES } from '../ui/fold-edge';
import { wordReason } from './compaction-words';

/** From when on the seconds are shown, and from when on patience is asked for. Milliseconds. */
const shownAfterMs = 3_000;
const slowAfterMs = 30_000;
const unheardAfterMs = 5_000;

export interface RowWords {
  readonly text: string;
  /** Seconds and model, beside it. */
  readonly aside: string;
  readonly pulses: boolean;
}

/** `41 s`, `1 min 5 s`: whole seconds, for a clock that runs. */
export function sayElapsed(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return `${seconds}\u00a0s`;
  return `${Math.floor(seconds / 60)}\u00a0min ${seconds % 60}\u00a0s`;
}

/** The line of a live row (ux 6.3). `replying`: a reply runs, and the fold waits for its end. */
export function wordRow(row: CompactionRow, at: { readonly elapsedMs: number; readonly replying: boolean }): RowWords {
  const { elapsedMs, replying } = at;
  if (row.state === 'cancelling') return { text: 'Stopping…', aside: '', pulses: false };
  if (row.state === 'requested') {
    if (!row.acknowledged && elapsedMs > unheardAfterMs) {
      return { text: 'Waiting for the server…', aside: sayElapsed(elapsedMs), pulses: true };
    }
    if (row.acknowledged && replying) return { text: 'Will compact when this reply ends.', aside: '', pulses: false };
    return { text: 'Compacting this conversation…', aside: '', pulses: true };
  }
  const elapsed = elapsedMs >= shownAfterMs ? sayElapsed(elapsedMs) : '';
  const { attempt, model } = row;
  if (attempt && attempt.n > 1 && elapsedMs <= slowAfterMs * 4) {
    const before = attempt.after === null ? '' : `${wordBefore(attempt.after)} `;
    const text = `${before}Trying ${model?.model ?? 'the next model'} (${attempt.n} of ${attempt.of})…`;
    return { text, aside: elapsed, pulses: true };
  }
  if (elapsedMs > slowAfterMs) {
    const aside = [elapsed, model?.model].filter(Boolean).join(' · ');
    return { text: 'Still compacting. Long conversations can take a minute or two.', aside, pulses: true };
  }
  const aside = [elapsed, elapsed === '' ? '' : model?.model].filter(Boolean).join(' · ');
  return { text: 'Compacting this conversation…', aside, pulses: true };
}

function wordBefore(reason: string): string {
  const words = wordReason(reason);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** Stitches earned: by known steps only (segments, the join, the check). One request has no steps and earns none before it lands. */
export function countEarned({ segments, stage }: Pick<CompactionRow, 'segments' | 'stage'>): number {
  if (segments === null || segments.total === 0) return 0;
  const joined = stage === 'audit' || stage === 'correct' ? 1 : 0;
  return Math.floor((STITCHES * (segments.done + joined)) / (segments.total + 2));
}

/** Why it began by itself; empty for what a person asked. */
export function wordTrigger(row: Pick<CompactionRow, 'trigger'>): string {
  if (row.trigger === 'auto') return 'The context was nearly full.';
  return row.trigger === 'overflow' ? 'The model’s window was full.' : '';
}
