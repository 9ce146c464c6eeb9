import type { SummaryMessage } from '../../server/contract/message';
import { createAnswerLikeAModel } from '../../server/model/testing/answer-like-a-model';
import type { Respond } from '../../server/model/testing/fake-server';
import { createGate, type Gate } from '../../server/model/testing/script';
import { expect, test } from '../fixtures';
import type { Api } from '../verbs/api';
import { seen, watchFor } from '../verbs/frames';

/** Walk 3: the slash menu, the row from the click, and the boundary it becomes. */

const LONG = 'The harbour office moves from one table to two. '.repeat(60);

/** Answers as a model would, and waits at the gate with summaries. */
function holdSummaries(gate: Gate): Respond {
  const answer = createAnswerLikeAModel();
  return (request) => {
    const reply = answer(request);
    const isSummary = /TASK summary \d/.test(request.text);
    return isSummary && 'parts' in reply ? { ...reply, parts: [{ gate }, ...reply.parts] } : reply;
  };
}

async function theSummary(api: Api, id: string): Promise<SummaryMessage> {
  const found = (await api.messages(id)).findLast((message) => message.role === 'summary');
  if (found?.role !== 'summary') throw new Error('there is no summary');
  return found;
}

test('ux 10, case-E04: the slash menu by keyboard; a command is never sent as text', async ({
  page,
  chat,
  api,
  picture,
}) => {
  const id = await chat.begin();
  await chat.field.focus();
  await page.keyboard.type('/');
  await expect(chat.menu).toBeVisible();
  const options = chat.menu.getByRole('option');
  await expect(options.first()).toHaveAttribute('aria-selected', 'true');
  // The focus stays in the text; which row it stands for is told by id.
  const first = await options.first().getAttribute('id');
  await expect(chat.field).toHaveAttribute('aria-activedescendant', first ?? 'an id');
  await picture('slash-menu');
  await page.keyboard.press('ArrowUp');
  await expect(options.last()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowDown');
  await expect(options.first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Escape');
  await expect(chat.menu).toHaveCount(0);
  await expect(chat.field).toHaveValue('/');
  await expect(chat.field).toBeFocused();

  await page.keyboard.type('comp');
  await page.keyboard.press('Tab');
  await expect(chat.field).toHaveValue('/compact ');
  await chat.field.fill('');
  await page.keyboard.type('/zzz');
  await expect(page.getByText('No such command.')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(chat.field).toHaveValue('/zzz');
  await expect(page.getByText('No such command. Enter sends it as text.')).toBeVisible();
  await chat.field.fill('look at /ops-team and /tmp/x');
  await expect(chat.menu).toHaveCount(0);
  await chat.field.fill('/etc/hosts');
  await expect(chat.menu).toHaveCount(0);
  await chat.field.fill('');
  await page.keyboard.type('/help');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  expect(await api.messages(id), 'nothing was sent').toEqual([]);
});

test('ux 7, C16: /compact writes nothing into the message, and the card shows what the data say', async ({
  page,
  chat,
  api,
  fakes,
  boundary,
  picture,
}) => {
  const { model, requests } = await fakes.connect({ price: { input: 3, output: 15 } });
  const id = await chat.begin({ model });
  await chat.say(LONG);
  await chat.say('And the second thing.');
  await chat.compactBySlash('the lock limit of 3 s');
  await expect(boundary.newest).toBeVisible();
  await chat.settled();
  expect((await api.messages(id)).filter(({ role }) => role === 'user')).toHaveLength(2);
  expect(requests.some(({ text }) => text.includes('the lock limit of 3 s'))).toBe(true);

  const { metadata } = await theSummary(api, id);
  const [entry] = await api.compactions(id);
  const { user, assistant, tool } = metadata.counts;
  // The newest card opens itself for who asked for it.
  await expect(boundary.newest.locator('[data-fold-head]')).toHaveAttribute('aria-expanded', 'true');
  await expect(boundary.newest).toContainText(`Summary of ${user + assistant + tool} messages`);
  await expect(boundary.newest).toContainText('you asked');
  await expect(boundary.newest).toContainText(`by ${metadata.model?.model}`);
  await expect(boundary.section('Summary')).toContainText('The person works on the sample.');
  await expect(boundary.section('Covers')).toContainText(`${user} yours, ${assistant} replies.`);
  const made = boundary.section('How it was made');
  await expect(made).toContainText(`${entry?.usage?.input?.toLocaleString('en')} in`);
  await expect(made).toContainText(`${entry?.usage?.output?.toLocaleString('en')} out`);
  // Shown where it is known, and only there.
  await expect(made.getByText('Cost')).toHaveCount(entry?.cost == null ? 0 : 1);
  await expect(made).toContainText('the lock limit of 3 s');
  await picture('boundary-open');

  await boundary.section('Covers').getByRole('button', { name: 'View covered messages' }).click();
  const covered = page.getByRole('region', { name: 'Covered messages' });
  await expect(covered).toContainText('And the second thing.');
  // It unfolds above the card: its beginning is what is looked at then, and the card again once it is folded.
  await expect(covered.locator('.covered-strip')).toBeFocused();
  await expect(covered.locator('.covered-strip')).toBeInViewport();
  await expect(covered.locator('.user-block').first()).toBeInViewport();
  await picture('boundary-unfolded');
  await covered.getByRole('button', { name: 'Fold again' }).click();
  await expect(covered).toHaveCount(0);
  await expect(boundary.newest.locator('[data-fold-head]')).toBeFocused();
  await expect(boundary.newest.locator('[data-fold-head]')).toBeInViewport();
  await page.reload();
  await expect(boundary.newest.locator('[data-fold-head]')).toHaveAttribute('aria-expanded', 'false');
  await chat.say('And on.');
  await expect(chat.lastReply).toContainText(/You said: .*And on\./);
});

test('ux 17.1: with the network held the row is visible within 100 ms, and stays one row whatever is pressed', async ({
  page,
  chat,
  api,
  fakes,
  boundary,
  openTab,
  picture,
}) => {
  const writing = createGate();
  const { model } = await fakes.connect({ respond: holdSummaries(writing) });
  const id = await chat.begin({ model });
  await chat.say(LONG);
  const other = await openTab();
  await other.chat.open(id);
  await watchFor(other.page, '[data-compaction-row]');

  const held = createGate();
  await page.route('**/compact', async (route) => {
    await held.opened;
    await route.continue();
  });
  await chat.field.fill('/compact');
  await expect(chat.menu).toBeVisible();
  await watchFor(page, '[data-compaction-row]');
  await page.keyboard.press('Enter');
  const { seenAt, pressedAt } = await seen(page);
  expect(seenAt - pressedAt, 'milliseconds from the key to the painted row').toBeLessThan(100);
  await expect(boundary.rows).toContainText('Compacting this conversation…');
  await expect(boundary.rows.locator('.dot.pulse')).toBeVisible();
  await picture('row-with-the-network-held');
  const row = await boundary.rows.elementHandle();

  // Again by the command, twice: it leads to the row and makes no second one.
  for (const _ of [1, 2]) {
    await chat.field.fill('/compact');
    await page.keyboard.press('Enter');
    await expect(chat.field).toHaveValue('');
    await expect(boundary.rows).toHaveCount(1);
  }
  await expect(other.boundary.rows).toHaveCount(0);
  const releasedAt = Date.now();
  held.open();
  await writing.reached;
  const there = await seen(other.page);
  expect(there.seenAt - releasedAt, 'milliseconds from the release to the row in the second tab').toBeLessThan(1_000);
  await expect(other.boundary.rows).toHaveCount(1);
  await expect(boundary.rows).toHaveCount(1);
  expect(await row?.evaluate((one) => one === document.querySelector('[data-compaction-row]'))).toBe(true);
  await expect(boundary.slot).toHaveCount(1);

  // ux 17.2: a reload shows the row that runs, with the time since its beginning.
  await page.reload();
  await expect(boundary.rows).toHaveCount(1);
  await expect(boundary.rows).toContainText(/\d+\ss/);
  writing.open();
  for (const tab of [boundary, other.boundary]) {
    await expect(tab.cards).toHaveCount(1);
    await expect(tab.rows).toHaveCount(0);
  }
  expect(await api.compactions(id)).toHaveLength(1);
});

test('ux 17.1: three clicks on a message’s Compact make one row and one compaction', async ({
  page,
  chat,
  api,
  fakes,
  boundary,
}) => {
  const writing = createGate();
  const { model } = await fakes.connect({ respond: holdSummaries(writing) });
  const id = await chat.begin({ model });
  await chat.say(LONG);
  const held = createGate();
  await page.route('**/compact', async (route) => {
    await held.opened;
    await route.continue();
  });
  const button = chat.lastReply.getByRole('button', { name: 'Compact up to here' });
  await chat.lastReply.hover();
  await watchFor(page, '[data-compaction-row]');
  await button.click();
  const { seenAt, pressedAt } = await seen(page);
  expect(seenAt - pressedAt).toBeLessThan(100);
  await button.click();
  await button.click();
  await expect(boundary.rows).toHaveCount(1);
  held.open();
  await writing.reached;
  await expect(boundary.rows).toHaveCount(1);
  writing.open();
  await expect(boundary.cards).toHaveCount(1);
  await chat.settled();
  await expect(boundary.rows).toHaveCount(0);
  expect(await api.compactions(id)).toHaveLength(1);
});

test('C14, ux 6.3: a compaction that is stopped says that nothing changed', async ({ page, chat, fakes, boundary }) => {
  const never = createGate();
  const { model } = await fakes.connect({ respond: holdSummaries(never) });
  await chat.begin({ model });
  await chat.say(LONG);
  await chat.compactBySlash();
  await never.reached;
  await boundary.rows.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText('Compaction stopped. Nothing changed.').first()).toBeVisible();
  await expect(boundary.cards).toHaveCount(0);
  await chat.settled();
});
