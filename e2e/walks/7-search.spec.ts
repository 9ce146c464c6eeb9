import { createGate } from '../../server/model/testing/script';
import { expect, test } from '../fixtures';
import { axeFinds } from '../verbs/axe-finds';

/** Walk 7: find any word of any conversation, go to where it stands; put a conversation away and take it back. */

test('X9: a word inside a covered tool result is found, with its place, and the match leads there', async ({
  page,
  chat,
  picture,
}) => {
  const id = await chat.begin();
  await chat.say('open docs/glossary.md');
  await chat.say('And now about the covered xylophone');
  await chat.compactBySlash();
  await expect(page.getByRole('button', { name: '1 summary' })).toBeVisible();
  await chat.settled();
  await page.goto('/');

  // The composer of a new conversation has the focus; the key counts where no field has it.
  const composer = page.getByRole('textbox', { name: /^Message/ });
  await expect(composer).toBeFocused();
  await composer.blur();
  await page.keyboard.press('/');
  const filter = page.getByRole('searchbox', { name: 'Search conversations' });
  await expect(filter).toBeFocused();
  await filter.fill('XYLOPH');
  const matches = page.getByRole('list', { name: /^Matches in / });
  await expect(matches.getByRole('link').last()).toContainText('covered xylophone');
  await picture('found');
  await matches.getByRole('link').last().click();
  await page.waitForURL(new RegExp(`/c/${id}\\?m=\\w+$`));
  const message = chat.transcript.getByRole('article', { name: 'You said' }).filter({ hasText: 'xylophone' });
  await expect(message).toBeVisible();
  await expect(message).toBeInViewport();
  await picture('jumped-to-a-covered-message');

  // The same conversation stays on the page; another match of it is gone to all the same.
  await filter.fill('glossary');
  const result = matches.getByRole('link').last();
  await expect(result).toContainText(/glossary/i);
  await result.click();
  await expect(chat.transcript.getByText('a place for one boat')).toBeInViewport();
});

test('X9, case-C07: what a revert left is found too, told with where it stands, and Enter goes there', async ({
  page,
  chat,
  api,
  picture,
}) => {
  const id = await chat.begin();
  await chat.say('help');
  const [, reply] = await api.messages(id);
  await chat.say('an abandoned cassowary');
  await chat.say('and what came after it');
  const left = (await api.messages(id)).map((message) => message.id);
  await api.raw('POST', `/agent-sessions/${id}/revert`, { data: { itemId: reply?.id } });
  await chat.say('somewhere else');
  await page.goto('/');
  await page.getByRole('searchbox', { name: 'Search conversations' }).fill('abandoned cassowary');
  const match = page
    .getByRole('list', { name: /^Matches in / })
    .getByRole('link')
    .last();
  await expect(match).toContainText(/^You · now/);
  await match.click();
  const slot = page.getByRole('region', { name: 'On a branch you left' });
  await expect(slot).toContainText('an abandoned cassowary');
  await expect(slot.getByRole('button', { name: 'Go there' })).toBeFocused();
  await expect(chat.transcript).toContainText('somewhere else');
  await picture('on-a-branch-that-was-left');
  expect(await axeFinds(page)).toEqual([]);
  await page.keyboard.press('Enter');
  const message = chat.transcript.getByRole('article', { name: 'You said' }).filter({ hasText: 'cassowary' });
  await expect(message).toBeInViewport();
  await expect(page.locator('[data-block]:focus')).toContainText('an abandoned cassowary');
  await expect(slot).toHaveCount(0);
  await picture('gone-there');
  expect((await api.messages(id)).map((one) => one.id)).toEqual(left);
  // From there the keys go on.
  await page.keyboard.press('j');
  await expect(page.locator('[data-block]:focus')).not.toContainText('an abandoned cassowary');
});

test('X9: while a reply runs the way to a left branch says why it waits, and is there once that has ended', async ({
  chat,
  api,
  fakes,
  page,
}) => {
  const { push, model } = await fakes.connect();
  const id = await chat.begin({ model });
  await chat.say('one');
  const [first] = await api.messages(id);
  await chat.say('a forsaken cormorant');
  const found = (await api.messages(id)).find((one) => JSON.stringify(one.parts).includes('cormorant'));
  await api.raw('POST', `/agent-sessions/${id}/revert`, { data: { itemId: first?.id } });
  const held = createGate();
  push({ parts: [{ text: 'Half ' }, { gate: held }, { text: 'and whole.' }], end: { reason: 'stop' } });
  await chat.open(id);
  await chat.send('two');
  await held.reached;
  await page.goto(`/c/${id}?m=${found?.id}`);
  const slot = page.getByRole('region', { name: 'On a branch you left' });
  await expect(slot).toContainText('a forsaken cormorant');
  await page.keyboard.press('Enter');
  await expect(slot.getByRole('alert')).toContainText('A reply runs.');
  held.open();
  await chat.settled();
  await slot.getByRole('button', { name: 'Go there' }).click();
  await expect(page.locator('[data-block]:focus')).toContainText('a forsaken cormorant');
});

test('X9: more than three places of a conversation are counted and shown on, each with kind and time', async ({
  page,
  chat,
  picture,
}) => {
  await chat.begin({ title: 'Pelicans' });
  for (const n of [1, 2, 3, 4, 5]) await chat.say(`pelican number ${n}`);
  await page.goto('/');
  await page.getByRole('searchbox', { name: 'Search conversations' }).fill('pelican number');
  const matches = page.getByRole('list', { name: 'Matches in Pelicans' });
  await expect(page.getByRole('heading', { name: 'Found, newest first' })).toBeVisible();
  await expect(matches.getByRole('link')).toHaveCount(3);
  await picture('three-and-more');
  expect(await axeFinds(page)).toEqual([]);
  await matches.getByRole('button', { name: 'And 2 more in Pelicans' }).click();
  await expect(matches.getByRole('link')).toHaveCount(5);
  await expect(matches.getByRole('link').nth(3)).toBeFocused();
  await expect(matches.getByRole('link').last()).toContainText(/^You · .*pelican number 1/);
  await expect(matches.getByRole('button')).toHaveCount(0);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-block]:focus')).toContainText('pelican number 1');
  await picture('jumped-to-the-oldest');
});

test('ux 4, ux 14: Enter opens the first result; without one the way on is told', async ({ page, chat }) => {
  const id = await chat.begin({ title: 'Quinces of the harbour' });
  await chat.say('help');
  await page.goto('/');
  const filter = page.getByRole('searchbox', { name: 'Search conversations' });
  await filter.fill('quinces');
  await filter.press('Enter');
  await page.waitForURL(`**/c/${id}`);

  await filter.fill('"zyzzyva OR (');
  await expect(page.getByText('Nothing found for “"zyzzyva OR (”.')).toBeVisible();
  await page.getByRole('button', { name: 'Search archived too' }).click();
  await expect(page.getByText('Nothing found for “"zyzzyva OR (”.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear' }).last().click();
  await expect(filter).toHaveValue('');
  await expect(page.getByRole('link', { name: /Quinces of the harbour/ })).toBeVisible();
});

test('ux 4: renamed, pinned, archived and deleted by keys; taken out of the trash it is found again', async ({
  page,
  chat,
  picture,
}) => {
  await chat.begin({ title: 'Marmalade' });
  await chat.say('a word about kumquats');
  const row = (name: RegExp) => page.locator('[data-session-link]').filter({ hasText: name });
  await row(/Marmalade/).focus();
  await page.keyboard.press('F2');
  await page.getByRole('textbox', { name: 'Title' }).first().fill('Preserves');
  await page.keyboard.press('Enter');
  await row(/Preserves/).focus();
  await page.keyboard.press('p');
  await expect(page.getByRole('heading', { name: 'Pinned' })).toBeVisible();
  await row(/Preserves/).focus();
  await page.keyboard.press('e');
  await expect(row(/Preserves/)).toHaveCount(0);
  const filter = page.getByRole('searchbox', { name: 'Search conversations' });
  await filter.fill('kumquats');
  await page.getByRole('button', { name: 'Search archived too' }).click();
  await expect(row(/Preserves/)).toBeVisible();
  await row(/Preserves/).focus();
  await page.keyboard.press('Delete');
  await expect(row(/Preserves/)).toHaveCount(0);
  // The offer to undo is over when it is closed.
  await page.getByRole('region', { name: 'Undo' }).getByRole('button').last().click();

  await page.goto('/settings/data');
  const restore = page.getByRole('button', { name: 'Restore Preserves' }).first();
  await expect(restore).toBeVisible();
  await picture('trash');
  await restore.click();
  await expect(page.getByText('Restored:')).toBeVisible();
  await page.getByRole('link', { name: 'Preserves' }).first().click();
  await expect(chat.transcript).toContainText('a word about kumquats');
});

test('ux 4: two tabs agree about a name, a pin, an archived and a deleted conversation, and what came back', async ({
  page,
  chat,
  api,
  openTab,
}) => {
  const id = await chat.begin({ title: 'Sextant' });
  await chat.say('help');
  const { page: other } = await openTab();
  await other.goto('/');
  const rowIn = (tab: typeof page, name: string) => tab.locator('[data-session-link]').filter({ hasText: name });
  await expect(rowIn(other, 'Sextant')).toBeVisible();
  const choose = async (name: string, action: string) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: action, exact: false }).click();
  };
  // Shown while the row is pointed at, as a person with a mouse does.
  await rowIn(page, 'Sextant').hover();
  await choose('Sextant', 'Rename');
  await page.getByRole('textbox', { name: 'Title' }).fill('Astrolabe');
  await page.keyboard.press('Enter');
  await expect(rowIn(other, 'Astrolabe')).toBeVisible();
  await rowIn(page, 'Astrolabe').hover();
  await choose('Astrolabe', 'Pin');
  await expect(other.getByRole('heading', { name: 'Pinned' })).toBeVisible();
  await rowIn(page, 'Astrolabe').hover();
  await choose('Astrolabe', 'Archive');
  await expect(rowIn(other, 'Astrolabe')).toHaveCount(0);
  await page.getByRole('region', { name: 'Undo' }).getByRole('button', { name: 'Undo' }).click();
  await expect(rowIn(other, 'Astrolabe')).toBeVisible();

  await rowIn(page, 'Astrolabe').hover();
  await choose('Astrolabe', 'Delete');
  await expect(rowIn(page, 'Astrolabe')).toHaveCount(0);
  // While it can be undone nothing has happened, so the other tab still has it.
  await expect(rowIn(other, 'Astrolabe')).toBeVisible();
  await page.getByRole('region', { name: 'Undo' }).getByRole('button', { name: 'Undo' }).click();
  await expect(rowIn(page, 'Astrolabe')).toBeVisible();
  await rowIn(page, 'Astrolabe').hover();
  await choose('Astrolabe', 'Delete');
  await page.getByRole('region', { name: 'Undo' }).getByRole('button').last().click();
  await expect(rowIn(other, 'Astrolabe')).toHaveCount(0);
  await api.raw('POST', `/trash/${id}/restore`);
  await expect(rowIn(page, 'Astrolabe')).toBeVisible();
  await expect(rowIn(other, 'Astrolabe')).toBeVisible();
});

test('ux 10, L4: the palette knows the verbs of travel where they apply, and does them by keys', async ({
  page,
  chat,
  api,
}) => {
  const id = await chat.begin({ title: 'Lodestar' });
  await chat.say('help');
  await chat.say('a second question');
  const before = (await api.messages(id)).map((message) => message.id);
  const ask = async (words: string, option: RegExp) => {
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Go to' });
    await expect(field).toBeFocused();
    await field.fill(words);
    await expect(page.getByRole('option', { name: option })).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Enter');
  };
  await ask('go back', /Go back to before your last message/);
  await expect(page.getByRole('region', { name: 'You went back' })).toBeVisible();
  expect((await api.messages(id)).map((message) => message.id)).toEqual(before.slice(0, 2));
  await ask('return', /Return to where you were/);
  await expect(chat.transcript).toContainText('a second question');
  await expect.poll(async () => (await api.messages(id)).map((message) => message.id)).toEqual(before);
  await ask('fork', /Go on from here in a new conversation/);
  await page.waitForURL((url) => url.pathname.startsWith('/c/') && !url.pathname.endsWith(id));
  await expect(page.getByRole('heading', { name: 'Fork of Lodestar' })).toBeVisible();
});
