import type { Page } from '@playwright/test';
import { settingsAnswerSchema } from '../../server/contract/settings';
import { SEED_IDS } from '../../server/session/seeds';
import { expect, test } from '../fixtures';

/** The whole way without a mouse: start, send, compact, open the fold, publish a version, reorder models (ux 17.12). */

test.use({ serverFor: 'keyboard' });

/** Tab until the wanted thing has the focus; fails when the whole page was gone through without meeting it. */
async function tabTo(page: Page, wanted: RegExp, keys = 'Tab'): Promise<void> {
  const met: string[] = [];
  for (let count = 0; count < 120; count += 1) {
    await page.keyboard.press(keys);
    const name = await page.evaluate(() => {
      const { activeElement: active } = document;
      const label = active?.getAttribute('aria-label') ?? active?.textContent ?? '';
      return `${active?.tagName.toLowerCase()} ${label.trim()}`;
    });
    if (wanted.test(name)) return;
    met.push(name.slice(0, 40));
  }
  throw new Error(`Tab never came to ${wanted}; it met ${met.join(' | ')}`);
}

test('ux 17.12: start, send, compact and open the fold by keys alone', async ({ page, chat, boundary, picture }) => {
  await page.goto('/');
  await tabTo(page, /^button Try it/);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/c\//);
  await expect(chat.transcript).toBeVisible();
  // The composer of a conversation that was just begun has the focus.
  await expect(chat.field).toBeFocused();
  await page.keyboard.type('read README.md');
  await page.keyboard.press('Enter');
  await expect(chat.lastReply).toContainText(/read 1 file/i);
  await chat.settled();
  await expect(chat.field).toBeFocused();
  await page.keyboard.type('/compact');
  await page.keyboard.press('Enter');
  await expect(boundary.newest).toBeVisible();
  await chat.settled();
  await page.keyboard.press('Shift+F6');
  const head = boundary.newest.locator('[data-fold-head]');
  await page.keyboard.press('Alt+Shift+PageUp');
  await expect(head).toBeFocused();
  const before = await head.getAttribute('aria-expanded');
  await page.keyboard.press('Enter');
  await expect(head).toHaveAttribute('aria-expanded', before === 'true' ? 'false' : 'true');
  await page.keyboard.press('v');
  await expect(page.getByRole('region', { name: 'Covered messages' })).toContainText('read README.md');
  await picture('fold-by-keys');
});

test('ux 16: F6 walks the regions, skip links lead past the rail', async ({ page, chat }) => {
  await chat.begin();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to conversation' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.closest('#composer') !== null)).toBe(true);
  const regions = new Set<string>();
  for (let count = 0; count < 4; count += 1) {
    await page.keyboard.press('F6');
    regions.add(await page.evaluate(() => document.activeElement?.closest('[data-region]')?.id ?? ''));
  }
  expect([...regions]).toEqual(expect.arrayContaining(['sessions', 'main', 'composer']));
});

test('P2: a version is published by keys alone', async ({ page }) => {
  await page.goto(`/agents/${SEED_IDS.guide}`);
  const field = page.getByRole('textbox', { name: 'Instructions' });
  await field.focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('\nSay when nothing was found.');
  await page.keyboard.press('Control+Shift+s');
  const dialog = page.getByRole('dialog', { name: 'Publish v2' });
  await expect(dialog.getByRole('textbox')).toBeFocused();
  await page.keyboard.type('Says when nothing was found');
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  const versions = page.getByRole('region', { name: 'Versions' });
  await expect(versions).toContainText('Says when nothing was found');
  await expect(versions.getByRole('listitem').first()).toContainText(/v2\s*current/);
});

test('S1, S2, ux 12: models that write summaries are added, moved, removed and brought back by keys alone', async ({
  page,
  api,
  fakes,
  picture,
}) => {
  const one = await fakes.connect();
  const two = await fakes.connect();
  await page.goto('/settings/compaction');
  const list = page.getByRole('list', { name: 'Models that write summaries, in order' });
  for (const { model } of [one, two]) {
    const add = page.getByRole('button', { name: 'Add summarisation model' });
    await add.focus();
    await page.keyboard.press('Enter');
    const search = page.getByRole('combobox', { name: 'Add summarisation model' });
    await expect(search).toBeFocused();
    await page.keyboard.type(`${model.provider}/m`);
    await expect(page.getByRole('listbox', { name: 'Models' }).getByRole('option').first()).toHaveAttribute(
      'aria-selected',
      'true',
    );
    await page.keyboard.press('Enter');
    await expect(list).toContainText('m');
  }
  const order = async () => {
    const { settings } = await api.call('GET', '/settings', settingsAnswerSchema);
    return settings.routing.summarization_models.map(({ provider }) => provider);
  };
  await expect.poll(order).toEqual([one.model.provider, two.model.provider]);
  const rows = list.locator('[data-row]');
  // Lines follow each other quickly, so the page keeps all that were said.
  await page.evaluate(() => {
    const region = document.querySelector('[data-live="status"]');
    if (!region) return;
    new MutationObserver(() => {
      region.setAttribute('data-said', `${region.getAttribute('data-said') ?? ''}\n${region.textContent}`);
    }).observe(region, { childList: true, subtree: true, characterData: true });
  });
  await rows.nth(1).focus();
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(order).toEqual([two.model.provider, one.model.provider]);
  await expect(rows.nth(0)).toBeFocused();
  await expect(page.locator('[data-live="status"]')).toHaveAttribute('data-said', /m, now 1 of 2, used first/);
  await page.keyboard.press('Delete');
  await expect.poll(order).toEqual([one.model.provider]);
  await page.keyboard.press('Control+z');
  await expect.poll(order).toEqual([two.model.provider, one.model.provider]);
  await picture('summarisers');
  await api.settings({ routing: { summarization_models: [] } });
});
