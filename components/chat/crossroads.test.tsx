import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { idOf, userMessage } from '../sync/fold-stream-arbitraries';
import { sessionQuery } from '../sync/queries';
import { aSession } from '../sync/testing/a-session';
import { Crossroads, CrossroadsBefore } from './crossroads';
import { aTravel, aTravelScope, refusal } from './testing/a-travel';
import { TravelContext, type TravelScope } from './travel-context';

const leftBy = (by: 'back' | 'edit') => ({
  at: '2026-11-20T08:00:00.000Z',
  itemId: idOf(7),
  items: 2,
  tip: idOf(8),
  by,
});

describe('where a conversation went back (L4)', () => {
  const draw = (by: 'back' | 'edit', scope: TravelScope) =>
    render(
      <TravelContext value={scope}>
        <Crossroads messages={[userMessage(1, { left: [leftBy(by)] })]} />
      </TravelContext>,
    );

  it('L4: it is told for good, and leads back to the line at which the rest was left', async () => {
    const travel = aTravel();
    const scope = aTravelScope(travel, { tips: new Set([idOf(8)]) });
    draw('back', scope);
    expect(screen.getByRole('listitem').textContent).toMatch(
      /^You went back to here at .*; 2 messages are kept\. Return to them$/,
    );
    await userEvent.click(screen.getByRole('button', { name: 'Return to them' }));
    expect(travel.revert).toHaveBeenCalledWith(idOf(8));
    expect(scope.land).toHaveBeenCalledWith({ id: idOf(7), on: 'message' });
  });

  it('ux 5: what an edit left needs no line where arrows lead to it, and has one where none does', () => {
    draw('edit', aTravelScope(aTravel(), { tips: new Set([idOf(8)]) }));
    expect(screen.queryByRole('listitem')).toBeNull();
    draw('edit', aTravelScope(aTravel()));
    expect(screen.getByRole('listitem')).toBeDefined();
  });

  it('L4: while something runs the way back stays in sight, says why it waits and asks for nothing', async () => {
    const travel = aTravel();
    draw('back', aTravelScope(travel, { blocked: refusal.message }));
    await userEvent.click(screen.getByRole('button', { name: 'Return to them' }));
    expect(screen.getByRole('listitem').textContent).toContain(refusal.message);
    expect(travel.revert).not.toHaveBeenCalled();
  });

  it('L4: what was left before the very first message is told above it', () => {
    render(<CrossroadsBefore message={userMessage(1, { leftBefore: [{ ...leftBy('edit'), items: 1 }] })} />);
    expect(screen.getByRole('listitem').textContent).toMatch(
      /^You edited the next message here at .*; 1 message is kept\. $/,
    );
  });
});

describe('where a conversation branched (L3)', () => {
  const [parent, fork, deleted] = [idOf(71), idOf(72), idOf(73)];

  it('L3: both are named at the message, each the way to the other; a deleted one is no way', () => {
    const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
    const known = [
      aSession({ id: parent, title: 'Harbour' }),
      aSession({ id: fork, title: 'Fork of Harbour' }),
      aSession({ id: deleted, deletedAt: leftBy('back').at }),
    ];
    for (const session of known) client.setQueryData(sessionQuery(session.id).queryKey, session);
    render(
      <QueryClientProvider client={client}>
        <TravelContext value={aTravelScope(aTravel(), { parent: { sessionId: parent, itemId: idOf(1) } })}>
          <Crossroads messages={[userMessage(1, { forks: [fork, deleted] })]} />
          <Crossroads messages={[userMessage(2)]} />
        </TravelContext>
      </QueryClientProvider>,
    );
    expect(screen.getAllByRole('listitem').map((line) => line.textContent)).toEqual([
      'Branched here from Harbour',
      'A branch begins here: Fork of Harbour',
      'A branch begins here: a deleted conversation',
    ]);
    expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      `/c/${parent}?m=${idOf(1)}`,
      `/c/${fork}`,
    ]);
  });
});
