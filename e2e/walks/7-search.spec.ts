import { expect, test } from '../fixtures';

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

test('X9: what a revert left is found too, and the page says where it stands', async ({ page, chat, api }) => {
  const id = await chat.begin();
  await chat.say('help');
  const [, reply] = await api.messages(id);
  await chat.say('an abandoned cassowary');
  await api.raw('POST', `/agent-sessions/${id}/revert`, { data: { itemId: reply?.id } });
  await page.goto('/');
  await page.getByRole('searchbox', { name: 'Search conversations' }).fill('cassowary');
  await page
    .getByRole('list', { name: /^Matches in / })
    .getByRole('link')
    .last()
    .click();
  await expect(page.getByText('That message is on a branch you left.')).toBeVisible();
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
