import { expect, test } from '../fixtures';
import { WRONG_KEY } from '../verbs/fake-models';

/** Walk 5: past a small window: compacted before the call, and where no model can write, trimmed and said so. */

test.use({ serverFor: 'small window' });

test('C1, C2, ux 7.7: kept up with `tour`, the conversation compacts by itself and keeps a raw tail', async ({
  page,
  chat,
  api,
  boundary,
  picture,
}) => {
  test.slow();
  const id = await chat.begin({ model: { provider: 'practice', model: 'rules-1' } });
  // The row of what runs by itself is short here, so the page notes that it was there and what it said.
  await page.evaluate(() => {
    const look = () => {
      const row = document.querySelector('[data-compaction-row]');
      if (row) document.documentElement.dataset.rowSaid = row.textContent ?? '';
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
  let turns = 0;
  while ((await boundary.cards.count()) === 0 && turns < 8) {
    turns += 1;
    await chat.say('tour');
  }
  await expect(boundary.newest).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.dataset.rowSaid)).toContain('The context was nearly full.');
  await expect(boundary.newest).toContainText('limit reached');
  await expect(boundary.newest).toContainText('practice model, not an AI');
  // Nobody here asked for it, so it stays closed.
  await expect(boundary.newest.locator('[data-fold-head]')).toHaveAttribute('aria-expanded', 'false');
  const { context } = await api.session(id);
  expect(context.usedBytes).toBeLessThan(context.budgetBytes);
  await picture('compacted-by-itself');
  await chat.say('list');
  await expect(chat.lastReply).toContainText('README.md');
});

test('C8, B6: with a summariser whose key is refused the trim answers all the same and says so', async ({
  page,
  chat,
  api,
  fakes,
  boundary,
  picture,
}) => {
  test.slow();
  const { model, requests } = await fakes.connect({ respond: () => WRONG_KEY });
  await page.goto('/settings/compaction');
  await page.getByRole('button', { name: 'Add summarisation model' }).click();
  await page.getByRole('combobox', { name: 'Add summarisation model' }).fill(`${model.provider}/m`);
  await expect(page.locator('.menu-row[aria-selected="true"]')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.locator('main').getByText('Saved')).toBeVisible();

  const id = await chat.begin({ model: { provider: 'practice', model: 'rules-1' } });
  let turns = 0;
  while ((await boundary.trims.count()) === 0 && turns < 10) {
    turns += 1;
    await chat.say('tour');
  }
  await expect(boundary.trims.last()).toContainText('Left out to fit, nothing was written about them');
  await expect(boundary.cards).toHaveCount(0);
  expect(requests.length).toBeGreaterThan(0);
  expect((await api.session(id)).lastTurn).toMatchObject({ outcome: 'finished' });
  // The failure is said, with its cause, and what came of it; a reload does not lose it.
  const failed = page.getByRole('region', { name: 'Compaction failed' });
  await expect(failed).toContainText('the key was refused');
  await expect(failed).toContainText('Nothing was written.');
  await expect(failed).toContainText('Older parts were left out of context instead');
  await expect(failed.getByRole('link', { name: 'Choose models' })).toBeVisible();
  await picture('trimmed');
  await page.reload();
  await expect(failed).toHaveCount(1);
  await expect(failed).toContainText('the key was refused');
  await chat.say('list');
  await expect(chat.lastReply).toContainText('README.md');
  await boundary.trims.last().getByRole('button', { name: 'Show them' }).click();
  await expect(boundary.trims.last().getByRole('listitem').first()).toBeVisible();
  // With a model that can write, what was left out is summarised after all.
  const able = await fakes.connect();
  await api.settings({ routing: { summarization_models: [able.model] } });
  await boundary.trims.last().getByRole('button', { name: 'Summarise these now' }).click();
  await expect(boundary.newest).toContainText('you asked');
  await api.settings({ routing: { summarization_models: [] } });
});
