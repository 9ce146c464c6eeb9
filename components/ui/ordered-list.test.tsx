import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { KeyboardProvider } from './keyboard-provider';
import { LiveRegionProvider } from './live-region';
import { OrderedList } from './ordered-list';
import { ToastProvider } from './toast';

function List({
  onActivate,
  onEmptied,
}: {
  readonly onActivate?: (item: string) => void;
  readonly onEmptied?: () => void;
}) {
  const [items, setItems] = useState<readonly string[]>(['sonnet-x', 'haiku-x', 'qwen-local']);
  return (
    <OrderedList
      label="Models"
      items={items}
      keyOf={(item) => item}
      nameOf={(item) => item}
      sayPlace={(index) => (index === 0 ? 'used first' : '')}
      onChange={setItems}
      onActivate={onActivate}
      onEmptied={onEmptied}
    >
      {(item) => item}
    </OrderedList>
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
    rows().map((row) => ['sonnet-x', 'haiku-x', 'qwen-local'].find((name) => row.textContent?.includes(name)));
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
    rows()[1]?.focus();
    await user.keyboard('{Enter}');
    screen.getByRole('button', { name: 'Move haiku-x up' }).focus();
    await user.keyboard('{Enter}');
    expect(activated.mock.calls).toEqual([['haiku-x']]);
  });
});
