import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { CompactionEntry, CompactionGuards } from '@/server/contract/compactions';
import { anAttempt, anEntry, someGuards } from '../chat/testing/a-ledger';
import { idOf } from '../sync/fold-stream-arbitraries';
import { compactionsQuery } from '../sync/queries-chat';
import { LedgerPanel } from './ledger-panel';

function open(compactions: readonly CompactionEntry[], guards: CompactionGuards = someGuards()) {
  const client = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } },
  });
  client.setQueryData(compactionsQuery('S').queryKey, { compactions: [...compactions], guards });
  const onJump = vi.fn();
  render(
    <QueryClientProvider client={client}>
      <LedgerPanel sessionId="S" onJump={onJump} />
    </QueryClientProvider>,
  );
  const rows = () =>
    within(screen.getByRole('list', { name: 'Compactions, newest first' }))
      .getAllByRole('listitem')
      .filter((item) => item.dataset.outcome !== undefined && item.querySelector(':scope > .ledger-head'));
  return { onJump, rows, user: userEvent.setup() };
}

const text = (element: Element | undefined) => element?.textContent?.replaceAll('\u00a0', ' ') ?? '';

describe('the ledger (X3)', () => {
  it('X3: before the first compaction it says what it is for, and the counters stand all the same', () => {
    open([]);
    expect(screen.getByText(/There was none yet/)).toBeVisible();
    expect(screen.getByRole('region', { name: 'What holds automatic compaction back' })).toHaveTextContent(
      'Refills in a row0 of 3',
    );
  });

  it('X3: newest first, refused ones too, each with why in plain words and that nothing was replaced', () => {
    const { rows } = open([
      anEntry(1),
      anEntry(3, {
        outcome: 'rejected',
        reason: 'not_smaller',
        bytesBefore: 6_100,
        bytesAfter: 6_800,
        trigger: 'auto',
      }),
      anEntry(5, { outcome: 'failed', reason: 'incomplete:length' }),
      anEntry(7, { outcome: 'cancelled', reason: 'cancelled', bytesAfter: null }),
      anEntry(9, { outcome: 'skipped', reason: 'too_short', attempts: [] }),
    ]);
    expect(rows().map(text)).toEqual([
      expect.stringMatching(/^You asked.*nothing to compact.*There is too little to compact yet\.$/),
      expect.stringMatching(/^You asked.*stopped, nothing was replaced/),
      expect.stringMatching(
        /failed, nothing was replaced.*The answer broke off \(it reached the limit of its length\)\.$/,
      ),
      expect.stringMatching(/^Limit reached.*refused, nothing was replaced.*not shorter \(6\.8 kB from 6\.1 kB\)\.$/),
      expect.stringMatching(/^You asked.*212 kBbecame6\.1 kB.*done/),
    ]);
    expect(screen.getByText('1 done, 2 refused')).toBeVisible();
  });

  it('X5: a summary that was taken back is not called done', () => {
    const { rows } = open([anEntry(1, { reverted: { at: '2026-11-20T08:00:00.000Z' } })]);
    expect(rows().map(text)).toEqual([expect.stringMatching(/reverted at /)]);
    expect(rows().map(text).join()).not.toContain('done');
  });

  it('X3: open it has trigger and numbers, tokens in, out and cached, cost, time, sizes, and each request with its stop', async () => {
    const { rows, user, onJump } = open([
      anEntry(1, {
        trigger: 'auto',
        focus: 'the lock limit',
        cost: 0.21,
        attempts: [
          anAttempt({
            n: 1,
            model: { provider: 'fake', model: 'sonnet-x' },
            outcome: 'failed',
            reason: 'provider_rate_limited',
            end: null,
            rawEnd: null,
            usage: null,
            detail: { status: 429, code: 'rate_limit_error', text: 'slow down', requestId: 'req_1' },
          }),
          anAttempt({ n: 2, ceiling: 4_096, end: 'stop', rawEnd: 'end_turn', cost: 0.21 }),
        ],
      }),
    ]);
    await user.tab();
    await user.keyboard('{Enter}');
    const [row] = rows();
    const said = text(row);
    for (const words of [
      '212 kB of conversation, trigger at 332 kB',
      '390 kB of a budget of 400 kB; 10 kB always sent',
      '48 messages, 212 kB',
      '62,000 in, 1,400 out, 58,000 cached',
      '$ 0.210',
      '9.0 s',
      'the lock limit',
      '2 requests',
      'rate limited',
      'Automatic, in a row0 failed, 0 refilled',
      'Stop: no end came · sent 212 kB · no tokens reported',
      'Stop: it finished (end_turn) · sent 212 kB, at most 4,096 tokens asked for',
    ]) {
      expect(said).toContain(words);
    }
    await user.click(screen.getByRole('button', { name: 'Details' }));
    expect(text(row)).toContain('status: 429');
    await user.click(screen.getByRole('button', { name: 'Show the summary' }));
    expect(onJump).toHaveBeenCalledWith(idOf(2));
  });

  it('X3: a price nobody knows is said to be unknown, not nothing', async () => {
    const { rows, user } = open([anEntry(1)]);
    await user.click(rows()[0]?.querySelector('button') ?? document.body);
    expect(text(rows()[0])).toContain('Costprice not known');
  });

  it('C10: what was deferred has a row of its own, and the counters say until when and how near the loop guard is', () => {
    const { rows } = open(
      [
        anEntry(1, { outcome: 'failed', reason: 'auth', trigger: 'auto' }),
        anEntry(3, {
          outcome: 'deferred',
          trigger: 'auto',
          attempts: [],
          deferral: { after: idOf(1), calls: 3 },
          counters: { failuresInARow: 2, refills: 1 },
        }),
      ],
      someGuards({ state: 'deferred', deferredBy: idOf(1), deferredCalls: 3, failuresInARow: 2, refills: 1 }),
    );
    expect(text(rows()[0])).toContain('not tried again');
    expect(text(rows()[0])).toContain('so 3 model calls of the same reply went out without another try');
    const guards = text(screen.getByRole('region', { name: 'What holds automatic compaction back' }));
    expect(guards).toContain('waits for your next message');
    expect(guards).toContain('Automatic failures in a row2');
    expect(guards).toContain('Refills in a row1 of 3');
    expect(guards).toContain('Calls without another try3');
  });

  it('C10: three refills in a row are explained', () => {
    open([anEntry(1)], someGuards({ state: 'refill_stopped', refills: 3 }));
    expect(screen.getByText(/filled up again 3 times in a row/)).toBeVisible();
  });
});
