import type { Page } from '@playwright/test';
import { planAnswerSchema } from '../../server/contract/plan';
import { createAnswerLikeAModel } from '../../server/model/testing/answer-like-a-model';
import type { Respond } from '../../server/model/testing/fake-server';
import { createGate } from '../../server/model/testing/script';
import { expect, test } from '../fixtures';
import { axeFinds } from '../verbs/axe-finds';
import { answerTurns } from '../verbs/fake-models';

/** Walk 8: back and forth in a conversation, by its own messages, its branches and its summaries (L4, X5, ux 5, 6.2). */

const LONG = 'The harbour office moves from one table to two. '.repeat(60);

/** Answers with a number of its own each time, so that another try can be told from the first. */
function countReplies(): Respond {
  let n = 0;
  return answerTurns((parts) => {
    n += 1;
    return [{ text: `Reply number ${n}. ` }, ...parts];
  });
}

const question = (page: Page, text: string) => page.locator('article.user-turn').filter({ hasText: text });

test('L4, ux 5: the very first message in other words; arrows lead to each branch as it was left', async ({
  page,
  chat,
  api,
  fakes,
  openTab,
  picture,
}) => {
  const { model } = await fakes.connect({ respond: countReplies() });
  const id = await chat.begin({ model });
  await chat.say('How deep is the harbour?');
  await chat.say('And the river?');
  const other = await openTab();
  await other.chat.open(id);

  const first = question(page, 'How deep is the harbour?');
  await first.hover();
  await first.getByRole('button', { name: 'Edit' }).click();
  const editor = page.getByRole('form', { name: 'Edit your message' });
  await expect(editor.getByRole('textbox')).toBeFocused();
  await editor.getByRole('textbox').fill('How wide is the harbour?');
  await picture('editor');
  expect(await axeFinds(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(question(page, 'How wide is the harbour?')).toHaveCount(1);
  await chat.settled();
  for (const tab of [page, other.page]) {
    await expect(tab.locator('article.user-turn')).toHaveCount(1);
    await expect(tab.locator('article.reply')).toHaveCount(1);
    await expect(tab.getByRole('group', { name: 'Branch 2 of 2' })).toBeVisible();
  }
  expect(await api.messages(id)).toHaveLength(2);

  await page.getByRole('button', { name: 'Previous branch', exact: true }).click();
  for (const tab of [page, other.page]) {
    await expect(tab.getByRole('group', { name: 'Branch 1 of 2' })).toBeVisible();
    // As it was left: with what was said after it.
    await expect(question(tab, 'And the river?')).toHaveCount(1);
    await expect(tab.locator('article.user-turn')).toHaveCount(2);
    await expect(tab.locator('article.reply')).toHaveCount(2);
  }
  await expect(page.getByRole('button', { name: 'Previous branch: there is none' })).toBeFocused();
  await expect(page.getByRole('region', { name: 'You went back' })).toHaveCount(0);
  await picture('branches');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('group', { name: 'Branch 2 of 2' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('group', { name: 'Branch 2 of 2' })).toBeVisible();
});

test('L4, ux 16: another try by the key T stands beside the first; E, Y and J work on the focused message', async ({
  page,
  context,
  chat,
  fakes,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { model } = await fakes.connect({ respond: countReplies() });
  await chat.begin({ model });
  await chat.say('How deep is the harbour?');
  await expect(chat.lastReply).toContainText('Reply number 1.');
  await chat.transcript.focus();
  await chat.transcript.evaluate((view) => view.scrollTo(0, 0));
  await chat.lastReply.hover();
  await chat.lastReply.getByRole('button', { name: 'Copy message' }).focus();
  await page.keyboard.press('t');
  await expect(chat.lastReply).toContainText('Reply number 2.');
  await chat.settled();
  await expect(page.locator('article.reply')).toHaveCount(1);
  await expect(page.getByRole('group', { name: 'Branch 2 of 2' })).toBeVisible();
  await page.getByRole('button', { name: 'Previous branch', exact: true }).press('Enter');
  await expect(chat.lastReply).toContainText('Reply number 1.');
  await page.keyboard.press('y');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('Reply number 1.');
  await question(page, 'How deep').getByRole('button', { name: 'Copy message' }).focus();
  await page.keyboard.press('e');
  await expect(page.getByRole('form', { name: 'Edit your message' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('form', { name: 'Edit your message' })).toHaveCount(0);
  await expect(question(page, 'How deep')).toHaveCount(1);
});

test('L4: go back, look around, return; while a reply runs every action says why it waits', async ({
  page,
  chat,
  api,
  fakes,
  openTab,
  picture,
}) => {
  const held = createGate();
  const answer = createAnswerLikeAModel();
  const { model } = await fakes.connect({
    respond: (request) => {
      const reply = answer(request);
      return request.text.includes('hold this') && 'parts' in reply
        ? { ...reply, parts: [{ gate: held }, ...reply.parts] }
        : reply;
    },
  });
  const id = await chat.begin({ model });
  await chat.say('One.');
  await chat.say('Two.');
  await chat.say('Three.');
  const before = await api.messages(id);
  const other = await openTab();
  await other.chat.open(id);

  const back = () => chat.replies.first().getByRole('button', { name: 'Go back to here', exact: true });
  await chat.replies.first().hover();
  await back().click();
  const slot = page.getByRole('region', { name: 'You went back' });
  await expect(slot).toContainText('4 messages are kept');
  for (const tab of [page, other.page]) await expect(tab.locator('article.user-turn')).toHaveCount(1);
  await expect(chat.transcript).toContainText('You went back to here at');
  await picture('went-back');
  expect(await axeFinds(page)).toEqual([]);
  await slot.getByRole('button', { name: 'Return' }).click();
  for (const tab of [page, other.page]) await expect(tab.locator('article.user-turn')).toHaveCount(3);
  await expect(slot).toHaveCount(0);
  expect((await api.messages(id)).map((one) => one.id)).toEqual(before.map((one) => one.id));

  // The same by command.
  await chat.replies.first().hover();
  await back().click();
  await expect(slot).toBeVisible();
  await chat.field.fill('/undo');
  await page.keyboard.press('Enter');
  await expect(page.locator('article.user-turn')).toHaveCount(3);

  await chat.send('hold this');
  await held.reached;
  await chat.replies.first().hover();
  const waits = chat.replies.first().getByRole('button', { name: 'Go back to here: A reply runs.' });
  await expect(waits).toHaveAttribute('aria-disabled', 'true');
  // A person can press it, and is told why; the test's own click would wait until it is enabled.
  await waits.press('Enter');
  await expect(chat.replies.first()).toContainText('A reply runs. Stop it, or wait for its end.');
  held.open();
  await chat.settled();
});

test('L3, L4: a branch is a conversation of its own, with links both ways', async ({ page, chat, fakes, picture }) => {
  const { model } = await fakes.connect();
  const id = await chat.begin({ model });
  await chat.say('One.');
  await chat.say('Two.');
  await chat.replies.first().hover();
  await chat.replies.first().getByRole('button', { name: 'Branch from here' }).click();
  await page.waitForURL((url) => url.pathname.startsWith('/c/') && !url.pathname.endsWith(id));
  await expect(page.locator('article.user-turn')).toHaveCount(1);
  await expect(chat.transcript).toContainText('Branched here from');
  await chat.say('Another two.');
  await picture('branch');
  await page.locator('.parent-link').getByRole('link').click();
  await page.waitForURL((url) => url.pathname.endsWith(id));
  await expect(page.locator('article.user-turn')).toHaveCount(2);
  await expect(chat.transcript).toContainText('A branch begins here');
  await chat.transcript.locator('.crossroads').getByRole('link').click();
  await expect(question(page, 'Another two.')).toHaveCount(1);
  await chat.field.fill('/branch');
  await page.keyboard.press('Enter');
  await expect.poll(() => chat.id()).not.toBe(id);
});

test('X5, ux 6.2: a summary is taken back ten turns later, with the sizes before and after', async ({
  page,
  chat,
  api,
  fakes,
  boundary,
  openTab,
  picture,
}) => {
  test.setTimeout(120_000);
  const { model } = await fakes.connect();
  const id = await chat.begin({ model });
  await chat.say(LONG);
  await chat.say('The second thing.');
  await chat.compactBySlash();
  await chat.settled();
  for (let turn = 1; turn <= 10; turn += 1) await chat.say(`Turn ${turn}.`);
  await chat.say(LONG);
  await chat.compactBySlash();
  await chat.settled();
  await expect(boundary.newest).toBeVisible();
  const other = await openTab();
  await other.chat.open(id);

  // An older one says why not.
  await boundary.open();
  await boundary.section('Covers').getByRole('button', { name: 'View covered messages' }).click();
  await expect(boundary.cards).toHaveCount(2);
  const older = boundary.cards.first();
  await older.locator('[data-fold-head]').focus();
  await page.keyboard.press('r');
  await expect(older).toContainText('Revert newer summaries first (1)');
  await page
    .getByRole('region', { name: 'Covered messages' })
    .last()
    .getByRole('button', { name: 'Fold again' })
    .click();

  const full = (await api.session(id)).context.usedBytes;
  await boundary.newest.locator('[data-fold-head]').focus();
  await page.keyboard.press('r');
  const ask = page.getByRole('group', { name: 'Revert this summary' });
  await expect(ask).toContainText(
    /Put 22 messages back into context\? The summary before it applies again, to 4 messages\. \d.* to .* of/,
  );
  await picture('revert-asked');
  expect(await axeFinds(page)).toEqual([]);
  await expect(ask.getByRole('button', { name: 'Revert' })).toBeFocused();
  await page.keyboard.press('Enter');
  for (const tab of [page, other.page]) await expect(tab.getByText(/reverted at \d/)).toBeVisible();
  expect((await api.session(id)).context.usedBytes).toBeGreaterThan(full);
  await expect(page.locator('[data-toast]')).toContainText(/The model’s view was .* and is now/);
  await picture('reverted');
  // The one before it, eleven turns old by now, is the newest in force.
  await boundary.newest.locator('[data-fold-head]').focus();
  await page.keyboard.press('r');
  await ask.getByRole('button', { name: 'Revert' }).press('Enter');
  for (const tab of [page, other.page]) await expect(tab.getByText(/reverted at \d/)).toHaveCount(2);
  await expect(boundary.cards).toHaveCount(0);
  await page.locator('[data-toast]').getByRole('button', { name: 'Undo' }).click();
  for (const tab of [page, other.page]) await expect(tab.locator('section.boundary')).toHaveCount(1);
  await chat.say('And on.');
  await expect(chat.lastReply).toContainText('And on.');
});

test('X5: one part of what a summary covers goes back into the model’s view, and out of it again', async ({
  page,
  chat,
  fakes,
  boundary,
  picture,
}) => {
  const { model, requests } = await fakes.connect({
    // An echo would bring the words back by itself.
    respond: answerTurns(() => [{ text: 'Noted.' }]),
  });
  await chat.begin({ model });
  await chat.say('Good day.');
  await chat.say(`The lock limit is 3 seconds. ${LONG}`);
  await chat.compactBySlash();
  await chat.settled();
  await boundary.open();
  await boundary.section('Covers').getByRole('button', { name: 'View covered messages' }).click();
  const covered = page.getByRole('region', { name: 'Covered messages' });
  const part = covered.locator('article.user-turn').filter({ hasText: 'The lock limit' });
  await part.hover();
  await part.getByRole('button', { name: /Put this part back into the model’s view \(/ }).click();
  await expect(part).toContainText('In the model’s view again.');
  await expect(part).toContainText(/The model’s view was [\d.]+\skB and is now [\d.]+\skB/);
  const [, was, is] = /view was ([\d.]+)\skB and is now ([\d.]+)\skB/.exec((await part.textContent()) ?? '') ?? [];
  expect(Number(is) - Number(was), 'kB that came back').toBeGreaterThan(2);
  await expect(covered).toContainText('Not in the model’s context, but for one part.');
  await picture('part-shown-again');
  expect(await axeFinds(page)).toEqual([]);
  await chat.say('What is the limit?');
  expect(requests.at(-1)?.text).toContain('The lock limit is 3 seconds.');
  await part.hover();
  await part.getByRole('button', { name: 'Take this part out of the model’s view again' }).click();
  await expect(part).not.toContainText('In the model’s view again.');
  await chat.say('And now?');
  expect(requests.at(-1)?.text).not.toContain('The lock limit is 3 seconds.');
});

test('L5, ux 13: the plan by hand; it returns with the place of the conversation it belongs to', async ({
  page,
  chat,
  api,
  fakes,
  picture,
}) => {
  const { model } = await fakes.connect();
  const id = await chat.begin({ model });
  const plan = async () => (await api.call('GET', `/agent-sessions/${id}/plan`, planAnswerSchema)).items;
  await chat.say('One.');
  const desk = page.getByRole('complementary', { name: 'Desk' });
  if (!(await desk.isVisible())) await page.getByRole('button', { name: 'Desk', exact: true }).click();
  await desk.getByRole('button', { name: 'Write a plan' }).click();
  for (const step of ['Measure', 'Cut', 'Sand']) {
    await desk.getByRole('textbox', { name: 'New step' }).fill(step);
    await page.keyboard.press('Enter');
    await expect(desk.getByRole('textbox', { name: `Step: ${step}` })).toBeVisible();
  }
  await desk.getByRole('button', { name: 'Move Sand up' }).click();
  await desk.getByRole('combobox', { name: 'State of Measure' }).selectOption('done');
  await desk.getByRole('textbox', { name: 'Step: Cut' }).fill('Cut twice');
  await page.keyboard.press('Enter');
  await expect(desk.getByRole('textbox', { name: 'Step: Cut twice' })).toBeVisible();
  await picture('plan-by-hand');
  expect(await axeFinds(page)).toEqual([]);
  await desk.getByRole('button', { name: 'Done', exact: true }).click();
  await expect(desk).toContainText('1 of 3 done');
  await expect
    .poll(async () => (await plan()).map(({ text, status }) => `${text} ${status}`))
    .toEqual(['Measure done', 'Sand pending', 'Cut twice pending']);

  await chat.say('Two.');
  await desk.getByRole('button', { name: 'Edit the plan' }).click();
  await desk.getByRole('button', { name: 'Remove Sand' }).click();
  await expect(desk.getByRole('textbox', { name: 'Step: Sand' })).toHaveCount(0);
  await desk.getByRole('button', { name: 'Done', exact: true }).click();
  await expect.poll(async () => (await plan()).length).toBe(2);
  // At the question the plan is the one that applied there.
  const two = question(page, 'Two.');
  await two.hover();
  await two.getByRole('button', { name: 'Go back to here', exact: true }).click();
  await expect(desk).toContainText('1 of 3 done');
  await page.getByRole('region', { name: 'You went back' }).getByRole('button', { name: 'Return' }).click();
  await expect(desk).toContainText('1 of 2 done');
});

test('B6: what a trim left out is taken back, with the sizes before and after', async ({
  chat,
  api,
  boundary,
  picture,
}) => {
  test.slow();
  await api.settings({ compaction: { auto: false } });
  await chat.begin({ model: { provider: 'practice', model: 'rules-1' } });
  for (let turn = 0; turn < 10 && (await boundary.trims.count()) === 0; turn += 1) await chat.say('tour');
  const trim = boundary.trims.last();
  await trim.getByRole('button', { name: 'Take back' }).click();
  await expect(trim).toContainText('Left out to fit until it was lifted');
  await expect(trim).toContainText(/The model’s view was .* and is now/);
  await expect(trim.getByRole('button', { name: 'Take back' })).toHaveCount(0);
  await picture('trim-taken-back');
  await api.settings({ compaction: { auto: true } });
});
