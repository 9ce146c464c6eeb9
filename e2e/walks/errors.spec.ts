import type { FakeReply } from '../../server/model/testing/script';
import { expect, test } from '../fixtures';
import { WRONG_KEY } from '../verbs/fake-models';

/** What goes wrong is said where it went wrong, and the words a person wrote are kept (ux 15, case-E05). */

const refusals: readonly {
  readonly name: string;
  readonly reply: FakeReply;
  readonly says: string;
  readonly offers: string;
}[] = [
  { name: 'a wrong key', reply: WRONG_KEY, says: 'The key for this model was refused.', offers: 'Open keys' },
  {
    name: 'an unknown model',
    reply: {
      status: 404,
      body: {
        error: { message: 'The model `m` does not exist', type: 'invalid_request_error', code: 'model_not_found' },
      },
    },
    says: 'model',
    offers: 'Use another model',
  },
  {
    name: 'a used up quota',
    reply: { status: 402, body: { error: { message: 'Insufficient balance', code: 'insufficient_quota' } } },
    says: 'The quota or credit of this provider is used up.',
    offers: 'Use another model',
  },
];

for (const { name, reply, says, offers } of refusals) {
  test(`ux 15: ${name} is said under the message, which stays, and another model can take over`, async ({
    page,
    chat,
    api,
    fakes,
    picture,
  }) => {
    const broken = await fakes.connect({ respond: () => reply });
    const id = await chat.begin({ model: broken.model });
    await chat.say('A question that must not be lost');
    const said = chat.transcript.getByRole('article', { name: 'You said' });
    await expect(said).toContainText('A question that must not be lost');
    await expect(chat.lastReply).toContainText(says);
    await expect(chat.lastReply.getByRole('button', { name: offers })).toBeVisible();
    await chat.lastReply.getByRole('button', { name: 'Details' }).click();
    await expect(chat.lastReply.locator('pre')).toContainText(/status: 40\d/);
    // What is kept of the answer holds no key (contract 20).
    await expect(chat.lastReply).not.toContainText('sk-e2e-0123456789abcdef');
    await picture(name.replaceAll(' ', '-'));
    const other = await fakes.connect();
    await api.raw('PATCH', `/agent-sessions/${id}`, { data: { model: other.model } });
    await chat.say('Again');
    await expect(chat.lastReply).toContainText(/You said: .*Again/);
    await expect(said).toHaveCount(2);
    await page.reload();
    await expect(said).toHaveCount(2);
  });
}

test('ux 15: a provider that is down is said so, and Continue answers once it is back', async ({
  chat,
  fakes,
  api,
}) => {
  test.slow();
  const down: FakeReply = { reset: true };
  const server = await fakes.connect();
  server.push(...Array.from({ length: 3 }, () => down));
  const id = await chat.begin({ model: server.model });
  await chat.say('Are you there?');
  await expect(chat.lastReply).toContainText('could not be reached');
  expect((await api.session(id)).lastTurn).toMatchObject({ outcome: 'failed', code: 'provider_network' });
  await chat.lastReply.getByRole('button', { name: 'Continue' }).click();
  await expect(chat.lastReply).toContainText('You said: Are you there?');
});

test('case-E05: what the server refuses comes back into the field, also when it is too large to take', async ({
  page,
  chat,
  watch,
}) => {
  // The browser itself reports every refused request as an error.
  watch.forgive(/Failed to load resource: the server responded with a status of 413/);
  await chat.begin();
  const large = `${'A line of a long paste, as it comes from a log file.\n'.repeat(19_300)}The end`;
  // Put there in one go: typing a megabyte through the browser's editing commands takes it minutes.
  await chat.field.evaluate((field, text) => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field, text);
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }, large);
  await chat.field.press('Enter');
  const notice = page.getByRole('alert').filter({ hasText: 'Not sent.' });
  await expect(notice).toBeVisible();
  expect(await chat.field.inputValue()).toBe(large);
});

test('case-E05: words typed while a send fails are not overwritten; the old ones are offered back', async ({
  page,
  chat,
  watch,
}) => {
  watch.forgive(/Failed to load resource/);
  await chat.begin();
  let fail: () => void = () => undefined;
  const failing = new Promise<void>((resolve) => {
    fail = resolve;
  });
  await page.route('**/messages', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await failing;
    await route.abort('connectionfailed');
  });
  await chat.field.fill('The first words');
  await chat.field.press('Enter');
  await expect(chat.field).toHaveValue('');
  await chat.field.fill('Newer words');
  fail();
  const notice = page.getByRole('alert').filter({ hasText: 'Not sent.' });
  await expect(notice).toBeVisible();
  await expect(chat.field).toHaveValue('Newer words');
  await notice.getByRole('button', { name: 'Put it back' }).click();
  await expect(chat.field).toHaveValue('The first words\n\nNewer words');
});

test('ux 10: drafts survive a reload and a change of conversation, each in its own', async ({ page, chat, api }) => {
  const one = await chat.begin({ title: 'One' });
  await chat.field.fill('Draft of one');
  await page.reload();
  await expect(chat.field).toHaveValue('Draft of one');
  const two = await chat.begin({ title: 'Two' });
  await expect(chat.field).toHaveValue('');
  await chat.field.fill('Draft of two');
  const rail = page.getByRole('navigation', { name: 'Sessions' });
  await rail.locator(`a[href="/c/${one}"]`).click();
  await expect(page).toHaveURL(new RegExp(one));
  await expect(chat.field).toHaveValue('Draft of one');
  await rail.locator(`a[href="/c/${two}"]`).click();
  await expect(page).toHaveURL(new RegExp(two));
  await expect(chat.field).toHaveValue('Draft of two');
  await expect
    .poll(async () => (await (await api.raw('GET', `/agent-sessions/${one}/draft`)).json()).text)
    .toBe('Draft of one');
});

test('ux 10, ux 17.16: Enter while an input method composes neither sends nor runs a command', async ({
  page,
  context,
  chat,
  api,
}) => {
  const id = await chat.begin();
  await chat.field.focus();
  const browser = await context.newCDPSession(page);
  await browser.send('Input.imeSetComposition', { text: 'みなと', selectionStart: 3, selectionEnd: 3 });
  await expect(chat.field).toHaveValue('みなと');
  // 229 is what a browser says of every key an input method takes for itself.
  await browser.send('Input.dispatchKeyEvent', {
    type: 'rawKeyDown',
    key: 'Process',
    code: 'Enter',
    windowsVirtualKeyCode: 229,
  });
  await browser.send('Input.dispatchKeyEvent', {
    type: 'keyUp',
    key: 'Enter',
    code: 'Enter',
    windowsVirtualKeyCode: 13,
  });
  await browser.send('Input.insertText', { text: 'みなと' });
  await expect(chat.field).toHaveValue('みなと');
  expect(await api.messages(id)).toEqual([]);
  await chat.field.fill('/comp');
  await expect(chat.menu).toBeVisible();
  await chat.field.evaluate((field) => {
    const event = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, isComposing: true });
    field.dispatchEvent(event);
  });
  await expect(chat.menu).toBeVisible();
  await expect(chat.field).toHaveValue('/comp');
});
