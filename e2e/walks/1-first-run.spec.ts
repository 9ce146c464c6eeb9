import { modelsAnswerSchema, providersAnswerSchema } from '../../server/contract/provider';
import { expect, test } from '../fixtures';

/** Walk 1: from the printed address to a first answer without a key, the sample, and then a model of one's own. */

test.use({ serverFor: 'first run' });
test.describe.configure({ mode: 'serial' });

test('N1, N2: the practice model lists, reads and searches real files with real tools', async ({
  page,
  chat,
  picture,
}) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Start with a model' })).toBeVisible();
  await picture('first-run');
  await page.getByRole('listitem').filter({ hasText: 'Try the practice model' }).getByRole('button').click();
  await page.waitForURL(/\/c\//);
  await expect(chat.field, 'one can write at once').toBeFocused();

  await chat.say('list');
  await expect(chat.lastReply.getByText('practice model, not an AI')).toBeVisible();
  await expect(chat.lastReply).toContainText('README.md');
  await chat.lastReply.getByRole('button', { name: /1 step/ }).click();
  await expect(chat.lastReply.locator('.step-row')).toContainText('Listed');

  await chat.say('read notes/budget.md');
  await expect(chat.lastReply).toContainText(/read 1 file/i);
  await chat.say('find allocations');
  await expect(chat.lastReply).toContainText(/searched/i);
  await expect(chat.lastReply).toContainText('README.md');
  await picture('practice-conversation');
});

test('N3: the sample conversation opens with its folds and its banner', async ({ page, boundary, picture }) => {
  // The first page offers it to a newcomer; whoever began with something else finds it under Data.
  await page.goto('/settings/data');
  await page.getByRole('button', { name: 'Open the sample' }).click();
  await page.waitForURL(/\/c\/\w+$/);
  await expect(page.getByRole('button', { name: '2 summaries' })).toBeVisible();
  await expect(boundary.newest).toBeVisible();
  await expect(boundary.banner).toBeVisible();
  await picture('sample');
  await boundary.open();
  await expect(boundary.section('Covers')).toContainText(/\d+ messages:.*Includes 1 earlier summary\./);
  await boundary.section('Covers').getByRole('button', { name: 'View covered messages' }).click();
  const covered = page.getByRole('region', { name: 'Covered messages' });
  await expect(covered).toBeVisible();
  await picture('sample-unfolded');
  // Older messages come in pages; the first summary stands where they begin.
  const earlier = page.getByRole('button', { name: 'Show earlier' });
  while ((await covered.locator('section.boundary').count()) === 0) {
    await earlier.click();
    await expect(page.getByRole('button', { name: 'Reading earlier messages…' })).toHaveCount(0);
  }
});

test('N4: a model of one’s own is added, tested and chosen, and nothing is asked of it before', async ({
  page,
  chat,
  api,
  fakes,
  picture,
}) => {
  const server = await fakes.listen();
  await page.goto('/settings/models');
  const add = page.getByRole('listitem').filter({ hasText: 'Another server' });
  await add.getByRole('button', { name: 'Set up' }).click();
  await add.getByLabel('Short name').fill('workbench');
  await add.getByLabel('Address').fill(server.baseUrl);
  await add.getByLabel('Key').fill('sk-e2e-first-key-0123');
  await picture('add-provider');
  await add.getByRole('button', { name: 'Add and test' }).click();
  await expect(page.getByRole('heading', { name: 'workbench' })).toBeVisible();
  const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'workbench' }) });
  await row.getByRole('button', { name: 'Test' }).click();
  await expect(row.getByRole('status')).toHaveText(/Answered in .*2 models\./);
  expect(server.requests, 'a test asks for the list of models and spends nothing').toHaveLength(0);
  // A key goes in and does not come out.
  expect(await page.content()).not.toContain('sk-e2e-first-key');
  const { providers } = await api.call('GET', '/providers', providersAnswerSchema);
  expect(providers.find(({ id }) => id === 'workbench')).toMatchObject({ hasKey: true, keyFrom: 'stored' });
  const { models } = await api.call('GET', '/models', modelsAnswerSchema);
  expect(models.find(({ model }) => model === 'fake-1m')?.windowTokens).toBe(1_000_000);

  await chat.begin();
  await page.getByRole('button', { name: /model/i, expanded: false }).last().click();
  await page.getByRole('combobox', { name: /model/i }).last().fill('fake-1m');
  await picture('model-picker');
  await page.keyboard.press('Enter');
  await expect(page.locator('.composer-foot')).toContainText('fake-1m');
  await chat.say('What is this about?');
  await expect(chat.lastReply).toContainText('You said: What is this about?');
  expect(server.requests.length).toBe(1);
  await api.raw('DELETE', '/providers/workbench');
});

test('N4: a wrong key is refused where it was typed, stays there, and leaves nothing behind', async ({ page, api }) => {
  await page.goto('/settings/models');
  const add = page.getByRole('listitem').filter({ hasText: 'Another server' });
  await add.getByRole('button', { name: 'Set up' }).click();
  await add.getByLabel('Short name').fill('nobody');
  // A port that nothing listens on.
  await add.getByLabel('Address').fill('http://127.0.0.1:9/v1');
  await add.getByLabel('Key').fill('sk-e2e-kept');
  await add.getByRole('button', { name: 'Add and test' }).click();
  await expect(add.locator('[id$="-error"]')).toBeVisible();
  await expect(add.getByLabel('Key')).toHaveValue('sk-e2e-kept');
  const { providers } = await api.call('GET', '/providers', providersAnswerSchema);
  expect(providers.map(({ id }) => id)).not.toContain('nobody');
});
