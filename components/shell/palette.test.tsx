import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderInPage, serve } from '../sessions/testing/rail-world';
import { Palette } from './palette';
import type { PageCommand } from './shell-context';

afterEach(() => vi.unstubAllGlobals());

function open(offered: readonly PageCommand[]) {
  serve(({ path }) => {
    if (path === '/agents') return { agents: [] };
    return path === '/skills' ? { skills: [] } : { sessions: [], nextCursor: null };
  });
  const onClose = vi.fn();
  const page = renderInPage(<Palette open onClose={onClose} readOffered={() => offered} />);
  return { ...page, onClose };
}

const field = () => screen.getByRole('combobox', { name: 'Go to' });
const options = () => within(screen.getByRole('listbox')).queryAllByRole('option');

describe('the palette (ux 10)', () => {
  it('L4: offers what the conversation on the page can do, by its words and by others, and does it on Enter', async () => {
    const back = vi.fn();
    const offered = [
      { key: 'undo', text: 'Return to where you were', words: 'undo rollback return', run: back },
      { key: 'branch', text: 'Go on from here in a new conversation', words: 'branch fork', run: () => undefined },
    ];
    const { onClose } = open(offered);
    expect(within(screen.getByRole('group', { name: 'This conversation' })).getAllByRole('option')).toHaveLength(2);
    await userEvent.type(field(), 'fork');
    expect(options()[0]).toHaveTextContent('Go on from here in a new conversation');
    await userEvent.clear(field());
    await userEvent.type(field(), 'return{Enter}');
    expect(back).toHaveBeenCalledOnce();
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('ux 10: without a conversation there is nothing of one; settings are gone to', async () => {
    const { went } = open([]);
    expect(screen.queryByRole('group', { name: 'This conversation' })).toBeNull();
    await userEvent.type(field(), 'appear{Enter}');
    expect(went).toEqual(['/settings/appearance']);
  });

  it('ux 14: what nobody is called by is said', async () => {
    open([]);
    await userEvent.type(field(), 'zzzz');
    expect(await screen.findByText('Nothing by that name.')).toBeVisible();
    expect(options()).toHaveLength(0);
  });
});
