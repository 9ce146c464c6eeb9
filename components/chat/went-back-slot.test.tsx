import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { Session } from '@/server/contract/session';
import { idOf, reply, userMessage } from '../sync/fold-stream-arbitraries';
import { aSession } from '../sync/testing/a-session';
import type { TravelActions } from '../sync/travel-actions';
import { aTravel, aTravelScope, refusal } from './testing/a-travel';
import { TravelContext } from './travel-context';
import { findWentBack, WentBackSlot } from './went-back-slot';

const at = '2026-11-20T08:00:00.000Z';
const undoable = { what: 'revert', itemId: idOf(7), tip: idOf(8), items: 2, at } as const;
const left = { at, itemId: idOf(7), items: 2, tip: idOf(8), by: 'back' } as const;
const asked = userMessage(1, { left: [left] });
const find = (of: Session['undoable'], messages = [asked], tips: readonly string[] = []) =>
  findWentBack({ undoable: of }, messages, new Set(tips));

describe('whether a person has just gone back (L4)', () => {
  it('L4: only while the conversation ends where the revert went, with the newest of what was left', () => {
    expect(find(undoable)).toEqual({ items: 2, itemId: idOf(7), unanswered: true });
    // Before the first message nothing is left to say it at.
    expect(find(undoable, [])).toEqual({ items: 2, itemId: idOf(7), unanswered: false });
    expect(findWentBack({ undoable }, [asked, reply(2, 'On.')], new Set())).toBeNull();
    // A message that waits was not said yet.
    expect(find(undoable, [asked, userMessage(9, { queued: true })])).not.toBeNull();
  });

  it('L4: not for a summary, nor where nothing was left, nor where an arrow leads there', () => {
    expect(find(null)).toBeNull();
    expect(find({ ...undoable, what: 'compaction' })).toBeNull();
    expect(find({ ...undoable, items: 0 })).toBeNull();
    expect(find(undoable, [asked], [idOf(8)])).toBeNull();
  });
});

describe('the way back (L4)', () => {
  const back = { items: 2, itemId: idOf(7), unanswered: false };
  const draw = (scope: ReturnType<typeof aTravelScope>) =>
    render(
      <TravelContext value={scope}>
        <WentBackSlot back={back} />
      </TravelContext>,
    );
  const press = () => screen.getByRole('button', { name: 'Return' });

  it('L4: pressed twice it undoes one thing, and the focus goes to what was left', async () => {
    const held: { answer: () => void } = { answer: () => undefined };
    const rollback = vi.fn<TravelActions['rollback']>(
      () =>
        new Promise((resolve) => {
          held.answer = () => resolve({ ok: true, value: aSession() });
        }),
    );
    const scope = aTravelScope(aTravel({ rollback }));
    draw(scope);
    await userEvent.dblClick(press());
    expect(press().getAttribute('aria-disabled')).toBe('true');
    held.answer();
    await waitFor(() => expect(scope.land).toHaveBeenCalledWith({ id: idOf(7), on: 'message' }));
    expect(rollback).toHaveBeenCalledOnce();
  });

  it('L4: a refusal is said in place, whoever gives it, and it can be tried again', async () => {
    const travel = aTravel({ rollback: vi.fn(async () => refusal) });
    const { unmount } = draw(aTravelScope(travel));
    await userEvent.click(press());
    expect(screen.getByRole('alert').textContent).toBe(refusal.message);
    await userEvent.click(press());
    expect(travel.rollback).toHaveBeenCalledTimes(2);
    unmount();
    draw(aTravelScope(travel, { blocked: 'A compaction runs.' }));
    await userEvent.click(press());
    expect(screen.getByRole('alert').textContent).toBe('A compaction runs.');
    expect(travel.rollback).toHaveBeenCalledTimes(2);
  });
});
