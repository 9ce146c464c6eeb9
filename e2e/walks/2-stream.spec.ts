import { createGate } from '../../server/model/testing/script';
import { expect, test } from '../fixtures';

/** Walk 2: text streams with Markdown, reasoning and tool cards; stop, reload and a second tab lose nothing. */

const FIRST = '# Berths\n\nThe **first** half, with `code`:\n\n```js\nconst fee = 12;\n```\n\n';
const SECOND = '- one\n- two\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\nThe end.';

test('ux 5: Markdown, reasoning and a tool card, while it streams and after', async ({ chat, fakes, picture }) => {
  const { push, model } = await fakes.connect();
  const half = createGate();
  push(
    {
      parts: [
        { reasoning: 'Look at the folder first.\nThen answer.' },
        { text: 'Looking.' },
        { call: { id: 'call_1', name: 'list_files', args: { path: '' } } },
      ],
      end: { reason: 'tool_calls', usage: { input: 100, output: 10 } },
    },
    {
      parts: [{ text: FIRST }, { gate: half }, { text: SECOND }],
      end: { reason: 'stop', usage: { input: 120, output: 40 } },
    },
  );
  await chat.begin({ model });
  await chat.send('What is in the workspace?');
  await half.reached;
  await expect(chat.status).toHaveText('Replying');
  await expect(chat.lastReply.locator('strong')).toHaveText('first');
  await expect(chat.lastReply.locator('pre code')).toContainText('const fee = 12;');
  await expect(chat.lastReply).not.toContainText('The end.');
  await picture('streaming');
  half.open();
  await chat.settled();
  await expect(chat.lastReply.getByRole('listitem')).toHaveText(['one', 'two']);
  await expect(chat.lastReply.getByRole('cell')).toHaveText(['1', '2']);
  await expect(chat.lastReply).toContainText('The end.');
  // Headings of a message never stand above those of the page.
  await expect(chat.lastReply.getByRole('heading', { name: 'Berths', level: 4 })).toBeVisible();

  const reasoning = chat.lastReply.getByRole('button', { name: 'Thought about it' });
  await expect(reasoning).toHaveAttribute('aria-expanded', 'false');
  await reasoning.click();
  await expect(chat.lastReply).toContainText('Look at the folder first.');
  await chat.lastReply.getByRole('button', { name: /1 step/ }).click();
  await chat.lastReply.locator('.step-row').click();
  await expect(chat.lastReply.locator('.step-body')).toContainText('README.md');
  await picture('finished');
});

test('case-E06, rel-R5: reloaded in mid-stream, nothing is lost or doubled; a second tab shows the same', async ({
  page,
  chat,
  api,
  fakes,
  openTab,
}) => {
  const { push, model } = await fakes.connect();
  const [first, second] = [createGate(), createGate()];
  const words = Array.from({ length: 60 }, (_, index) => `w${index}`);
  push({
    parts: [
      ...words.slice(0, 20).map((word) => ({ text: `${word} ` })),
      { gate: first },
      ...words.slice(20, 40).map((word) => ({ text: `${word} ` })),
      { gate: second },
      ...words.slice(40).map((word) => ({ text: `${word} ` })),
    ],
    end: { reason: 'stop', usage: { input: 10, output: 60 } },
  });
  const id = await chat.begin({ model });
  await chat.send('Count.');
  await first.reached;
  await expect(chat.lastReply).toContainText('w19');
  await page.reload();
  await expect(chat.lastReply).toContainText('w0 w1');
  await expect(chat.lastReply).toContainText('w19');
  first.open();
  await second.reached;
  await expect(chat.lastReply).toContainText('w39');
  const other = await openTab();
  await other.chat.open(id);
  await expect(other.chat.lastReply).toContainText('w39');
  second.open();
  const whole = words.join(' ');
  for (const tab of [chat, other.chat]) {
    await expect(tab.lastReply.locator('.prose')).toHaveText(whole);
    await expect(tab.replies).toHaveCount(1);
    await tab.settled();
  }
  await page.reload();
  await expect(chat.lastReply.locator('.prose')).toHaveText(whole);
  const replies = (await api.messages(id)).filter(({ role }) => role === 'assistant');
  expect(replies).toHaveLength(1);
});

test('ux 5: a long reply is followed once it would leave the view; whoever goes up is left alone and told', async ({
  page,
  chat,
  fakes,
}) => {
  const { push, model } = await fakes.connect();
  const [half, last] = [createGate(), createGate()];
  const lines = (from: number) => Array.from({ length: 60 }, (_, index) => `line ${from + index}\n\n`).join('');
  push({
    parts: [{ text: lines(0) }, { gate: half }, { text: lines(60) }, { gate: last }, { text: 'The end.' }],
    end: { reason: 'stop', usage: { input: 10, output: 60 } },
  });
  await chat.begin({ model });
  await chat.send('At length, please.');
  await half.reached;
  await expect(page.getByText('line 59', { exact: true })).toBeInViewport();
  const pill = page.locator('.to-end');
  await expect(pill).toHaveCount(0);
  await page.getByRole('region', { name: 'Transcript' }).press('Home');
  await expect(pill).toHaveText('New reply below');
  half.open();
  await last.reached;
  await expect(chat.lastReply).toContainText('line 119');
  await expect(page.getByText('line 119', { exact: true })).not.toBeInViewport();
  await pill.click();
  last.open();
  await expect(page.getByText('The end.', { exact: true })).toBeInViewport();
});

test('case-E07: stop ends the request to the provider; what came is kept and the reply can go on', async ({
  page,
  chat,
  fakes,
}) => {
  const { push, model, clientLeft } = await fakes.connect();
  const never = createGate();
  push({ parts: [{ text: 'So far, ' }, { gate: never }, { text: 'never said' }], end: { reason: 'stop' } });
  await chat.begin({ model });
  await chat.send('Begin.');
  await never.reached;
  await expect(chat.lastReply).toContainText('So far,');
  const left = clientLeft();
  await page.getByRole('button', { name: 'Stop the reply' }).click();
  await left;
  await chat.settled();
  await expect(chat.lastReply).toContainText('So far,');
  await expect(chat.lastReply).toContainText('Stopped. What came until then is kept.');
  await page.reload();
  await expect(chat.lastReply).toContainText('So far,');
  push({ parts: [{ text: 'and on.' }], end: { reason: 'stop' } });
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(chat.lastReply).toContainText('and on.');
  await expect(chat.transcript).not.toContainText('never said');
});

test('ux 10: Escape once says how to stop, twice stops', async ({ page, chat, fakes }) => {
  const { push, model } = await fakes.connect();
  const never = createGate();
  push({ parts: [{ text: 'On and on ' }, { gate: never }], end: { reason: 'stop' } });
  await chat.begin({ model });
  await chat.send('Begin.');
  await expect(chat.lastReply).toContainText('On and on');
  await chat.field.press('Escape');
  await expect(page.locator('[data-live="status"]')).toContainText('Press Escape again to stop');
  await expect(chat.status).toHaveText('Replying');
  await chat.field.press('Escape');
  await expect(chat.lastReply).toContainText('Stopped.');
});

test('C11, ux 7.5: a message sent while a reply runs waits as a chip, is edited there, and goes out in its turn', async ({
  page,
  chat,
  fakes,
}) => {
  const { push, model } = await fakes.connect();
  const held = createGate();
  push({ parts: [{ text: 'One ' }, { gate: held }, { text: 'done.' }], end: { reason: 'stop' } });
  await chat.begin({ model });
  await chat.send('First.');
  await held.reached;
  await expect(page.getByRole('button', { name: 'Stop the reply' })).toBeVisible();
  await chat.send('Second, with a typo.');
  const waiting = page.getByRole('region', { name: 'Waiting messages' });
  await expect(waiting).toContainText('Second, with a typo.');
  await waiting.getByRole('button', { name: 'Edit' }).click();
  await waiting.getByRole('textbox').fill('Second.');
  await waiting.getByRole('textbox').press('Enter');
  await expect(waiting).toContainText('Second.');
  held.open();
  await expect(chat.lastReply).toContainText('You said: Second.');
  await chat.settled();
  await expect(waiting).toHaveCount(0);
});
