import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { idOf } from '../sync/fold-stream-arbitraries';
import { aSummary } from '../sync/testing/a-summary';
import { ToastProvider } from '../ui/toast';
import { FoldAsk } from './fold-ask';
import { aTravel, aTravelScope, refusal } from './testing/a-travel';
import { TravelContext, type TravelScope } from './travel-context';

const summary = aSummary(50, 48);

function draw(scope: TravelScope) {
  const onDone = vi.fn();
  // What it asks of the settings is not answered here: compaction is automatic until they say otherwise.
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } });
  render(
    <QueryClientProvider client={client}>
      <ToastProvider>
        <TravelContext value={scope}>
          <FoldAsk message={summary} onDone={onDone} />
        </TravelContext>
      </ToastProvider>
    </QueryClientProvider>,
  );
  return onDone;
}

describe('a summary is taken back (X5)', () => {
  it('X5, ux 6.2: first the sizes the server measured, then one request, and the way back to the exact head', async () => {
    const travel = aTravel();
    const scope = aTravelScope(travel);
    const done = draw(scope);
    const group = screen.getByRole('group', { name: 'Revert this summary' });
    await waitFor(() => expect(group.textContent).toMatch(/62.*to 65.* of 400/));
    expect(screen.getByRole('button', { name: 'Revert' })).toBe(document.activeElement);
    await userEvent.click(screen.getByRole('button', { name: 'Revert' }));
    expect(travel.undoSummary).toHaveBeenCalledExactlyOnceWith(idOf(50));
    await waitFor(() => expect(done).toHaveBeenCalled());
    expect(scope.land).toHaveBeenCalledWith({ id: idOf(50), on: 'reverted' });
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(travel.revert).toHaveBeenCalledWith(idOf(44));
  });

  it('X5: under a newer one, and while something runs, it says why and asks for nothing', async () => {
    const travel = aTravel();
    draw(aTravelScope(travel, { countNewer: () => 2 }));
    await userEvent.click(screen.getByRole('button', { name: 'Revert: Revert newer summaries first (2)' }));
    draw(aTravelScope(travel, { blocked: refusal.message }));
    await userEvent.click(screen.getByRole('button', { name: `Revert: ${refusal.message}` }));
    expect(screen.getAllByRole('group').map((group) => group.querySelector('p.text-danger')?.textContent)).toEqual([
      'Revert newer summaries first (2)',
      refusal.message,
    ]);
    expect(travel.undoSummary).not.toHaveBeenCalled();
  });

  it('X5: what the server refuses is said there and the card stays open; *Keep* changes nothing', async () => {
    const travel = aTravel({ undoSummary: vi.fn(async () => refusal) });
    const done = draw(aTravelScope(travel));
    await userEvent.click(screen.getByRole('button', { name: 'Revert' }));
    expect(screen.getByRole('group').textContent).toContain(refusal.message);
    expect(done).not.toHaveBeenCalled();
    await userEvent.click(screen.getByRole('button', { name: 'Keep' }));
    expect(done).toHaveBeenCalledOnce();
  });
});
