import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { idOf } from '../sync/fold-stream-arbitraries';
import { LiveRegionProvider } from '../ui/live-region';
import { MessageTools } from './message-tools';
import { aTravel, aTravelScope, refusal } from './testing/a-travel';
import { TravelContext, type TravelScope } from './travel-context';

/** At the message, and spoken by the region of the page. */
function saidAt(text: string | RegExp): boolean {
  const spoken = within(screen.getByRole('status')).queryAllByText(text).length;
  return spoken > 0 && screen.getAllByText(text).length === spoken + 1;
}

function drawTools(scope: TravelScope, props: Partial<Parameters<typeof MessageTools>[0]> = {}) {
  return render(
    <LiveRegionProvider>
      <TravelContext value={scope}>
        <MessageTools messageId={idOf(2)} text={() => 'two'} foldable={false} newest={false} {...props} />
      </TravelContext>
    </LiveRegionProvider>,
  );
}

describe('what can be done with a message (ux 5)', () => {
  it('L4: while something runs an action stays reachable, names the reason, and pressing it asks for nothing', async () => {
    const travel = aTravel();
    drawTools(aTravelScope(travel, { blocked: refusal.message }), { againFrom: idOf(2) });
    const button = screen.getByRole('button', { name: `Go back to here: ${refusal.message}` });
    expect(button.getAttribute('aria-disabled')).toBe('true');
    await userEvent.click(button);
    await userEvent.click(screen.getByRole('button', { name: `Try again: ${refusal.message}` }));
    expect(saidAt(refusal.message)).toBe(true);
    expect(travel.revert).not.toHaveBeenCalled();
    expect(travel.tryAgain).not.toHaveBeenCalled();
    // A branch takes nothing away from what runs.
    expect(screen.getByRole('button', { name: 'Branch from here' }).getAttribute('aria-disabled')).toBe('false');
  });

  it('L4: what the server refuses is said at the message', async () => {
    const travel = aTravel({ revert: async () => refusal });
    drawTools(aTravelScope(travel));
    await userEvent.click(screen.getByRole('button', { name: 'Go back to here' }));
    expect(saidAt(refusal.message)).toBe(true);
  });

  it('L4: try again goes to the point before the reply; a refusal after the head moved is told where it is still seen', async () => {
    const travel = aTravel({
      tryAgain: vi.fn(async () => ({ ok: false, message: 'No model.', moved: true }) as const),
    });
    const scope = aTravelScope(travel);
    drawTools(scope, { againFrom: idOf(2) });
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(travel.tryAgain).toHaveBeenCalledWith(idOf(1));
    expect(scope.tell).toHaveBeenLastCalledWith('No model.');
  });

  it('X5: a covered part goes back into the view and says the sizes before and after', async () => {
    const travel = aTravel();
    const part = { from: idOf(2), through: idOf(3) };
    drawTools(aTravelScope(travel), { covered: { part, bytes: 3_000 } });
    await userEvent.click(screen.getByRole('button', { name: /Put this part back into the model’s view \(3/ }));
    expect(travel.expand).toHaveBeenCalledWith(idOf(50), part);
    expect(saidAt(/was 62.*is now 65.* of 400/)).toBe(true);
  });

  it('ux 5: the bar is one tab stop, and arrows reach every button', async () => {
    drawTools(aTravelScope(aTravel()));
    const buttons = screen.getAllByRole('button');
    expect(buttons.filter((button) => button.tabIndex === 0)).toHaveLength(1);
    await userEvent.tab();
    await userEvent.keyboard('{ArrowLeft}');
    expect(document.activeElement).toBe(buttons.at(-1));
    expect(buttons.filter((button) => button.tabIndex === 0)).toEqual([buttons.at(-1)]);
  });

  it('house: where nothing can be changed nothing is offered', () => {
    drawTools(aTravelScope(null), {
      againFrom: idOf(2),
      covered: { part: { from: idOf(2), through: idOf(3) }, bytes: 1 },
    });
    expect(screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual([
      'Copy message',
      'Copy link',
    ]);
  });
});

describe('a refusal whose place leaves the page (ux 15)', () => {
  const moved = 'This conversation moved on in another window.';

  it('ux 15: it is told above the composer, with the message it was about', async () => {
    const scope = aTravelScope(aTravel({ revert: async () => refusal }));
    const { unmount } = drawTools(scope);
    await userEvent.click(screen.getByRole('button', { name: 'Go back to here' }));
    unmount();
    expect(scope.tell).toHaveBeenCalledWith(`${moved} ${refusal.message}`, idOf(2));
  });

  it('ux 15: so is one that comes when the message is gone already', async () => {
    const held: { answer: (value: typeof refusal) => void } = { answer: () => undefined };
    const answered = new Promise<typeof refusal>((resolve) => {
      held.answer = resolve;
    });
    const scope = aTravelScope(aTravel({ revert: () => answered }));
    const { unmount } = drawTools(scope);
    await userEvent.click(screen.getByRole('button', { name: 'Go back to here' }));
    unmount();
    expect(scope.tell).not.toHaveBeenCalled();
    held.answer(refusal);
    await waitFor(() => expect(scope.tell).toHaveBeenCalledWith(`${moved} ${refusal.message}`, idOf(2)));
  });
});
