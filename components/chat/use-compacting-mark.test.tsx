import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { CompactionRow } from '../sync/fold-stream-compaction';
import { foldRequested } from '../sync/fold-stream-compaction';
import { applySessionUpdated, sessionQuery } from '../sync/queries';
import { aSession } from '../sync/testing/a-session';
import { useCompactingMark } from './use-compacting-mark';

const asked = foldRequested(null, { clientRequestId: 'r1', focus: null, at: '2026-11-20T08:00:00.000Z' });

function Page({ row, replying }: { readonly row: CompactionRow | null; readonly replying: boolean }) {
  useCompactingMark(aSession(), row, replying);
  return null;
}

/** A conversation whose row is looked at while its compaction comes and goes. */
function draw() {
  const client = new QueryClient();
  const { queryKey } = sessionQuery(aSession().id);
  client.setQueryData(queryKey, aSession());
  const page = (row: CompactionRow | null, replying = false) => (
    <QueryClientProvider client={client}>
      <Page row={row} replying={replying} />
    </QueryClientProvider>
  );
  const { rerender } = render(page(null));
  return {
    client,
    show: (row: CompactionRow | null, replying?: boolean) => rerender(page(row, replying)),
    status: () => client.getQueryData(queryKey)?.status,
  };
}

describe('the mark in the list (ux 7.3)', () => {
  it('ux 7.3: says compacting from the click, and stays while the server works on it', () => {
    const { show, status } = draw();
    show(asked);
    expect(status()).toBe('compacting');
    show({ ...asked, acknowledged: true, state: 'running' });
    expect(status()).toBe('compacting');
  });

  it('ux 7.6: is as it was where the server refused, or knows nothing of it', () => {
    const { show, status } = draw();
    for (const after of [{ ...asked, state: 'failed' } as const, null]) {
      show(asked);
      expect(status()).toBe('compacting');
      show(after);
      expect(status()).toBe('idle');
    }
  });

  it('ux 7.5: does not say so while a reply runs, since the fold waits for its end', () => {
    const { show, status } = draw();
    show(asked, true);
    expect(status()).toBe('idle');
  });

  it('ux 7.6: what the server says meanwhile is newer, and a refusal does not take it back', () => {
    const { client, show, status } = draw();
    show(asked);
    applySessionUpdated(client, aSession({ status: 'running', headSeq: 5 }));
    show({ ...asked, state: 'failed' });
    expect(status()).toBe('running');
  });
});
