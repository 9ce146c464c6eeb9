import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { axeFinds } from '../verbs/axe-finds';
import { aTalk, readSession, say } from './api-server';
import { manageOneDirectory } from './one-directory';

const here = manageOneDirectory();

test('L6: a byte that flipped in a stopped log is told once on the page and once in the output, and the rest is there', async ({
  page,
}) => {
  // Two servers and two looks at the whole page.
  test.slow();
  const first = await here.start();
  const id = await aTalk(first, here.provider.model);
  await say(first, id, 'the harbour');
  await say(first, id, 'the lantern');
  await say(first, id, 'the mole');
  await first.stop();
  const path = join(here.dataDir, 'logs', `${id}.jsonl`);
  const bytes = readFileSync(path);
  const at = bytes.indexOf('the lantern');
  bytes[at + 4] = (bytes[at + 4] ?? 0) ^ 1;
  writeFileSync(path, bytes);

  const api = await here.start();
  await page.goto(`${api.origin}/c/${id}`);
  const note = page.getByRole('note', { name: 'Damage in the log' });
  await expect(note).toHaveCount(1);
  const { damage } = await readSession(api, id);
  const [place] = damage;
  expect(damage).toHaveLength(1);
  expect(place?.from).toBeLessThan(at);
  expect(place?.to).toBeGreaterThan(at);
  const count = (bytesAt = 0) => bytesAt.toLocaleString('en');
  await expect(note).toHaveText(
    `A line of this log is damaged (bytes ${count(place?.from)}–${count(place?.to)}): one message or event may be missing. Everything else is here.`,
  );
  await expect(page.getByText('the harbour').first()).toBeVisible();
  await expect(page.getByText('the mole').first()).toBeVisible();
  const told = api.errors().match(new RegExp(`The log ${id} is damaged at bytes ${place?.from}-${place?.to}`, 'g'));
  expect(told).toHaveLength(1);
  expect(api.errors()).not.toMatch(/harbour|antern|mole/);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeFinds(page)).toEqual([]);
  }

  await note.getByRole('button', { name: 'Close' }).click();
  await expect(note).toHaveCount(0);
  await page.reload();
  await expect(page.getByText('the mole').first()).toBeVisible();
  await expect(note).toHaveCount(0);
});
