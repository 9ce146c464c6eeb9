import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../fixtures';
import { dropFile } from '../verbs/drop-file';

/** Walk 6: a session of Claude Code is dropped on the page, shown with its own compactions and branches, and gone on with. */

const ROOT = join(import.meta.dirname, '../..');
const TRACES = join(ROOT, '../shared/traces/claude-code');

function readTrace(name: string): string {
  return readFileSync(join(TRACES, name), 'utf8');
}

/** Traces of strangers are not part of the repository; where they lie beside it they are walked too. */
const needsTraces = () => test.skip(!existsSync(TRACES), 'the recorded sessions do not lie beside the checkout');

test('X10: a dropped session opens and goes on with the practice model', async ({ page, chat, picture }) => {
  const text = readFileSync(
    join(ROOT, 'server/core/import/fixtures/agentcmd-full-session-askuserquestion.jsonl'),
    'utf8',
  );
  await page.goto('/agents');
  await dropFile(page, { name: 'session.jsonl', text });
  await page.waitForURL(/\/c\//);
  await expect(chat.transcript.getByRole('article', { name: 'You said' }).first()).toBeVisible();
  // Its replies are signed by the model that wrote them, and what its tool put in is no prose.
  await expect(
    chat.transcript.getByRole('article', { name: 'claude-sonnet-4-5-20250929 replied' }).first(),
  ).toBeVisible();
  await expect(page.getByText('practice model, not an AI')).toHaveCount(0);
  await expect(chat.transcript.getByRole('button', { name: /^command/ }).first()).toContainText('/clear');
  await expect(chat.transcript).not.toContainText('<command-name>');
  await picture('imported');
  await chat.say('list');
  await expect(chat.lastReply).toContainText('README.md');
  await expect(page.getByText('practice model, not an AI').first()).toBeVisible();
});

test('X10: compactions of its own are boundaries, and it compacts on with a large model', async ({
  page,
  chat,
  api,
  fakes,
  boundary,
  picture,
}) => {
  needsTraces();
  test.slow();
  const { model } = await fakes.connect();
  await page.goto('/');
  await dropFile(page, { name: 'compact1.jsonl', text: readTrace('entire-53ea1606-compact1.jsonl') });
  await page.waitForURL(/\/c\//);
  await expect(page.getByRole('button', { name: '1 summary' })).toBeVisible();
  await expect(boundary.newest).toContainText('imported');
  await expect(boundary.newest).toContainText('by another tool');
  await boundary.open();
  await expect(boundary.section('How it was made')).toContainText('written by another tool, imported as it was');
  await picture('imported-boundary');
  await api.raw('PATCH', `/agent-sessions/${chat.id()}`, { data: { model } });
  await chat.say('What was decided?');
  await expect(chat.lastReply).toContainText(/You said: .*What was decided\?/);
  await chat.compactBySlash();
  await expect(page.getByRole('button', { name: '2 summaries' })).toBeVisible();
  await expect(boundary.newest).toContainText('you asked');
  await boundary.open();
  await expect(boundary.section('Covers')).toContainText('Includes 1 earlier summary.');
});

test('X10, F5: side chains stand under the calls that began them', async ({ page, chat, picture }) => {
  needsTraces();
  test.slow();
  await page.goto('/');
  await dropFile(page, { name: 'side-chains.jsonl', text: readTrace('ccviewer-fe5e1c67.jsonl') });
  await page.waitForURL(/\/c\//);
  const box = chat.transcript.locator('.steps-box').filter({ hasText: /deleg/i }).first();
  await expect(box).toBeVisible();
  await box.locator('.steps-head').click();
  await box.locator('.step-row').filter({ hasText: 'Delegated' }).first().click();
  await box.getByRole('button', { name: 'Show what the subagent did' }).first().click();
  await expect(box.locator('.subagent-branch .block-row').first()).toBeVisible();
  await picture('side-chain');
  await chat.say('list');
  await expect(chat.lastReply).toContainText('README.md');
});

test('ux 15, rel-X21: a damaged file is refused where it was dropped and leaves nothing behind', async ({
  page,
  chat,
  api,
  picture,
  watch,
}) => {
  watch.forgive(/the server responded with a status of 400/);
  await chat.begin();
  await chat.field.fill('A draft beside it');
  const before = await api.raw('GET', '/agent-sessions');
  for (const [name, text] of [
    ['broken.jsonl', '{"type":"user","message":{"role":"us'],
    ['notes.txt', 'Dear diary'],
    ['empty.jsonl', ''],
  ] as const) {
    await dropFile(page, { name, text });
    const dialog = page.getByRole('dialog', { name: 'Import' });
    await expect(dialog).toContainText(`${name} was not imported.`);
    if (name === 'broken.jsonl') await picture('refused');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  }
  await expect(chat.field).toHaveValue('A draft beside it');
  expect(await (await api.raw('GET', '/agent-sessions')).text()).toBe(await before.text());
});
