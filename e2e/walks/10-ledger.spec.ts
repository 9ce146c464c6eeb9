import type { Page } from '@playwright/test';
import { settingsAnswerSchema } from '../../server/contract/settings';
import { toFakeSummary } from '../../server/model/testing/answer-like-a-model';
import type { FakeReply } from '../../server/model/testing/script';
import { inChunks } from '../../server/model/testing/script';
import { expect, test } from '../fixtures';
import { WRONG_KEY } from '../verbs/fake-models';
import { summariseWith } from '../verbs/long-talk';

/** Walk 10: who summarises, in which order, tried beforehand; and the book of every attempt, refused ones too. */

test.use({ serverFor: 'ledger' });
test.afterEach(async ({ api }) => summariseWith(api));

const LONG = 'The harbour office moves from one table to two. '.repeat(60);

const says = (text: string, end: string): FakeReply => ({
  parts: inChunks(text, 200),
  end: { reason: end, usage: { input: 900, output: 40, cachedRead: 700 } },
});

const ledgerOf = (page: Page) => page.getByRole('list', { name: 'Compactions, newest first' });
const rowsOf = (page: Page) => ledgerOf(page).locator(':scope > li');

test('C8, X3, S4: a truncated, a refused, an empty and an endless summary replace nothing; each is in the ledger with its reason', async ({
  page,
  chat,
  api,
  fakes,
  boundary,
  picture,
}) => {
  test.slow();
  const cut = await fakes.connect({ respond: () => says(toFakeSummary().slice(0, 120), 'length') });
  const refusing = await fakes.connect({ respond: () => says('I cannot help with that.', 'content_filter') });
  const empty = await fakes.connect({ respond: () => says('', 'stop') });
  const wrong = await fakes.connect({ respond: () => WRONG_KEY });
  const able = await fakes.connect({ price: { input: 3, output: 15 } });
  const id = await chat.begin({ model: able.model });
  await chat.say(LONG);
  const before = (await api.session(id)).context.usedBytes;
  await summariseWith(api, cut.model, refusing.model, empty.model, wrong.model);
  await chat.compactBySlash('the office');
  const failed = page.getByRole('region', { name: 'Compaction failed' });
  await expect(failed).toContainText('No model could write the summary. Nothing changed.');
  await expect(failed).toContainText('and the conversation goes on.');
  await expect(boundary.cards).toHaveCount(0);
  expect((await api.session(id)).context.usedBytes).toBe(before);
  await expect(page.getByRole('region', { name: 'Notes' })).toContainText('wrote no summary');
  await picture('failed-with-notes');
  await chat.say('Where does it move?');
  await expect(chat.lastReply).toContainText('Where does it move?');
  await summariseWith(api, able.model);
  await chat.compactBySlash();
  await expect(boundary.cards).toHaveCount(1);

  // By keys alone: the command opens the Desk at it, its tab has the focus with the arrows, Enter opens an entry.
  await chat.field.focus();
  await page.keyboard.type('/ledger');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: 'Ledger' })).toHaveAttribute('aria-selected', 'true');
  await expect(rowsOf(page)).toHaveCount(2);
  await page.getByRole('tab', { name: 'Ledger' }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('tab', { name: 'Context' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  const done = rowsOf(page).nth(0);
  const refused = rowsOf(page).nth(1);
  await refused.getByRole('button').first().focus();
  await page.keyboard.press('Enter');
  await expect(refused).toContainText('nothing was replaced');
  await expect(refused).toContainText('trigger at');
  await expect(refused).toContainText('the office');
  for (const words of [
    'it reached the limit of its length',
    'it declined',
    'the summary came back empty',
    'the key was refused',
    '900 in',
    '700 cached',
  ]) {
    await expect(refused).toContainText(words);
  }
  await done.getByRole('button').first().press('Enter');
  await expect(done).toContainText(/\$\s0\.\d+/);
  await picture('ledger');
  // By the mouse: from the header's list of summaries, and from an entry to its summary.
  await page.getByRole('button', { name: 'Close the Desk' }).click();
  await page.getByRole('button', { name: '1 summary' }).click();
  await page.getByRole('menuitem', { name: 'Ledger: every attempt' }).click();
  await rowsOf(page).nth(0).getByRole('button').first().click();
  await rowsOf(page).nth(0).getByRole('button', { name: 'Show the summary' }).click();
  await expect(boundary.newest).toBeInViewport();

  const [first, second] = await api.compactions(id);
  expect([first?.outcome, second?.outcome]).toEqual([
    first?.outcome === 'rejected' ? 'rejected' : 'failed',
    'committed',
  ]);
  expect(first?.attempts.length).toBeGreaterThanOrEqual(4);
});

test('C10, X3: what a failed automatic compaction defers stands in the ledger with its counters, on a phone too', async ({
  page,
  chat,
  api,
  fakes,
  boundary,
  picture,
}) => {
  test.slow();
  const { model, requests } = await fakes.connect({ respond: () => WRONG_KEY });
  await summariseWith(api, model);
  const id = await chat.begin({ model: { provider: 'practice', model: 'rules-1' } });
  for (let turns = 0; turns < 10 && (await boundary.trims.count()) === 0; turns += 1) await chat.say('tour');
  const asked = requests.length;
  expect(asked).toBeGreaterThan(0);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/c/${id}?desk=ledger`);
  const guards = page.getByRole('region', { name: 'What holds automatic compaction back' });
  await expect(guards).toContainText('your next message gets a fresh attempt');
  await expect(guards).toContainText(/failures in a row\s*[1-9]/);
  await expect(guards).toContainText(/Refills in a row\s*\d of 3/);
  await expect(rowsOf(page).first()).toBeVisible();
  await rowsOf(page).first().getByRole('button').first().click();
  await picture('ledger-390');
  expect(requests.length, 'looking asks for nothing').toBe(asked);
});

test('S1, ux 12: a row is replaced under itself, a long list keeps the chosen row in sight, and the order is tried', async ({
  page,
  api,
  fakes,
  picture,
}) => {
  test.slow();
  const many = [];
  for (let count = 0; count < 14; count += 1) many.push(await fakes.connect());
  const bad = await fakes.connect({ respond: () => WRONG_KEY });
  const last = many.pop();
  await summariseWith(api, bad.model, ...many.map(({ model }) => model));
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto('/settings/compaction');
  await expect(page.getByRole('heading', { name: 'Summarisation models' })).toBeVisible();
  const list = page.getByRole('list', { name: 'Models that write summaries, in order' });
  const rows = list.locator('[data-row]');
  await expect(rows).toHaveCount(14);
  // One tab stop, however long the list is; End and the arrows walk it, and what is chosen is in sight.
  await rows.nth(0).focus();
  await page.keyboard.press('End');
  await expect(rows.nth(13)).toBeFocused();
  await expect(rows.nth(13)).toBeInViewport();
  await page.keyboard.press('Alt+Home');
  await expect(rows.nth(0)).toBeFocused();
  await expect(rows.nth(0)).toBeInViewport();
  await page.keyboard.press('Alt+ArrowDown');
  await page.keyboard.press('Alt+ArrowDown');
  await expect(rows.nth(2)).toBeFocused();
  await page.keyboard.press('Home');
  // The overlay opens where the row is, whatever is scrolled away.
  await page.keyboard.press('Enter');
  const search = page.getByRole('combobox', { name: 'Another model for this place' });
  await expect(search).toBeFocused();
  await expect(search).toBeInViewport();
  for (let count = 0; count < 12; count += 1) await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('listbox', { name: 'Models' }).getByRole('option', { selected: true })).toBeInViewport();
  await picture('replace-under-the-row');
  await page.keyboard.type(`${last?.model.provider}/m`);
  await page.keyboard.press('Enter');
  await expect(search).toHaveCount(0);
  await expect(rows.nth(0)).toBeFocused();
  const order = async () => {
    const { settings } = await api.call('GET', '/settings', settingsAnswerSchema);
    return settings.routing.summarization_models.map(({ provider }) => provider);
  };
  await expect.poll(async () => (await order())[0]).toBe(last?.model.provider);

  await summariseWith(api, last?.model ?? bad.model, bad.model, { provider: 'practice', model: 'rules-1' });
  await page.goto('/settings/compaction');
  await expect(rows).toHaveCount(3);
  await page.getByRole('button', { name: 'Test order' }).click();
  await expect(rows.nth(0)).toContainText(/Wrote .* in /);
  await expect(rows.nth(1)).toContainText('the key was refused');
  await expect(rows.nth(2)).toContainText(/Wrote .* in /);
  await rows.nth(1).getByRole('button', { name: 'Details' }).click();
  await expect(rows.nth(1)).toContainText('status: 401');
  await expect(page.locator('[data-live="status"]')).toContainText('Test finished: 2 of 3 models wrote a summary');
  await picture('tested-order');
  await page.setViewportSize({ width: 390, height: 844 });
  await picture('tested-order-390');
});

test('S1: the agent’s own model stays what it was, whatever is chosen for summaries', async ({
  page,
  api,
  fakes,
  chat,
}) => {
  const own = await fakes.connect();
  const other = await fakes.connect();
  const id = await chat.begin({ model: own.model });
  await page.goto('/settings/compaction');
  await page.getByRole('button', { name: 'Add summarisation model' }).click();
  await page.keyboard.type(`${other.model.provider}/m`);
  await expect(page.getByRole('listbox', { name: 'Models' }).getByRole('option', { selected: true })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Add summarisation model' })).toBeFocused();
  await expect(page.locator('main').getByText('Saved')).toBeVisible();
  expect((await api.session(id)).model).toEqual(own.model);
  await chat.open(id);
  await chat.say(LONG);
  await chat.compactBySlash();
  await expect(page.locator('section.boundary')).toHaveCount(1);
  expect(own.requests.some(({ text }) => /TASK summary/.test(text))).toBe(false);
  expect(other.requests.some(({ text }) => /TASK summary/.test(text))).toBe(true);
});
