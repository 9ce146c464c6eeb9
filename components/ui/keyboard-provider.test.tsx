import { createEvent, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { parseKeyPreferences } from './key-preferences';
import type { CommandId } from './keyboard-catalogue';
import { commandIds, keyboardCatalogue } from './keyboard-catalogue';
import { KeyboardProvider, useCommand } from './keyboard-provider';

function Listener({
  id,
  onRun,
  inDialog,
}: {
  readonly id: CommandId;
  readonly onRun: () => void;
  readonly inDialog?: boolean;
}) {
  useCommand(id, onRun, { inDialog });
  return null;
}

function page(id: CommandId, options: { readonly dialog?: boolean; readonly inDialog?: boolean } = {}) {
  const run = vi.fn();
  render(
    <KeyboardProvider>
      <Listener id={id} onRun={run} inDialog={options.inDialog} />
      <input aria-label="Title" />
      <button type="button">Elsewhere</button>
      {options.dialog ? <div className="dialog" /> : null}
    </KeyboardProvider>,
  );
  return run;
}

beforeEach(() => localStorage.clear());

describe('the keyboard catalogue', () => {
  it('ux 16: compacting has no chord', () => {
    expect(commandIds.filter((id) => /compact/i.test(keyboardCatalogue[id].action))).toEqual([]);
  });

  it('has no two commands on one key in the same place', () => {
    const seen = commandIds.flatMap((id) =>
      keyboardCatalogue[id].keys.map((key) => `${keyboardCatalogue[id].scope} ${key}`),
    );
    expect(seen.length).toBe(new Set(seen).size);
  });
});

describe('KeyboardProvider', () => {
  it('runs a command, and keeps a single letter out of a text field', () => {
    const run = page('focusComposer');
    fireEvent.keyDown(screen.getByLabelText('Title'), { key: 'c' });
    expect(run).not.toHaveBeenCalled();
    fireEvent.keyDown(screen.getByText('Elsewhere'), { key: 'c' });
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('runs a chord with Ctrl even while somebody types', () => {
    const run = page('palette');
    fireEvent.keyDown(screen.getByLabelText('Title'), { key: 'k', ctrlKey: true });
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('rests under an open dialog, except what belongs to the dialog', () => {
    const under = page('palette', { dialog: true });
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    expect(under).not.toHaveBeenCalled();
    const inside = page('nextChange', { dialog: true, inDialog: true });
    fireEvent.keyDown(document.body, { key: 'n' });
    expect(inside).toHaveBeenCalledTimes(1);
  });

  it('leaves alone what an input method composes and what somebody else handled', () => {
    const run = page('palette');
    fireEvent(document.body, createEvent.keyDown(document.body, { key: 'k', ctrlKey: true, isComposing: true }));
    const handled = createEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    handled.preventDefault();
    fireEvent(document.body, handled);
    expect(run).not.toHaveBeenCalled();
  });

  it('obeys a binding of this device, and the switch that turns single letters off', () => {
    localStorage.setItem('tidemark.keys', JSON.stringify({ singleLetters: false, bindings: { palette: ['Mod+J'] } }));
    const palette = page('palette');
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    fireEvent.keyDown(document.body, { key: 'j', ctrlKey: true });
    expect(palette).toHaveBeenCalledTimes(1);
    const letter = page('focusComposer');
    fireEvent.keyDown(document.body, { key: 'c' });
    expect(letter).not.toHaveBeenCalled();
  });

  it('takes unreadable preferences for none', () => {
    expect(parseKeyPreferences('{"singleLetters":').singleLetters).toBe(true);
    expect(parseKeyPreferences('{"singleLetters":false,"bindings":{"nobody":["K"]}}').bindings).toEqual({});
  });
});
