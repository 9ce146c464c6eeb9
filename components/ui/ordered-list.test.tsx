import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { KeyboardProvider } from './keyboard-provider';
import { LiveRegionProvider } from './live-region';
import { OrderedList } from './ordered-list';
import { ToastProvider } from './toast';
import { useListChanges } from './use-list-changes';

const same = (item: string) => item;

function List({
  onActivate,
  onEmptied,
}: {
  readonly onActivate?: (item: string) => void;
  readonly onEmptied?: () => void;
}) {
  const [items, setItems] = useState<readonly string[]>(['sonnet-x', 'haiku-x', 'qwen-local']);
  const changes = useListChanges({ items, keyOf: same, nameOf: same, onChange: setItems });
  return (
    <>
      {items.length === 0 ? null : (
        <OrderedList
          label="Models"
          changes={changes}
          sayPlace={(index) => (index === 0 ? 'used first' : '')}
          onActivate={onActivate}
          onEmptied={onEmptied}
        >
          {(item) => item}
        </OrderedList>
      )}
      <button type="button" onClick={() => changes.change([...items, 'gpt-x'], 'gpt-x added.')}>
        Add
      </button>
      <button type="button" onClick={() => setItems(['theirs'])}>
        Another window
      </button>
    </>
  );
}

function open(props: Parameters<typeof List>[0] = {}) {
  render(
    <KeyboardProvider>
      <LiveRegionProvider>
        <ToastProvider>
          <List {...props} />
        </ToastProvider>
      </LiveRegionProvider>
    </KeyboardProvider>,
  );
  const rows = () => within(screen.getByRole('list', { name: 'Models' })).getAllByRole('listitem');
  const names = () =>
    rows().map((row) => ['sonnet-x', 'haiku-x', 'qwen-local', 'gpt-x'].find((name) => row.textContent?.includes(name)));
  const focused = () => names()[rows().findIndex((row) => row.matches(':focus'))];
  return { rows, names, focused, user: userEvent.setup() };
}

describe('OrderedList (ux 12, S1)', () => {
  it('moves a row by Alt and arrows, keeps the focus on it and says its new place', async () => {
    const { rows, names, focused, user } = open();
    rows()[1]?.focus();
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
    expect(names()).toEqual(['haiku-x', 'sonnet-x', 'qwen-local']);
    expect(focused()).toBe('haiku-x');
    expect(screen.getByRole('status')).toHaveTextContent('haiku-x, now 1 of 3, used first');
  });

  it('moves by the buttons alike; the first row has a disabled Up, not a missing one', async () => {
    const { names, user } = open();
    expect(screen.getByRole('button', { name: 'Move sonnet-x up' })).toBeDisabled();
    await user.click(screen.getByRole('button', { name: 'Move sonnet-x down' }));
    expect(names()).toEqual(['haiku-x', 'sonnet-x', 'qwen-local']);
  });

  it('keeps the focus where the move came from, though the browser drops it from a moved element', async () => {
    const { rows, focused, user } = open();
    rows()[0]?.focus();
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
    expect(focused()).toBe('sonnet-x');
    await user.click(screen.getByRole('button', { name: 'Move haiku-x down' }));
    expect(screen.getByRole('button', { name: 'Move haiku-x down' })).toHaveFocus();
    await user.click(screen.getByRole('button', { name: 'Move haiku-x down' }));
    expect(focused()).toBe('haiku-x');
  });

  it('removes by Delete, gives the focus to the next row, and takes it back by Ctrl+Z', async () => {
    const { rows, names, focused, user } = open();
    rows()[2]?.focus();
    await user.keyboard('{Delete}');
    expect(names()).toEqual(['sonnet-x', 'haiku-x']);
    expect(focused()).toBe('haiku-x');
    await user.keyboard('{Control>}z{/Control}');
    expect(names()).toEqual(['sonnet-x', 'haiku-x', 'qwen-local']);
  });

  it('offers each change back in a toast', async () => {
    const { names, user } = open();
    await user.click(screen.getByRole('button', { name: 'Remove haiku-x' }));
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(names()).toEqual(['sonnet-x', 'haiku-x', 'qwen-local']);
  });

  it('activates a row by Enter, and only when the row itself has the focus', async () => {
    const activated = vi.fn();
    const { rows, user } = open({ onActivate: activated });
    const second = rows()[1];
    second?.focus();
    await user.keyboard('{Enter}');
    screen.getByRole('button', { name: 'Move haiku-x up' }).focus();
    await user.keyboard('{Enter}');
    expect(activated.mock.calls.map(([item]) => item)).toEqual(['haiku-x']);
    expect(activated.mock.calls[0]?.[1]).toBe(second);
  });

  it('S1: is one tab stop, the row that was last there; its buttons follow, those of other rows do not', async () => {
    const { rows, focused, user } = open();
    await user.tab();
    expect(focused()).toBe('sonnet-x');
    await user.keyboard('{End}');
    expect(focused()).toBe('qwen-local');
    await user.tab();
    expect(screen.getByRole('button', { name: 'Move qwen-local up' })).toHaveFocus();
    await user.tab();
    expect(screen.getByRole('button', { name: 'Remove qwen-local' })).toHaveFocus();
    await user.tab();
    expect(screen.getByRole('button', { name: 'Add' })).toHaveFocus();
    await user.tab({ shift: true });
    await user.tab({ shift: true });
    await user.tab({ shift: true });
    expect(focused()).toBe('qwen-local');
    expect(rows().map((row) => row.tabIndex)).toEqual([-1, -1, 0]);
  });

  it('S1: Alt+Home and Alt+End move to the ends, Home and End only look', async () => {
    const { rows, names, focused, user } = open();
    rows()[1]?.focus();
    await user.keyboard('{Home}');
    expect(focused()).toBe('sonnet-x');
    await user.keyboard('{Alt>}{End}{/Alt}');
    expect(names()).toEqual(['haiku-x', 'qwen-local', 'sonnet-x']);
    await user.keyboard('{Alt>}{Home}{/Alt}');
    expect(names()).toEqual(['sonnet-x', 'haiku-x', 'qwen-local']);
    expect(focused()).toBe('sonnet-x');
  });

  it('S1: the last removal gives the focus to whoever the owner names; an undo brings the list and the focus back', async () => {
    const emptied = vi.fn();
    const { rows, focused, user } = open({ onEmptied: emptied });
    rows()[0]?.focus();
    await user.keyboard('{Delete}{Delete}{Delete}');
    expect(emptied).toHaveBeenCalledOnce();
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(focused()).toBe('qwen-local');
    expect(screen.getByRole('status')).toHaveTextContent('Undone, qwen-local is back');
  });

  it('ux 12: every change has its undo, those made beside the list too', async () => {
    const { rows, names, user } = open();
    await user.click(screen.getByRole('button', { name: 'Add' }));
    expect(names()).toContain('gpt-x');
    rows()[0]?.focus();
    await user.keyboard('{Control>}z{/Control}');
    expect(names()).toEqual(['sonnet-x', 'haiku-x', 'qwen-local']);
  });

  it('ux 12: an undo never writes over what another window has made of the list', async () => {
    const { rows, user } = open();
    await user.click(screen.getByRole('button', { name: 'Move haiku-x up' }));
    await user.click(screen.getByRole('button', { name: 'Another window' }));
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(rows()).toHaveLength(1);
    expect(screen.getByRole('status')).toHaveTextContent('Nothing was undone: the list has changed since.');
  });
});
