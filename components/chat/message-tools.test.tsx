import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { idOf, userMessage } from '../sync/fold-stream-arbitraries';
import { aSession } from '../sync/testing/a-session';
import type { TravelActions } from '../sync/travel-actions';
import { LiveRegionProvider } from '../ui/live-region';
import { BranchSwitch } from './branch-switch';
import { ChatContext, type ChatScope } from './chat-context';
import { Crossroads } from './crossroads';
import { MessageEditor } from './message-editor';
import { MessageTools } from './message-tools';
import { TravelContext, type TravelScope } from './travel-context';

const yes = { ok: true, value: aSession() } as const;
const no = { ok: false, message: 'A reply runs. Stop it, or wait for its end.' } as const;
const changed = {
  ok: true,
  value: { ...aSession(), change: { beforeBytes: 62_000, afterBytes: 65_000, from: idOf(44) } },
} as const;

function aTravel(changes: Partial<TravelActions> = {}): TravelActions {
  return {
    revert: vi.fn(async () => yes),
    rollback: vi.fn(async () => yes),
    tryAgain: vi.fn(async () => ({ ...yes, moved: true })),
    edit: vi.fn(async () => ({ ok: true, value: idOf(9) }) as const),
    fork: vi.fn(async () => yes),
    previewUndo: vi.fn(async () => changed),
    undoSummary: vi.fn(async () => changed),
    expand: vi.fn(async () => changed),
    fold: vi.fn(async () => changed),
    undoTrim: vi.fn(async () => changed),
    ...changes,
  };
}

function aScope(travel: TravelActions | null, changes: Partial<TravelScope> = {}): TravelScope {
  return {
    travel,
    blocked: null,
    context: aSession().context,
    parent: null,
    inForce: idOf(50),
    countNewer: () => 0,
    tips: new Set(),
    shownAgain: { ids: new Set(), parts: 0 },
    pointBefore: async () => idOf(1),
    newestPoint: () => idOf(4),
    lastItemOf: (id) => id,
    branchFrom: vi.fn(async () => null),
    land: vi.fn(),
    endAt: vi.fn(),
    tell: vi.fn(),
    ...changes,
  };
}

/** At the message, and spoken by the region of the page. */
function saidAt(text: string | RegExp): boolean {
  const spoken = within(screen.getByRole('status')).queryAllByText(text).length;
  return spoken > 0 && screen.getAllByText(text).length === spoken + 1;
}

const aChat: ChatScope = {
  sessionId: idOf(99),
  actions: null,
  compact: () => undefined,
  jumpTo: () => undefined,
  openModelPicker: () => undefined,
  putInComposer: () => undefined,
  openDesk: () => undefined,
};

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
    drawTools(aScope(travel, { blocked: no.message }), { againFrom: idOf(2) });
    const button = screen.getByRole('button', { name: `Go back to here: ${no.message}` });
    expect(button.getAttribute('aria-disabled')).toBe('true');
    await userEvent.click(button);
    await userEvent.click(screen.getByRole('button', { name: `Try again: ${no.message}` }));
    expect(saidAt(no.message)).toBe(true);
    expect(travel.revert).not.toHaveBeenCalled();
    expect(travel.tryAgain).not.toHaveBeenCalled();
    // A branch takes nothing away from what runs.
    expect(screen.getByRole('button', { name: 'Branch from here' }).getAttribute('aria-disabled')).toBe('false');
  });

  it('L4: what the server refuses is said at the message', async () => {
    const travel = aTravel({ revert: async () => no });
    drawTools(aScope(travel));
    await userEvent.click(screen.getByRole('button', { name: 'Go back to here' }));
    expect(saidAt(no.message)).toBe(true);
  });

  it('L4: try again goes to the point before the reply; a refusal after the head moved is told where it is still seen', async () => {
    const travel = aTravel({
      tryAgain: vi.fn(async () => ({ ok: false, message: 'No model.', moved: true }) as const),
    });
    const scope = aScope(travel);
    drawTools(scope, { againFrom: idOf(2) });
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(travel.tryAgain).toHaveBeenCalledWith(idOf(1));
    expect(scope.tell).toHaveBeenLastCalledWith('No model.');
  });

  it('X5: a covered part goes back into the view and says the sizes before and after', async () => {
    const travel = aTravel();
    const part = { from: idOf(2), through: idOf(3) };
    drawTools(aScope(travel), { covered: { part, bytes: 3_000 } });
    await userEvent.click(screen.getByRole('button', { name: /Put this part back into the model’s view \(3/ }));
    expect(travel.expand).toHaveBeenCalledWith(idOf(50), part);
    expect(saidAt(/was 62.*is now 65.* of 400/)).toBe(true);
  });

  it('ux 5: the bar is one tab stop, and arrows reach every button', async () => {
    drawTools(aScope(aTravel()));
    const buttons = screen.getAllByRole('button');
    expect(buttons.filter((button) => button.tabIndex === 0)).toHaveLength(1);
    await userEvent.tab();
    await userEvent.keyboard('{ArrowLeft}');
    expect(document.activeElement).toBe(buttons.at(-1));
    expect(buttons.filter((button) => button.tabIndex === 0)).toEqual([buttons.at(-1)]);
  });

  it('house: where nothing can be changed nothing is offered', () => {
    drawTools(aScope(null), { againFrom: idOf(2), covered: { part: { from: idOf(2), through: idOf(3) }, bytes: 1 } });
    expect(screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual([
      'Copy message',
      'Copy link',
    ]);
  });
});

describe('a refusal whose place leaves the page (ux 15)', () => {
  const moved = 'This conversation moved on in another window.';

  it('ux 15: it is told above the composer, with the message it was about', async () => {
    const scope = aScope(aTravel({ revert: async () => no }));
    const { unmount } = drawTools(scope);
    await userEvent.click(screen.getByRole('button', { name: 'Go back to here' }));
    unmount();
    expect(scope.tell).toHaveBeenCalledWith(`${moved} ${no.message}`, idOf(2));
  });

  it('ux 15: so is one that comes when the message is gone already', async () => {
    const held: { answer: (value: typeof no) => void } = { answer: () => undefined };
    const answered = new Promise<typeof no>((resolve) => {
      held.answer = resolve;
    });
    const scope = aScope(aTravel({ revert: () => answered }));
    const { unmount } = drawTools(scope);
    await userEvent.click(screen.getByRole('button', { name: 'Go back to here' }));
    unmount();
    expect(scope.tell).not.toHaveBeenCalled();
    held.answer(no);
    await vi.waitFor(() => expect(scope.tell).toHaveBeenCalledWith(`${moved} ${no.message}`, idOf(2)));
  });

  it('ux 15: words of an edit that were not sent go to the composer; those that were let go do not', async () => {
    const scope = aScope(aTravel());
    const putInComposer = vi.fn();
    const draw = () =>
      render(
        <ChatContext value={{ ...aChat, putInComposer }}>
          <TravelContext value={scope}>
            <MessageEditor message={userMessage(1)} text="question 1" onDone={() => undefined} />
          </TravelContext>
        </ChatContext>,
      );
    const first = draw();
    await userEvent.keyboard(' again');
    first.unmount();
    expect(putInComposer).toHaveBeenCalledExactlyOnceWith('question 1 again');
    const told = 'The message you were editing is not shown any more. Your words are in the composer.';
    expect(scope.tell).toHaveBeenCalledExactlyOnceWith(told, idOf(1));
    const second = draw();
    await userEvent.keyboard(' a third time{Escape}');
    second.unmount();
    draw().unmount();
    expect(putInComposer).toHaveBeenCalledTimes(1);
  });
});

describe('where a conversation went back (L4)', () => {
  const leftBy = (by: 'back' | 'edit') => ({
    at: '2026-11-20T08:00:00.000Z',
    itemId: idOf(7),
    items: 2,
    tip: idOf(8),
    by,
  });
  const draw = (by: 'back' | 'edit', scope: TravelScope) =>
    render(
      <TravelContext value={scope}>
        <Crossroads messages={[userMessage(1, { left: [leftBy(by)] })]} />
      </TravelContext>,
    );

  it('L4: it is told for good, and leads back to the line at which the rest was left', async () => {
    const travel = aTravel();
    const scope = aScope(travel, { tips: new Set([idOf(8)]) });
    draw('back', scope);
    expect(screen.getByRole('listitem').textContent).toMatch(
      /^You went back to here at .*; 2 messages are kept\. Return to them$/,
    );
    await userEvent.click(screen.getByRole('button', { name: 'Return to them' }));
    expect(travel.revert).toHaveBeenCalledWith(idOf(8));
    expect(scope.land).toHaveBeenCalledWith({ id: idOf(7), on: 'message' });
  });

  it('ux 5: what an edit left needs no line where arrows lead to it, and has one where none does', () => {
    draw('edit', aScope(aTravel(), { tips: new Set([idOf(8)]) }));
    expect(screen.queryByRole('listitem')).toBeNull();
    draw('edit', aScope(aTravel()));
    expect(screen.getByRole('listitem')).toBeDefined();
  });
});

describe('branches (ux 5)', () => {
  const alternatives = { index: 1, ids: [idOf(1), idOf(5), idOf(8)], tips: [idOf(4), idOf(6), idOf(9)] };

  it('L4: arrows go to where each branch was left, and the focus goes along', async () => {
    const travel = aTravel();
    const scope = aScope(travel);
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
    const scope = aScope(aTravel({ revert: async () => no }));
    render(
      <TravelContext value={scope}>
        <BranchSwitch id={idOf(5)} alternatives={alternatives} />
      </TravelContext>,
    );
    await userEvent.click(screen.getByRole('button', { name: 'Next branch' }));
    expect(screen.getByRole('group').textContent).toContain(no.message);
    expect(scope.land).not.toHaveBeenCalled();
  });
});

describe('an earlier message in other words (contract 17)', () => {
  const draw = (scope: TravelScope, onDone = vi.fn()) => {
    render(
      <TravelContext value={scope}>
        <MessageEditor message={userMessage(1)} text="question 1" onDone={onDone} />
      </TravelContext>,
    );
    return onDone;
  };

  it('L4: the very first one goes before the first item', async () => {
    const travel = aTravel();
    const done = draw(aScope(travel, { pointBefore: async () => null }));
    await userEvent.keyboard(' again{Enter}');
    expect(travel.edit).toHaveBeenCalledWith(expect.objectContaining({ text: 'question 1 again', after: null }));
    expect(done).toHaveBeenCalled();
  });

  it('L7: words that were refused stay, and a second try carries the same id', async () => {
    const edit = vi.fn<TravelActions['edit']>(async () => no);
    const done = draw(aScope(aTravel({ edit })));
    await userEvent.keyboard('{Enter}');
    expect(screen.getByRole('alert').textContent).toBe(no.message);
    await userEvent.keyboard('{Enter}');
    const ids = edit.mock.calls.map(([body]) => body.clientMessageId);
    expect(ids[0]).toBe(ids[1]);
    expect(screen.getByRole('textbox')).toHaveProperty('value', 'question 1');
    expect(done).not.toHaveBeenCalled();
  });

  it('L4: while a reply runs it asks for nothing and says why', async () => {
    const travel = aTravel();
    draw(aScope(travel, { blocked: no.message }));
    await userEvent.keyboard('{Enter}');
    expect(travel.edit).not.toHaveBeenCalled();
    expect(screen.getByRole('alert').textContent).toBe(no.message);
  });
});
