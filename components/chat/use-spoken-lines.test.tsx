import { render, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ChatCompacting } from '@/server/contract/stream';
import { type ChatState, emptyChat } from '../sync/fold-stream';
import { idOf, reply, sessionId } from '../sync/fold-stream-arbitraries';
import { type CompactionRow, foldCompacting } from '../sync/fold-stream-compaction';
import { aSummary } from '../sync/testing/a-summary';
import { LiveRegionProvider } from '../ui/live-region';
import { sayCompaction, useSpokenLines } from './use-spoken-lines';

const quiet: ChatState = { ...emptyChat(sessionId), loaded: true };
const running = foldCompacting(null, {
  sessionId,
  compactionId: idOf(1),
  trigger: 'manual',
  model: null,
  stage: 'one_shot',
});
const card = aSummary(5, 2, { bytes: 6_000, compactionId: idOf(1) });

function Listener({ state }: { readonly state: ChatState }) {
  useSpokenLines(state);
  return null;
}

const page = (state: ChatState | null) => (
  <LiveRegionProvider>{state === null ? null : <Listener state={state} />}</LiveRegionProvider>
);

it('ux 7.8: a compaction whose card came with its end in one frame is said to have finished', () => {
  const { rerender } = render(page(quiet));
  rerender(page({ ...quiet, compaction: running }));
  expect(screen.getByRole('status')).toHaveTextContent('Compacting started');
  rerender(page({ ...quiet, messages: [card] }));
  expect(screen.getByRole('status')).toHaveTextContent('Compaction finished: 212 to 6 kilobytes');
});

it('ux 5: what was said of one conversation is taken back with it', async () => {
  const turn = { turnId: 'T', state: 'started', model: undefined, error: undefined, stopping: false } as const;
  const { rerender } = render(page({ ...quiet, turn }));
  rerender(page({ ...quiet, messages: [reply(2, 'The port is 7443.')], turn: { ...turn, state: 'finished' } }));
  expect(screen.getByRole('log')).toHaveTextContent('The port is 7443.');
  rerender(page(null));
  await waitFor(() => expect(screen.getByRole('log')).toBeEmptyDOMElement());
});

it('X6, ux 17.14: of a long one each stage is said once, and no count that moves', () => {
  const step = (row: CompactionRow | null, change: Partial<ChatCompacting>) =>
    foldCompacting(row, { sessionId, compactionId: idOf(1), trigger: 'manual', model: null, stage: 'map', ...change });
  const tally = (done: number, failed = 0) => ({ segments: { done, running: 1, failed, total: 3 } });
  const steps: readonly Partial<ChatCompacting>[] = [
    { stage: 'one_shot' },
    tally(0),
    tally(1),
    tally(1, 1),
    tally(2),
    { stage: 'reduce' },
    { stage: 'audit' },
    { stage: 'correct' },
  ];
  const said: (string | null)[] = [];
  steps.reduce<CompactionRow | null>((row, change) => {
    const next = step(row, change);
    said.push(sayCompaction(row, next));
    return next;
  }, null);
  expect(said).toEqual([
    'Compacting started',
    'Writing 3 segments',
    null,
    'One segment failed',
    null,
    'All segments are written. Joining them',
    'Checking the summary',
    'Correcting the summary',
  ]);
  const waiting = step(null, { stage: 'one_shot' });
  expect(sayCompaction(waiting, step(waiting, tally(2)))).toBe('Going on from 2 of 3 segments');
});
