import { fireEvent, screen, within } from '@testing-library/react';
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

/** Two conversations; a word of one stands in a message of the other, and one more is archived. */
function answer({ path, query }: Asked): unknown {
  if (path !== '/agent-sessions') return { agents: [] };
  if (query.archived === 'true') return { sessions: query.q === 'moor' ? [archived] : [], nextCursor: null };
  if (query.q === undefined) return { sessions: [harbour, berths], nextCursor: null };
  if (query.q === 'harbour')
    return { sessions: [harbour, { ...berths, matches: [{ itemId, snippet }] }], nextCursor: null };
  if (query.q === 'anchor') return { sessions: [{ ...berths, matches: [{ itemId, snippet }] }], nextCursor: null };
  return { sessions: [], nextCursor: null };
}

const field = () => screen.getByRole('searchbox', { name: 'Filter conversations' });
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
    const match = matches.getByRole('link');
    expect(match.textContent).toBe(snippet);
    expect(match.getAttribute('href')).toBe(`/c/${berths.id}?m=${itemId}`);
    expect([...match.querySelectorAll('b')].map(({ textContent }) => textContent)).toEqual(['Harbour']);
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
    await vi.waitFor(() => expect(went.at(-1)).toBe(`/c/${berths.id}?m=${itemId}`));
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
    enter('gone');
    await screen.findByText('Nothing found for “gone”.');
    expect(screen.queryByRole('button', { name: 'Search archived too' })).toBeNull();
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
    expect(texts).toEqual([expect.stringContaining('Harbour fees'), expect.stringContaining('Berths'), snippet]);
  });

  it('X9: a match in the conversation on the page is gone to there', async () => {
    serve(answer);
    renderInPage(<SessionsRail />, `/c/${berths.id}`);
    const heard: string[] = [];
    const stop = hearJumps((id) => heard.push(id));
    await screen.findByText('Berths');
    enter('anchor');
    const match = within(await screen.findByRole('list', { name: 'Matches in Berths' })).getByRole('link');
    match.addEventListener('click', (event) => event.preventDefault());
    await userEvent.click(match);
    stop();
    expect(heard).toEqual([itemId]);
  });
});
