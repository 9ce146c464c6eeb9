import type { Page } from '@playwright/test';
import { planAnswerSchema } from '../../server/contract/plan';
import { createGate } from '../../server/model/testing/script';
import { expect, test } from '../fixtures';
import { axeFinds } from '../verbs/axe-finds';
import { answerTurns } from '../verbs/fake-models';

/** Walk 8, the way back: branches as they were left, what stays told, and two tabs that meet (L4, L5, X5, ux 15). */

const LONG = 'The harbour office moves from one table to two. '.repeat(60);

const question = (page: Page, text: string) => page.locator('article.user-turn').filter({ hasText: text });
const spoken = (page: Page) => page.locator('[data-live="status"]');
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest('[data-block]')?.getAttribute('data-kind') ?? null);

/** Holds the next request to an address until the gate is opened. */
async function hold(page: Page, address: RegExp) {
  const gate = createGate();
  await page.route(
    address,
    async (route) => {
      gate.arrive();
      await gate.opened;
      await route.continue();
    },
    { times: 1 },
  );
  return gate;
}

async function editTo(page: Page, from: string, to: string): Promise<void> {
  const message = question(page, from);
  await message.hover();
  await message.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('form', { name: 'Edit your message' }).getByRole('textbox').fill(to);
}

test('L4, L5, X5: an arrow brings a branch back with its plan by hand, its summary and the part shown; so does a new branch', async ({
  page,
  chat,
  api,
  fakes,
  boundary,
}) => {
  test.slow();
  const { model } = await fakes.connect();
  const id = await chat.begin({ model });
  const plan = async (of: string) =>
    (await api.call('GET', `/agent-sessions/${of}/plan`, planAnswerSchema)).items.map(({ text }) => text);
  await chat.say(`One. ${LONG}`);
  await chat.say(`Two. ${LONG}`);
  await chat.compactBySlash();
  await chat.settled();
  await boundary.open();
  await boundary.section('Covers').getByRole('button', { name: 'View covered messages' }).click();
  const part = page.getByRole('region', { name: 'Covered messages' }).locator('article.reply').first();
  await part.hover();
  await part.getByRole('button', { name: /Put this part back into the model’s view \(/ }).click();
  await expect(part).toContainText('In the model’s view again.');
  await chat.say('Three.');
  await api.raw('PUT', `/agent-sessions/${id}/plan`, {
    data: { items: [{ id: 'p1', text: 'By hand', status: 'active' }] },
  });
  const left = await api.session(id);

  await editTo(page, 'Three.', 'Three, in other words.');
  await page.keyboard.press('Enter');
  await expect(question(page, 'Three, in other words.')).toHaveCount(1);
  await chat.settled();
  expect(await plan(id)).toEqual([]);
  await page.getByRole('button', { name: 'Previous branch', exact: true }).press('Enter');
  await expect(page.getByRole('group', { name: 'Branch 1 of 2' })).toBeVisible();
  expect(await plan(id)).toEqual(['By hand']);
  const back = await api.session(id);
  expect([back.context.usedBytes, back.summaries]).toEqual([left.context.usedBytes, 1]);
  await expect(part).toContainText('In the model’s view again.');

  await chat.field.fill('/branch');
  await page.keyboard.press('Enter');
  await expect.poll(() => chat.id()).not.toBe(id);
  expect(await plan(chat.id())).toEqual(['By hand']);
  expect((await api.session(chat.id())).context.usedBytes).toBe(left.context.usedBytes);
});

test('L4: where a person went back stays told after the next message and a reload, and leads there by keys', async ({
  page,
  chat,
  api,
  fakes,
  picture,
}) => {
  const { model } = await fakes.connect();
  const id = await chat.begin({ model });
  for (const text of ['One.', 'Two.', 'Three.']) await chat.say(text);
  await api.raw('PUT', `/agent-sessions/${id}/plan`, {
    data: { items: [{ id: 'p1', text: 'By hand', status: 'active' }] },
  });
  await chat.replies.first().hover();
  await chat.replies.first().getByRole('button', { name: 'Go back to here', exact: true }).click();
  await expect(page.getByRole('region', { name: 'You went back' })).toBeVisible();
  await chat.say('Another two.');
  const line = chat.transcript.locator('.crossroads').getByRole('listitem');
  await expect(line).toHaveText(/^You went back to here at .*; 4 messages are kept\. Return to them$/);
  await page.reload();
  await expect(line).toHaveCount(1);
  await picture('went-back-line');
  expect(await axeFinds(page)).toEqual([]);
  expect(await (await api.raw('GET', `/agent-sessions/${id}/export?format=markdown`)).text()).toMatch(
    /\*Went back to here · .*4 messages are kept/,
  );

  await line.getByRole('button', { name: 'Return to them' }).press('Enter');
  await expect(page.locator('article.user-turn')).toHaveCount(3);
  await expect(spoken(page)).toContainText('You are back where you were.');
  await expect.poll(() => focused(page)).toBe('reply');
  expect((await api.call('GET', `/agent-sessions/${id}/plan`, planAnswerSchema)).items).toHaveLength(1);
  // And by the slot: the focus is never lost to the page.
  await chat.replies.first().getByRole('button', { name: 'Go back to here', exact: true }).press('Enter');
  const slot = page.getByRole('region', { name: 'You went back' });
  await slot.getByRole('button', { name: 'Return' }).press('Enter');
  await expect(page.locator('article.user-turn')).toHaveCount(3);
  await expect.poll(() => focused(page)).toBe('reply');
});

test('L4, L5: the mark leads to what was left as it was left last, and /undo leaves nothing that was changed since', async ({
  page,
  chat,
  api,
  fakes,
}) => {
  const { model } = await fakes.connect();
  const id = await chat.begin({ model });
  const plan = async () =>
    (await api.call('GET', `/agent-sessions/${id}/plan`, planAnswerSchema)).items.map(({ text }) => text);
  for (const text of ['One.', 'Two.']) await chat.say(text);
  const goBack = () =>
    chat.replies.first().getByRole('button', { name: 'Go back to here', exact: true }).press('Enter');
  await goBack();
  await expect(page.locator('article.user-turn')).toHaveCount(1);
  await expect.poll(() => focused(page)).toBe('reply');
  await expect(page.getByRole('region', { name: 'You went back' })).toBeVisible();
  await chat.field.fill('/undo');
  await page.keyboard.press('Enter');
  await expect(page.locator('article.user-turn')).toHaveCount(2);
  await expect(page.locator('.slot')).toContainText(/You are back where you were at .*: 2 messages are back\./);

  await goBack();
  await expect(page.locator('article.user-turn')).toHaveCount(1);
  await chat.say('Another two.');
  await page.getByRole('button', { name: 'Return to them' }).press('Enter');
  await expect(question(page, 'Another two.')).toHaveCount(0);
  await api.raw('PUT', `/agent-sessions/${id}/plan`, {
    data: { items: [{ id: 'p1', text: 'By hand', status: 'active' }] },
  });
  await chat.field.fill('/undo');
  await expect(page.getByRole('option', { name: /undo/ })).toContainText('You said or changed something since');
  await page.keyboard.press('Enter');
  await expect(chat.field).toBeFocused();
  await expect(question(page, 'Another two.')).toHaveCount(0);
  expect(await plan()).toEqual(['By hand']);
  await chat.field.fill('');
  await page.getByRole('button', { name: 'Next branch', exact: true }).press('Enter');
  await expect(question(page, 'Another two.')).toHaveCount(1);
  expect(await plan()).toEqual([]);
  await page.getByRole('button', { name: 'Previous branch', exact: true }).press('Enter');
  await expect(question(page, 'Another two.')).toHaveCount(0);
  expect(await plan()).toEqual(['By hand']);
  await expect(chat.transcript.getByText('You went back to here')).toHaveCount(0);
});

test('ux 15: what another tab did meanwhile is said at the message, spoken, and both tabs agree', async ({
  page,
  chat,
  fakes,
  boundary,
  openTab,
  picture,
  watch,
}) => {
  test.slow();
  watch.forgive(/status of 409/);
  const { model } = await fakes.connect();
  const id = await chat.begin({ model });
  await chat.say(`One. ${LONG}`);
  await chat.say(`Two. ${LONG}`);
  await chat.compactBySlash();
  await chat.settled();
  const other = await openTab();
  await other.chat.open(id);
  const part = (of: Page) => of.getByRole('region', { name: 'Covered messages' }).locator('article.reply').first();
  const put = (of: Page) => part(of).getByRole('button', { name: /Put this part back into the model’s view \(/ });
  for (const tab of [{ page, boundary }, other]) {
    await tab.boundary.open();
    await tab.boundary.section('Covers').getByRole('button', { name: 'View covered messages' }).click();
  }
  const held = await hold(page, /\/expand$/);
  await part(page).hover();
  await put(page).press('Enter');
  await held.reached;
  await part(other.page).hover();
  await put(other.page).click();
  await expect(part(other.page)).toContainText('In the model’s view again.');
  held.open();
  await expect(part(page)).toContainText('This part is shown to the model already.');
  await expect(spoken(page)).toContainText('This part is shown to the model already.');
  for (const tab of [page, other.page]) await expect(part(tab)).toContainText('In the model’s view again.');
  await picture('refused-in-place');
  expect(await axeFinds(page)).toEqual([]);

  // A summary that the other tab took back while this one asked whether to.
  const ask = page.getByRole('group', { name: 'Revert this summary' });
  await boundary.newest.locator('[data-fold-head]').focus();
  await page.keyboard.press('r');
  await expect(ask.getByRole('button', { name: 'Revert' })).toBeFocused();
  const reverting = await hold(page, /\/compactions\/\w+\/revert$/);
  await page.keyboard.press('Enter');
  await reverting.reached;
  await other.boundary.newest.locator('[data-fold-head]').focus();
  await other.page.keyboard.press('r');
  await other.page
    .getByRole('group', { name: 'Revert this summary' })
    .getByRole('button', { name: 'Revert' })
    .press('Enter');
  await expect(other.page.getByText(/reverted at \d/)).toBeVisible();
  await expect(page.getByText(/reverted at \d/)).toBeVisible();
  reverting.open();
  const told = page.getByRole('alert').filter({ hasText: 'moved on in another window' });
  await expect(told).toContainText('This summary was reverted already.');
  await told.getByRole('button', { name: 'Show the message' }).press('Enter');
  await expect(told).toHaveCount(0);
});

test('ux 15, L4: words of an edit that another tab left behind are in the composer, and nothing is lost', async ({
  page,
  chat,
  api,
  fakes,
  openTab,
  picture,
}) => {
  const { model } = await fakes.connect();
  const id = await chat.begin({ model });
  for (const text of ['One.', 'Two.']) await chat.say(text);
  const other = await openTab();
  await other.chat.open(id);
  await editTo(page, 'Two.', 'Two, said here.');
  await editTo(other.page, 'Two.', 'Two, said there.');
  await other.page.keyboard.press('Enter');
  await expect(question(page, 'Two, said there.')).toHaveCount(1);
  await expect(chat.field).toHaveValue('Two, said here.');
  const told = page.getByRole('alert').filter({ hasText: 'The message you were editing' });
  await expect(told).toContainText('Your words are in the composer.');
  await picture('edited-elsewhere');
  expect(await axeFinds(page)).toEqual([]);
  await other.chat.settled();
  // The way to it: it stands on a branch that was left, and is gone to by a key.
  await told.getByRole('button', { name: 'Show the message' }).press('Enter');
  await page.getByRole('button', { name: 'Go there' }).press('Enter');
  for (const tab of [page, other.page]) await expect(question(tab, 'Two.').first()).toBeVisible();
  await expect(page.getByRole('group', { name: 'Branch 1 of 2' })).toBeVisible();
  await expect(chat.field).toHaveValue('Two, said here.');
  expect((await api.messages(id)).filter(({ role }) => role === 'user')).toHaveLength(2);
});

test('X5: taking back a summary that took in an older one counts what comes back, says what is true, and covers no banner', async ({
  page,
  chat,
  api,
  fakes,
  boundary,
  picture,
}) => {
  test.slow();
  await api.settings({ compaction: { auto: false } });
  const { model } = await fakes.connect({
    window: 8_000,
    // An echo would fill the small window by itself.
    respond: answerTurns(() => [{ text: 'Noted.' }]),
  });
  await chat.begin({ model });
  await chat.say('One.');
  await chat.say(`Two. ${LONG.repeat(3)}`);
  await chat.compactBySlash();
  await chat.settled();
  for (const text of ['Three.', 'Four.', 'Five.']) await chat.say(`${text} ${LONG}`);
  // From the card, on from where it stands.
  await boundary.open();
  await boundary.newest.getByRole('button', { name: 'Compact again from here' }).press('Enter');
  await expect(boundary.newest).toContainText(/Summary of (\d+) messages/);
  await chat.settled();
  await expect.poll(async () => (await api.session(chat.id())).summaries).toBe(2);
  await api.settings({ compaction: { auto: true } });
  await page.reload();
  await boundary.newest.locator('[data-fold-head]').focus();
  await page.keyboard.press('r');
  const ask = page.getByRole('group', { name: 'Revert this summary' });
  await expect(ask).toContainText(
    /Put 6 messages back into context\? The summary before it applies again, to 4 messages\./,
  );
  await expect(ask).toContainText('That is more than fits: the next message compacts again.');
  await picture('revert-over-older');
  await ask.getByRole('button', { name: 'Revert' }).press('Enter');
  const toast = page.locator('[data-toast] > *');
  await expect(toast).toContainText('6 messages are back. The summary before it applies again, to 4 messages.');
  const banner = page.locator('.chat-foot .slot');
  await expect(banner).toContainText('More than fits.');
  const [above, below] = [await toast.boundingBox(), await banner.boundingBox()];
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
  await picture('toast-above-banner');
});
