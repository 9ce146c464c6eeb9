import type { SummarizerTestRow } from '@/server/contract/settings';
import { wordReason } from '../chat/compaction-words';
import { formatBytes } from '../ui/format-bytes';
import { formatCost } from '../ui/format-cost';
import { formatDuration } from '../ui/format-time';

/** What became of one row of *Test order*; `problem`: the question itself was not answered. */
export type RowTest =
  | { readonly state: 'waiting' }
  | { readonly state: 'running' }
  | { readonly state: 'stopped' }
  | { readonly state: 'problem'; readonly text: string }
  | { readonly state: 'done'; readonly row: SummarizerTestRow };

export type TestWords = { readonly text: string; readonly tone: 'ok' | 'danger' | 'quiet' };

const costWords = (cost: number | null) => (cost === null ? '' : ` for ${formatCost(cost)}`);

/** One row's result in a line: time and size, or time and why not. */
export function wordTest(test: RowTest): TestWords {
  if (test.state === 'waiting') return { text: 'Waits for its turn', tone: 'quiet' };
  if (test.state === 'running') return { text: 'Writing the sample…', tone: 'quiet' };
  if (test.state === 'stopped') return { text: 'Stopped', tone: 'quiet' };
  if (test.state === 'problem') return { text: test.text, tone: 'danger' };
  const { outcome, reason, message, ms, bytes, cost } = test.row;
  const time = formatDuration(ms);
  if (outcome === 'accepted') {
    const size = bytes === null ? '' : ` ${formatBytes(bytes)}`;
    return { text: `Wrote${size} in ${time}${costWords(cost)}`, tone: 'ok' };
  }
  if (outcome === 'cancelled') return { text: 'Stopped', tone: 'quiet' };
  const why = reason === null ? (message ?? 'no reason was given') : wordReason(reason);
  const what = outcome === 'rejected' ? 'What it wrote is no summary' : 'No summary';
  return { text: `${what}, after ${time}: ${why}`, tone: 'danger' };
}

/** Said once, when the last row has answered. */
export function speakTests(tests: readonly RowTest[]): string {
  const good = tests.filter((test) => test.state === 'done' && test.row.outcome === 'accepted').length;
  const count = tests.length === 1 ? 'the only model' : `${good} of ${tests.length} models`;
  if (tests.length === 1) return `Test finished: ${count} ${good === 1 ? 'wrote a summary' : 'wrote none'}`;
  return `Test finished: ${count} wrote a summary`;
}
