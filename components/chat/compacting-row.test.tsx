import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { CompactionAttempt, CompactionEntry } from '@/server/contract/compactions';
import { type ActionDeps, createChatActions } from '../sync/actions';
import { createChatStore } from '../sync/chat-store';
import { idOf, sessionId } from '../sync/fold-stream-arbitraries';
import type { CompactionRow } from '../sync/fold-stream-compaction';
import { compactionsQuery, promptQuery } from '../sync/queries-chat';
import { ChatContext, type ChatScope } from './chat-context';
import { CompactingRow } from './compacting-row';
import { CompactionFailed } from './compaction-failed';
import { wordReason } from './compaction-words';
import { sayElapsed, wordRow } from './row-words';

const row = (change: Partial<CompactionRow> = {}): CompactionRow => ({
  state: 'running',
  clientRequestId: 'click',
  compactionId: idOf(1),
  acknowledged: true,
  trigger: 'manual',
  focus: null,
  model: { provider: 'fake', model: 'haiku-x' },
  stage: 'one_shot',
  segments: null,
  reading: [],
  attempt: null,
  since: '',
  reason: null,
  detail: null,
  bytesBefore: null,
  bytesAfter: null,
  dropped: 0,
  ...change,
});
const text = (change: Partial<CompactionRow>, elapsedMs: number, replying = false) => {
  const words = wordRow(row(change), { elapsedMs, replying });
  return words.aside === '' ? words.text : `${words.text} ${words.aside}`;
};

const nothing = () => undefined;
const nowhere: Omit<ChatScope, 'actions'> = {
  sessionId: '',
  compact: nothing,
  jumpTo: nothing,
  openDesk: nothing,
  openModelPicker: nothing,
  putInComposer: nothing,
};
const noDeps = (): ActionDeps => ({
  store: createChatStore(sessionId, () => nothing),
  makeId: () => 'id',
  now: () => '',
  call: () => Promise.reject(new Error('nobody is asked here')),
  wait: async () => undefined,
  whenOnline: () => null,
});

describe('the words of a running row (ux 6.3)', () => {
  it.each([
    ['requested', { state: 'requested', acknowledged: false }, 100, 'Compacting this conversation…'],
    ['unheard for 5 s', { state: 'requested', acknowledged: false }, 6_000, 'Waiting for the server… 6\u00a0s'],
    ['running, first seconds', {}, 2_900, 'Compacting this conversation…'],
    ['running', {}, 12_000, 'Compacting this conversation… 12\u00a0s · haiku-x'],
    ['slow', {}, 41_000, 'Still compacting. Long conversations can take a minute or two. 41\u00a0s · haiku-x'],
    [
      'next model',
      { attempt: { n: 2, of: 3, after: 'provider_rate_limited' } },
      6_000,
      'Rate limited. Trying haiku-x (2 of 3)… 6\u00a0s',
    ],
    ['cancelling', { state: 'cancelling' }, 9_000, 'Stopping…'],
  ] as const)('%s', (_, change, elapsedMs, expected) => {
    expect(text(change, elapsedMs)).toBe(expected);
  });

  it('ux-7.5: while a reply runs it says that it waits for its end', () => {
    expect(text({ state: 'requested' }, 4_000, true)).toBe('Will compact when this reply ends.');
  });

  it('counts minutes', () => {
    expect(sayElapsed(65_400)).toBe('1\u00a0min 5\u00a0s');
  });
});

function draw(
  change: Partial<CompactionRow>,
  attempts: readonly Partial<CompactionAttempt>[] = [],
  more: Partial<CompactionEntry> = {},
) {
  const client = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } },
  });
  const entry = { compactionId: idOf(1), attempts, segments: [], source: null, ...more };
  client.setQueryData<unknown>(compactionsQuery('').queryKey, { compactions: [entry] });
  return render(
    <QueryClientProvider client={client}>
      <ChatContext value={{ ...nowhere, actions: createChatActions(noDeps()) }}>
        <CompactingRow row={row(change)} replying={false} />
      </ChatContext>
    </QueryClientProvider>,
  );
}

describe('the row itself', () => {
  it('design: stitches are earned by known steps only; one request earns none before it lands', () => {
    const earned = (change: Partial<CompactionRow>) =>
      draw(change).container.querySelector('[data-earned]')?.getAttribute('data-earned');
    expect(earned({})).toBe('0');
    expect(earned({ stage: 'map', segments: { done: 5, running: 3, failed: 0, total: 9 } })).toBe('3');
    expect(earned({ state: 'landed' })).toBe('8');
  });

  it('ux-6.3: a stopped one is a line, not a card', () => {
    draw({ state: 'cancelled' });
    expect(screen.getByText('Compaction stopped. Nothing changed.')).toBeVisible();
  });

  it('C8: all models failed: each is listed with its reason, and nothing changed comes first', () => {
    const model = (name: string) => ({ provider: 'fake', model: name });
    draw({ state: 'failed', reason: 'failed' }, [
      { n: 1, model: model('sonnet-x'), outcome: 'failed', reason: 'rate_limit', ms: 2_000, detail: null },
      { n: 2, model: model('haiku-x'), outcome: 'rejected', reason: 'not_smaller', ms: 9_000, detail: null },
    ]);
    expect(screen.getByText('No model could write the summary. Nothing changed.')).toBeVisible();
    expect(screen.getByText('rate limited')).toBeVisible();
    expect(screen.getByText('the summary was not shorter')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Choose models' })).toHaveAttribute('href', '/settings/compaction');
  });

  const segment = (n: number, state: CompactionEntry['segments'][number]['state']) => ({
    n,
    from: idOf(n),
    through: idOf(n),
    items: 24,
    bytes: 138_000,
    state,
  });
  const map = (n: number, of: number, change: Partial<CompactionAttempt> = {}): Partial<CompactionAttempt> => ({
    n,
    stage: 'map',
    segment: of,
    model: { provider: 'fake', model: 'haiku-x' },
    outcome: 'accepted',
    reason: null,
    ms: 7_000,
    ...change,
  });
  const source = { from: idOf(1), through: idOf(9), items: 214, bytes: 1_300_000 };

  it('X6: a long one shows its segments, its stages, how much is folded, and collapses to one row', async () => {
    const user = userEvent.setup();
    const segments = { done: 1, running: 1, failed: 0, total: 3 };
    draw({ stage: 'map', segments, reading: [2] }, [map(1, 1)], {
      segments: [segment(1, 'done'), segment(2, 'waiting'), segment(3, 'waiting')],
      source,
    });
    expect(screen.getByText('1 of 3 segments written, 1 in progress')).toBeVisible();
    expect(screen.getByText(/214 messages, 1.3.MB/)).toBeVisible();
    expect(screen.getByText('Write 3 segments')).toBeVisible();
    const lines = () => screen.queryAllByRole('listitem').filter((item) => item.dataset.state);
    expect(lines().map(({ dataset }) => dataset.state)).toEqual(['done', 'running', 'waiting']);
    expect(screen.queryByRole('button', { name: /segment \d/ })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Hide segments' }));
    expect(lines()).toEqual([]);
    expect(screen.getByText('1 of 3 segments written, 1 in progress')).toBeVisible();
    const shut = screen.getByRole('button', { name: 'Show segments' });
    expect(shut).toHaveAttribute('aria-expanded', 'false');
    await user.click(shut);
    expect(lines()).toHaveLength(3);
  });

  it('R4, X6: one that goes on from what an earlier try left says from where', () => {
    const segments = { done: 2, running: 0, failed: 0, total: 3 };
    draw({ stage: 'map', segments }, [map(1, 2)], {
      segments: [segment(1, 'done'), segment(2, 'done'), segment(3, 'waiting')],
    });
    expect(screen.getByText(/^Went on from 1 of 3 segments/)).toBeVisible();
  });

  it('R4, S5: a failed one says what is kept, and offers to have one segment read again', async () => {
    const retrySegment = vi.fn(async () => ({ ok: true }) as const);
    const client = new QueryClient({
      defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } },
    });
    client.setQueryData<unknown>(compactionsQuery('').queryKey, {
      compactions: [
        {
          compactionId: idOf(1),
          attempts: [map(1, 1), map(2, 2, { outcome: 'failed', reason: 'provider_overloaded' })],
          segments: [segment(1, 'done'), segment(2, 'failed')],
        },
      ],
    });
    const actions = { ...createChatActions(noDeps()), retrySegment };
    const scope = { ...nowhere, actions };
    render(
      <QueryClientProvider client={client}>
        <ChatContext value={scope}>
          <CompactionFailed row={row({ state: 'failed', reason: 'provider_overloaded' })} />
        </ChatContext>
      </QueryClientProvider>,
    );
    expect(screen.getByText(/overloaded\. Nothing changed\./)).toBeVisible();
    expect(screen.getByText(/and the conversation goes on/)).toBeVisible();
    expect(screen.getByText(/^1 of 2 segments are written and kept/)).toBeVisible();
    await userEvent.setup().click(screen.getByRole('button', { name: 'Try segment 2 again' }));
    expect(retrySegment).toHaveBeenCalledWith(idOf(1), 2);
    await userEvent.setup().click(screen.getByRole('button', { name: 'Write segment 1 anew' }));
    expect(retrySegment).toHaveBeenCalledWith(idOf(1), 1);
  });

  it.each([
    ['empty', 'the summary came back empty'],
    ['incomplete:length', 'the answer broke off (it reached the limit of its length)'],
    ['provider_refusal', 'it declined'],
    ['audit_failed', 'the check against its segments still found things they do not say'],
    ['interrupted', 'the server stopped in the middle of it'],
    ['conflict: There is no such segment.', 'There is no such segment.'],
  ])('C8, S5: %s says in words why, that nothing changed, and that it goes on', (reason, words) => {
    draw({ state: 'failed', reason });
    expect(
      screen.getByText(`This conversation was not compacted: ${words.replace(/\.$/, '')}. Nothing changed.`),
    ).toBeVisible();
    expect(screen.getByText(/the conversation goes on\./)).toBeVisible();
  });

  it('R10: where only another model helps, it says that', () => {
    draw({ state: 'failed', reason: 'item_too_large:57' });
    expect(screen.getByText(/message 57 alone is larger than its window\. Nothing changed\./)).toBeVisible();
    expect(screen.getByText(/another one gets a fresh attempt/)).toBeVisible();
  });

  it('B6: where a trim followed, it does not say that nothing changed', () => {
    const client = new QueryClient();
    render(
      <QueryClientProvider client={client}>
        <CompactionFailed row={row({ state: 'failed', compactionId: null, reason: 'provider_auth' })} trimmed />
      </QueryClientProvider>,
    );
    expect(screen.getByText(/the key was refused\. Nothing was written\./)).toBeVisible();
    expect(screen.getByText(/Older parts were left out of context instead/)).toBeVisible();
    expect(screen.queryByText(/as they were/)).toBeNull();
  });

  it('C8: many missing headings are counted, not listed', () => {
    expect(wordReason('sections:Goal, Work, Files')).toBe('3 of its headings were missing or doubled');
    expect(wordReason('sections:Work')).toBe('headings were missing or doubled: Work');
    expect(wordReason('incomplete:tool_calls')).toBe('the answer broke off (it called a tool instead of writing)');
  });

  it('P5: too little to compact, and yet caught up: it says that the newest versions are used now', () => {
    const client = new QueryClient({
      defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } },
    });
    const { queryKey } = promptQuery('');
    const behind = {
      current: false,
      dismissed: false,
      skills: [],
      toolsRemoved: [],
      instructionsChanged: true,
      agent: { id: null, name: null, deleted: false, from: 1, to: 2 },
      kept: { agentVersion: 1, skills: [] },
    };
    client.setQueryData<unknown>(queryKey, behind);
    const drawn = (state: CompactionRow['state']) => (
      <QueryClientProvider client={client}>
        <CompactingRow row={row({ state, reason: 'too_short' })} replying={false} />
      </QueryClientProvider>
    );
    const { rerender } = render(drawn('running'));
    act(() => client.setQueryData<unknown>(queryKey, { ...behind, current: true }));
    rerender(drawn('skipped'));
    expect(
      screen.getByText(/too little to compact yet\. This conversation now uses the newest versions\./),
    ).toBeVisible();
  });

  it('C8: one that was not shorter says both sizes', () => {
    draw({ state: 'failed', reason: 'not_smaller', bytesBefore: 6_100, bytesAfter: 6_800 });
    expect(screen.getByText(/not shorter \(6.8.kB from 6.1.kB\)\. Nothing changed\./)).toBeVisible();
  });

  it('G4: Details hold what is kept of the provider’s answer', async () => {
    const detail = { status: 529, code: 'overloaded', text: 'try later', requestId: 'req_1' };
    draw({ state: 'failed', reason: 'provider_overloaded', detail });
    await userEvent.setup().click(screen.getByRole('button', { name: 'Details' }));
    expect(screen.getByText(/status: 529/)).toHaveTextContent('request: req_1');
  });

  it('ux-17.14: the seconds are in no live region', () => {
    vi.useFakeTimers();
    const { container } = draw({ since: new Date(Date.now() - 12_000).toISOString() });
    expect(container.querySelector('[aria-live],[role="status"],[role="alert"],[role="log"]')).toBeNull();
    vi.useRealTimers();
  });
});
