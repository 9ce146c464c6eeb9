import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hearJumps } from '../chat/jump-request';
import { SessionsRail } from './sessions-rail';
import { buildSession } from './testing/build-session';
import { type Asked, renderInPage, serve } from './testing/rail-world';

afterEach(() => vi.unstubAllGlobals());

const harbour = buildSession(1, { title: 'Harbour fees' });
const berths = buildSession(2, { title: 'Berths' });
const archived = buildSession(3, { title: 'Old moorings', archived: true });
const itemId = '01J0000000000000000000000A';
const snippet = 'the <b>anchor</b> of the Harbour';
const at = '2026-11-20T08:00:00.000Z';
const match = { itemId, kind: 'user', at, snippet };

/** Two conversations; a word of one stands in a message of the other, and one more is archived. */
function answer({ path, query }: Asked): unknown {
  if (path === `/agent-sessions/${berths.id}/matches`) {
    const found = query.cursor === '9' ? ['tool', 'summary'] : ['assistant'];
    const matches = found.map((kind) => ({ ...match, kind, snippet: `keel of a ${kind}` }));
    return { matches, more: query.cursor === '9' ? { count: 1, cursor: '4' } : null };
  }
  if (path !== '/agent-sessions') return { agents: [] };
  if (query.archived === 'true') return { sessions: query.q === 'moor' ? [archived] : [], nextCursor: null };
  if (query.q === undefined) return { sessions: [harbour, berths], nextCursor: null };
  if (query.q === 'harbour') return { sessions: [harbour, { ...berths, matches: [match] }], nextCursor: null };
  if (query.q === 'keel') {
    const first = [1, 2, 3].map((n) => ({ ...match, itemId: `${itemId.slice(0, -1)}${n}`, snippet: `keel ${n}` }));
    return { sessions: [{ ...berths, matches: first, moreMatches: { count: 3, cursor: '9' } }], nextCursor: null };
  }
  if (query.q === 'anchor') return { sessions: [{ ...berths, matches: [match] }], nextCursor: null };
  return { sessions: [], nextCursor: null };
}

const field = () => screen.getByRole('searchbox', { name: 'Search conversations' });
/** All at once, so that no pause of a slow machine asks for half a word. */
const enter = (value: string) => {
  field().focus();
  fireEvent.change(field(), { target: { value } });
};
const titles = () =>
  screen.queryAllByRole('link').flatMap((link) => (link.hasAttribute('data-session-link') ? [link.textContent] : []));

describe('the filter box (ux 4)', () => {
  it('X9: shows titles at once, and what was said once typing rests, each match under its row', async () => {
    const asked = serve(answer);
    renderInPage(<SessionsRail />);
    await screen.findByText('Berths');
    enter('harbour');
    expect(titles()).toHaveLength(1);
    expect(asked.some(({ query }) => query.q !== undefined)).toBe(false);
    const matches = within(await screen.findByRole('list', { name: 'Matches in Berths' }));
    expect(titles()).toHaveLength(2);
    const link = matches.getByRole('link');
    expect(link).toHaveTextContent(/^You · 20 November.*: the <b>anchor<\/b> of the Harbour$/);
    expect(link.getAttribute('href')).toBe(`/c/${berths.id}?m=${itemId}`);
    expect([...link.querySelectorAll('b')].map(({ textContent }) => textContent)).toEqual(['Harbour']);
    expect(asked.flatMap(({ query }) => query.q ?? [])).toEqual(['harbour']);
  });

  it('X9: Enter opens the first result: a title as it is, a message at its place', async () => {
    serve(answer);
    const { went } = renderInPage(<SessionsRail />);
    await screen.findByText('Berths');
    enter('harbour');
    await userEvent.type(field(), '{Enter}');
    expect(went).toEqual([`/c/${harbour.id}`]);
    enter('anchor');
    await userEvent.type(field(), '{Enter}');
    await screen.findByRole('list', { name: 'Matches in Berths' });
    await waitFor(() => expect(went.at(-1)).toBe(`/c/${berths.id}?m=${itemId}`));
  });

  it('ux 14: without result the query stands there, archived ones are looked at, or all is cleared', async () => {
    serve(answer);
    renderInPage(<SessionsRail />);
    await screen.findByText('Berths');
    enter('moor');
    expect(screen.queryByText(/Nothing found/)).toBeNull();
    expect(await screen.findByText('Nothing found for “moor”.')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Search archived too' }));
    expect(await screen.findByText('Old moorings')).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Found in the archive, newest first' })).toBeVisible();
    enter('gone');
    // Other words are looked for where one looks otherwise.
    await screen.findByText('Nothing found for “gone”.');
    await userEvent.click(screen.getByRole('button', { name: 'Search archived too' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Search archived too' })).toBeNull());
    await screen.findByText('Nothing found for “gone”.');
    const clear = screen.getAllByRole('button', { name: 'Clear' }).at(-1);
    if (clear) await userEvent.click(clear);
    expect(await screen.findByText('Berths')).toBeVisible();
    expect(field()).toHaveValue('');
  });

  it('X9: arrows walk rows and their matches alike', async () => {
    serve(answer);
    renderInPage(<SessionsRail />);
    await screen.findByText('Berths');
    enter('harbour');
    await screen.findByRole('list', { name: 'Matches in Berths' });
    const texts: (string | null | undefined)[] = [];
    for (let n = 0; n < 3; n += 1) {
      await userEvent.keyboard('{ArrowDown}');
      texts.push(document.activeElement?.textContent);
    }
    expect(texts).toEqual([
      expect.stringContaining('Harbour fees'),
      expect.stringContaining('Berths'),
      expect.stringContaining(snippet),
    ]);
  });

  it('X9: a match in the conversation on the page is gone to there', async () => {
    serve(answer);
    renderInPage(<SessionsRail />, `/c/${berths.id}`);
    const heard: string[] = [];
    const stop = hearJumps((id) => heard.push(id));
    await screen.findByText('Berths');
    enter('anchor');
    const link = within(await screen.findByRole('list', { name: 'Matches in Berths' })).getByRole('link');
    link.addEventListener('click', (event) => event.preventDefault());
    await userEvent.click(link);
    expect(heard).toEqual([itemId]);
    // By Enter in the field too.
    await userEvent.type(field(), '{Enter}');
    stop();
    expect(heard).toEqual([itemId, itemId]);
  });

  it('X9: what is beyond three is counted and read page by page, the focus on the first that came', async () => {
    const asked = serve(answer);
    renderInPage(<SessionsRail />);
    await screen.findByText('Berths');
    enter('keel');
    const matches = within(await screen.findByRole('list', { name: 'Matches in Berths' }));
    expect(screen.getByRole('heading', { name: 'Found, newest first' })).toBeVisible();
    expect(matches.getAllByRole('link')).toHaveLength(3);
    await userEvent.click(matches.getByRole('button', { name: 'And 3 more in Berths' }));
    await waitFor(() => expect(matches.getAllByRole('link')).toHaveLength(5));
    expect(document.activeElement).toHaveTextContent('Tool result');
    await userEvent.click(matches.getByRole('button', { name: 'And 1 more in Berths' }));
    await waitFor(() => expect(matches.getAllByRole('link')).toHaveLength(6));
    expect(document.activeElement).toHaveTextContent('Agent');
    expect(matches.queryByRole('button')).toBeNull();
    expect(asked.flatMap(({ query }) => query.cursor ?? [])).toEqual(['9', '4']);
  });
});
