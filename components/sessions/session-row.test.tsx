import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { aSession } from '../sync/testing/a-session';
import { ToastProvider } from '../ui/toast';
import { SessionsRail } from './sessions-rail';
import { buildSession } from './testing/build-session';
import { type Asked, renderInPage, serve } from './testing/rail-world';

afterEach(() => vi.unstubAllGlobals());

/** Three conversations on a server that remembers what is changed. */
function world() {
  let sessions = ['Anchor', 'Berth', 'Cable'].map((title, n) => buildSession(n + 1, { title, headSeq: 1 }));
  const gone: string[] = [];
  const asked = serve(({ method, path, body }: Asked) => {
    const id = path.split('/')[2] ?? '';
    if (method === 'DELETE') {
      gone.push(id);
      sessions = sessions.filter((one) => one.id !== id);
      return new Response(null, { status: 204 });
    }
    if (method === 'PATCH') {
      sessions = sessions.map((one) => (one.id === id ? { ...one, ...Object(body), headSeq: one.headSeq + 1 } : one));
      return { ...aSession(), ...sessions.find((one) => one.id === id) };
    }
    if (path === '/agent-sessions') return { sessions, nextCursor: null };
    return { agents: [] };
  });
  renderInPage(
    <ToastProvider>
      <SessionsRail />
    </ToastProvider>,
  );
  return { asked, gone };
}

const link = (title: string) => screen.getByRole('link', { name: new RegExp(`^${title}`) });
const focusedTitle = () => /^[A-Z][a-z]+/.exec(document.activeElement?.textContent ?? '')?.[0] ?? null;

describe('a row of the list, by keys and by its menu (ux 4)', () => {
  it('ux 4: a name is given in place; Enter and Escape give the focus back to the row', async () => {
    const { asked } = world();
    (await screen.findByText('Berth')).closest('a')?.focus();
    await userEvent.keyboard('{F2}');
    expect(screen.getByRole('textbox', { name: 'Title' })).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    expect(link('Berth')).toHaveFocus();
    expect(asked.some(({ method }) => method === 'PATCH')).toBe(false);
    await userEvent.keyboard('{F2}');
    await userEvent.clear(screen.getByRole('textbox', { name: 'Title' }));
    await userEvent.type(screen.getByRole('textbox', { name: 'Title' }), 'Bollard{Enter}');
    expect(asked.find(({ method }) => method === 'PATCH')?.body).toEqual({ title: 'Bollard' });
    expect(screen.queryByRole('textbox', { name: 'Title' })).toBeNull();
    expect(document.activeElement?.hasAttribute('data-session-link')).toBe(true);
  });

  it('ux 4: a pinned row is drawn under another heading and keeps the focus', async () => {
    world();
    (await screen.findByText('Berth')).closest('a')?.focus();
    await userEvent.keyboard('p');
    const pinned = await screen.findByRole('region', { name: 'Pinned' });
    expect(within(pinned).getByRole('link')).toHaveTextContent('Berth');
    await waitFor(() => expect(focusedTitle()).toBe('Berth'));
  });

  it('ux 4: a deleted row leaves at once, the focus goes on, and an undo brings both back; nothing was sent', async () => {
    const { gone } = world();
    (await screen.findByText('Berth')).closest('a')?.focus();
    await userEvent.keyboard('{Delete}');
    expect(screen.queryByText('Berth')).toBeNull();
    await waitFor(() => expect(focusedTitle()).toBe('Cable'));
    await userEvent.click(within(screen.getByRole('region', { name: 'Undo' })).getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(focusedTitle()).toBe('Berth'));
    expect(gone).toEqual([]);
  });

  it('ux 4: the last row that leaves gives the focus to the one before, and the only one to the field', async () => {
    world();
    (await screen.findByText('Cable')).closest('a')?.focus();
    await userEvent.keyboard('{Delete}');
    await waitFor(() => expect(focusedTitle()).toBe('Berth'));
    await userEvent.keyboard('{Delete}');
    await waitFor(() => expect(focusedTitle()).toBe('Anchor'));
    await userEvent.keyboard('{Delete}');
    await waitFor(() => expect(screen.getByRole('searchbox')).toHaveFocus());
  });

  it('ux 4: the menu of a row says by name what it does, and does it', async () => {
    world();
    await screen.findByText('Berth');
    await userEvent.click(screen.getByRole('button', { name: 'Actions for Berth' }));
    const names = (await screen.findAllByRole('menuitem')).map((item) => item.textContent);
    expect(names).toEqual(['RenameF2', 'PinP', 'ArchiveE', 'ExportX', 'DeleteDel']);
    await userEvent.click(await screen.findByRole('menuitem', { name: /^Pin/ }));
    expect(await screen.findByRole('region', { name: 'Pinned' })).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Actions for Berth' }));
    expect(await screen.findByRole('menuitem', { name: /^Unpin/ })).toBeVisible();
    await userEvent.click(await screen.findByRole('menuitem', { name: /^Delete/ }));
    expect(screen.queryByText('Berth')).toBeNull();
    await waitFor(() => expect(document.activeElement?.hasAttribute('data-session-link')).toBe(true));
  });
});
