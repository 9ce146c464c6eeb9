import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { idOf } from '../sync/fold-stream-arbitraries';
import { BranchSwitch } from './branch-switch';
import { aTravel, aTravelScope, refusal } from './testing/a-travel';
import { TravelContext } from './travel-context';

describe('branches (ux 5)', () => {
  const alternatives = { index: 1, ids: [idOf(1), idOf(5), idOf(8)], tips: [idOf(4), idOf(6), idOf(9)] };

  it('L4: arrows go to where each branch was left, and the focus goes along', async () => {
    const travel = aTravel();
    const scope = aTravelScope(travel);
    render(
      <TravelContext value={scope}>
        <BranchSwitch id={idOf(5)} alternatives={alternatives} />
      </TravelContext>,
    );
    expect(screen.getByRole('group', { name: 'Branch 2 of 3' })).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Next branch' }));
    expect(travel.revert).toHaveBeenCalledWith(idOf(9));
    expect(scope.land).toHaveBeenCalledWith({ id: idOf(8), on: 'next' });
    await userEvent.click(screen.getByRole('button', { name: 'Previous branch' }));
    expect(travel.revert).toHaveBeenLastCalledWith(idOf(4));
  });

  it('L4: a refusal is said beside the arrows, and the focus stays', async () => {
    const scope = aTravelScope(aTravel({ revert: async () => refusal }));
    render(
      <TravelContext value={scope}>
        <BranchSwitch id={idOf(5)} alternatives={alternatives} />
      </TravelContext>,
    );
    await userEvent.click(screen.getByRole('button', { name: 'Next branch' }));
    expect(screen.getByRole('group').textContent).toContain(refusal.message);
    expect(scope.land).not.toHaveBeenCalled();
  });

  it('ux 5: where there is no further branch, and while something runs, an arrow says why and asks for nothing', async () => {
    const travel = aTravel();
    const { rerender } = render(
      <TravelContext value={aTravelScope(travel)}>
        <BranchSwitch id={idOf(1)} alternatives={{ ...alternatives, index: 0 }} />
      </TravelContext>,
    );
    await userEvent.click(screen.getByRole('button', { name: 'Previous branch: there is none' }));
    rerender(
      <TravelContext value={aTravelScope(travel, { blocked: refusal.message })}>
        <BranchSwitch id={idOf(5)} alternatives={alternatives} />
      </TravelContext>,
    );
    await userEvent.click(screen.getByRole('button', { name: `Next branch: ${refusal.message}` }));
    expect(screen.getByRole('group').textContent).toContain(refusal.message);
    expect(travel.revert).not.toHaveBeenCalled();
  });

  it('house: where nothing can be changed the number stands without arrows', () => {
    render(
      <TravelContext value={aTravelScope(null)}>
        <BranchSwitch id={idOf(5)} alternatives={alternatives} />
      </TravelContext>,
    );
    expect(screen.getByRole('group').textContent).toBe('2 of 3');
    expect(screen.queryByRole('button')).toBeNull();
  });
});
