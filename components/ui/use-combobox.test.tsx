import { createEvent, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { rankItems } from './combobox-match';
import { useCombobox } from './use-combobox';

type Item = { readonly name: string; readonly reason?: string };

const items: readonly Item[] = [
  { name: 'compact' },
  { name: 'context' },
  { name: 'rename', reason: 'not while replying' },
];

type Props = { readonly onChoose: (name: string, how: string) => void; readonly tabCompletes?: boolean };

function Menu({ onChoose, tabCompletes }: Props) {
  const [text, setText] = useState('');
  const [open, setOpen] = useState(true);
  const found = rankItems(items, text, { textsOf: (item) => [item.name] }).map(({ item }) => item);
  const combobox = useCombobox({
    open,
    items: found,
    keyOf: (item) => item.name,
    reasonOf: (item) => item.reason ?? null,
    onChoose: (item, how) => onChoose(item.name, how),
    onClose: () => setOpen(false),
    tabCompletes,
  });
  return (
    <>
      <input
        aria-label="Command"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={combobox.onKeyDown}
        {...combobox.inputProps}
      />
      {open ? (
        <div {...combobox.listProps}>
          {found.map((item) => (
            <div key={item.name} {...combobox.optionProps(item)}>
              {item.name}
            </div>
          ))}
        </div>
      ) : null}
    </>
  );
}

function open(tabCompletes = false) {
  const chosen = vi.fn();
  render(<Menu onChoose={chosen} tabCompletes={tabCompletes} />);
  const field = screen.getByRole('combobox');
  field.focus();
  const active = () => document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent ?? null;
  return { chosen, field, active, user: userEvent.setup() };
}

describe('useCombobox (ux 10)', () => {
  it('highlights the first row and wraps at both ends, the focus staying in the field', async () => {
    const { active, user, field } = open();
    expect(active()).toBe('compact');
    await user.keyboard('{ArrowUp}');
    expect(active()).toBe('rename');
    await user.keyboard('{ArrowDown}{ArrowDown}');
    expect(active()).toBe('context');
    expect(document.activeElement).toBe(field);
  });

  it('highlights the first row again when the highlighted one is filtered away', async () => {
    const { active, user } = open();
    await user.keyboard('{ArrowDown}');
    await user.keyboard('com');
    expect(active()).toBe('compact');
    await user.keyboard('zzz');
    expect(active()).toBeNull();
  });

  it('chooses by Enter and by click alike, and never a row that has a reason against it', async () => {
    const { chosen, user } = open();
    await user.keyboard('{Enter}');
    await user.click(screen.getByText('context'));
    await user.click(screen.getByText('rename'));
    expect(chosen.mock.calls).toEqual([
      ['compact', 'enter'],
      ['context', 'click'],
    ]);
  });

  it('completes by Tab where that is wanted, and lets Tab leave elsewhere', async () => {
    const { chosen, user } = open(true);
    await user.keyboard('{Tab}');
    expect(chosen.mock.calls).toEqual([['compact', 'tab']]);
  });

  it('closes by Escape and keeps the text', async () => {
    const { user, field } = open();
    await user.keyboard('co{Escape}');
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(field).toHaveValue('co');
  });

  it('ux 17.16: Enter of a composing input method chooses nothing', () => {
    const { chosen, field } = open();
    fireEvent(field, createEvent.keyDown(field, { key: 'Enter', isComposing: true }));
    expect(chosen).not.toHaveBeenCalled();
  });
});
