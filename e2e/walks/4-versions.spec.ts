import { expect, type Page } from '@playwright/test';
import { test } from '../fixtures';
import { seen, watchFor } from '../verbs/frames';
import { createLibrary } from '../verbs/library';

/** Walk 4: an agent or a skill moves on; a conversation that is open says so, and catches up by compacting. */

test.use({ serverFor: 'versions' });

const LONG = 'Berth fees are due on the first of the month. '.repeat(60);
const BANNER = '[aria-label="Agent has newer versions"]';

const textOf = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

test('P4, ux 17.7: a new version of a skill shows in an open conversation within 2 s and takes no focus', async ({
  page,
  chat,
  fakes,
  boundary,
  openTab,
  picture,
}) => {
  const { model } = await fakes.connect();
  await chat.begin({ model });
  await chat.say(LONG);
  await expect(boundary.banner).toHaveCount(0);
  await chat.field.fill('A draft that must stay');
  await chat.field.press('Home');
  await watchFor(page, BANNER);

  const editor = createLibrary((await openTab()).page);
  await editor.open('skills', 'House notes');
  await editor.addInstruction('Dates as in 2026-11-30.');
  const pressedAt = await editor.publish('Dates by the book');
  const { seenAt } = await seen(page);
  expect(seenAt - pressedAt, 'milliseconds from Publish to the banner').toBeLessThan(2_000);
  await expect(boundary.banner).toContainText('This conversation is behind its agent.');
  await expect(boundary.banner).toContainText('The skill House notes has a newer version.');
  expect(await textOf(page)).toBe('Message');
  await expect(chat.field).toHaveValue('A draft that must stay');
  await picture('banner');

  await boundary.banner.getByRole('button', { name: 'What changed' }).click();
  const dialog = page.getByRole('dialog', { name: 'What changed' });
  await expect(dialog.getByRole('table')).toContainText('Dates as in 2026-11-30.');
  await expect(dialog.locator('[data-change]')).toHaveCount(1);
  await picture('what-changed');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);

  await boundary.banner.getByRole('button', { name: 'Compact and catch up' }).click();
  await expect(boundary.newest).toBeVisible();
  await expect(boundary.banner).toHaveCount(0);
  await chat.settled();
  await boundary.open();
  await expect(boundary.newest).toContainText('skills changed: 1');
  await expect(boundary.section('Agent state')).toContainText(/House notes\s*v1.*v2/);
  await expect(chat.field).toHaveValue('A draft that must stay');
  await picture('caught-up');
  await page.reload();
  await expect(boundary.newest).toBeVisible();
  await expect(boundary.banner).toHaveCount(0);
});

test('P4: instructions too; what was dismissed stays so until a version that is newer still', async ({
  page,
  chat,
  fakes,
  boundary,
  openTab,
}) => {
  const { model } = await fakes.connect();
  await chat.begin({ model });
  await chat.say(LONG);
  const editor = createLibrary((await openTab()).page);
  await editor.open('agents', 'Workspace guide');
  await editor.addInstruction('Name the folder you looked in.');
  await editor.publish('Names folders');
  await expect(boundary.banner).toContainText(/The instructions ha(s|ve) (a )?newer versions?\./);
  await boundary.banner.getByRole('button', { name: 'Hide until something newer' }).click();
  await expect(boundary.banner).toHaveCount(0);
  // The small mark stays.
  await expect(page.locator('.agent-name')).toContainText('behind its agent');
  await page.reload();
  await expect(page.locator('.agent-name')).toContainText('behind its agent');
  await expect(boundary.banner).toHaveCount(0);
  await editor.addInstruction('And the file.');
  await editor.publish('Names files');
  await expect(boundary.banner).toBeVisible();
});

test('P4: the banner never blocks sending, and three clicks on it make one compaction', async ({
  page,
  chat,
  api,
  fakes,
  boundary,
  openTab,
}) => {
  const { model } = await fakes.connect();
  const id = await chat.begin({ model });
  await chat.say(LONG);
  const editor = createLibrary((await openTab()).page);
  await editor.open('skills', 'Careful reading');
  await editor.addInstruction('Count the lines.');
  await editor.publish('Counts lines');
  await expect(boundary.banner).toBeVisible();
  await chat.say('And still I can write.');
  await expect(chat.lastReply).toContainText('You said: And still I can write.');
  await expect(boundary.banner).toBeVisible();
  const box = await boundary.banner.getByRole('button', { name: 'Compact and catch up' }).boundingBox();
  if (box === null) throw new Error('the button has no place');
  // Three presses on one place, as an impatient person makes them: what comes to stand there must not be hit.
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2, { clickCount: 3 });
  await expect(boundary.cards).toHaveCount(1);
  await chat.settled();
  const entries = await api.compactions(id);
  expect(entries.map(({ outcome }) => outcome)).toEqual(['committed']);
});
