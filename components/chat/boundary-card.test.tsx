import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createChatActions } from '../sync/actions';
import { createChatStore } from '../sync/chat-store';
import { sessionId } from '../sync/fold-stream-arbitraries';
import { compactionsQuery } from '../sync/queries-chat';
import { aSummary } from '../sync/testing/a-summary';
import { BoundaryCard } from './boundary-card';
import { ChatContext, type ChatScope } from './chat-context';
import { anEntry } from './testing/a-ledger';

const nothing = () => undefined;
const actions = createChatActions({
  store: createChatStore(sessionId, () => nothing),
  makeId: () => 'id',
  now: () => '',
  call: () => Promise.reject(new Error('nobody is asked here')),
  wait: async () => undefined,
  whenOnline: () => null,
});
const scope: ChatScope = {
  sessionId,
  actions,
  compact: nothing,
  jumpTo: nothing,
  openDesk: nothing,
  openModelPicker: nothing,
  putInComposer: nothing,
};

it('X3: a boundary that an earlier page brings asks for no ledger anew, however old the one that is held', () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { queryKey } = compactionsQuery(sessionId);
  client.setQueryData<unknown>(queryKey, { compactions: [anEntry(150)] }, { updatedAt: 1 });
  render(
    <QueryClientProvider client={client}>
      <ChatContext value={scope}>
        <BoundaryCard message={aSummary(50, 40)} />
      </ChatContext>
    </QueryClientProvider>,
  );
  expect(client.getQueryState(queryKey)?.fetchStatus).toBe('idle');
});
