import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { idOf, userMessage } from '../sync/fold-stream-arbitraries';
import type { TravelActions } from '../sync/travel-actions';
import { ChatContext, type ChatScope } from './chat-context';
import { MessageEditor } from './message-editor';
import { aTravel, aTravelScope, refusal } from './testing/a-travel';
import { TravelContext, type TravelScope } from './travel-context';

const aChat: ChatScope = {
  sessionId: idOf(99),
  actions: null,
  compact: () => undefined,
  jumpTo: () => undefined,
  openModelPicker: () => undefined,
  putInComposer: () => undefined,
  openDesk: () => undefined,
};

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
    const done = draw(aTravelScope(travel, { pointBefore: async () => null }));
    await userEvent.keyboard(' again{Enter}');
    expect(travel.edit).toHaveBeenCalledWith(expect.objectContaining({ text: 'question 1 again', after: null }));
    expect(done).toHaveBeenCalled();
  });

  it('L4, L5: it goes where the server says the old one came after, and nothing is looked for', async () => {
    for (const follows of [idOf(3), null]) {
      const travel = aTravel();
      const pointBefore = vi.fn(async () => undefined);
      const { unmount } = render(
        <TravelContext value={aTravelScope(travel, { pointBefore })}>
          <MessageEditor message={userMessage(1, { follows })} text="question 1" onDone={() => undefined} />
        </TravelContext>,
      );
      await userEvent.keyboard('{Enter}');
      expect(travel.edit).toHaveBeenCalledWith(expect.objectContaining({ after: follows }));
      expect(pointBefore).not.toHaveBeenCalled();
      unmount();
    }
  });

  it('L7: words that were refused stay, and a second try carries the same id', async () => {
    const edit = vi.fn<TravelActions['edit']>(async () => refusal);
    const done = draw(aTravelScope(aTravel({ edit })));
    await userEvent.keyboard('{Enter}');
    expect(screen.getByRole('alert').textContent).toBe(refusal.message);
    await userEvent.keyboard('{Enter}');
    const ids = edit.mock.calls.map(([body]) => body.clientMessageId);
    expect(ids[0]).toBe(ids[1]);
    expect(screen.getByRole('textbox')).toHaveProperty('value', 'question 1');
    expect(done).not.toHaveBeenCalled();
  });

  it('L4: while a reply runs it asks for nothing and says why', async () => {
    const travel = aTravel();
    draw(aTravelScope(travel, { blocked: refusal.message }));
    await userEvent.keyboard('{Enter}');
    expect(travel.edit).not.toHaveBeenCalled();
    expect(screen.getByRole('alert').textContent).toBe(refusal.message);
  });

  it('ux 15: words of an edit that were not sent go to the composer; those that were let go do not', async () => {
    const scope = aTravelScope(aTravel());
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
