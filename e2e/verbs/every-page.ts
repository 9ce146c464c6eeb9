import type { Page } from '@playwright/test';
import { SEED_IDS } from '../../server/session/seeds';
import type { Boundary } from './boundary';
import type { Chat } from './chat';
import type { FakeModels } from './fake-models';

/** A place of the application a person can stand at, and how one gets there. */
export interface Place {
  readonly name: string;
  /** A menu or a list that hangs on its button. */
  readonly popup?: true;
  readonly go: (page: Page, conversation: string) => Promise<void>;
}

const at =
  (path: string) =>
  async (page: Page): Promise<void> => {
    await page.goto(path);
    await page.locator('main').waitFor();
  };

const sections = ['general', 'appearance', 'models', 'compaction', 'carry-over', 'keyboard', 'data', 'about'] as const;

async function open(page: Page, conversation: string): Promise<void> {
  await page.goto(`/c/${conversation}`);
  await page.locator('section.boundary').waitFor();
}

/** Every page, and every dialog, menu and popover that lies over one. */
export const everyPlace: readonly Place[] = [
  { name: 'start', go: at('/') },
  { name: 'agents', go: at('/agents') },
  { name: 'an agent', go: at(`/agents/${SEED_IDS.guide}`) },
  { name: 'skills', go: at('/skills') },
  { name: 'a skill', go: at(`/skills/${SEED_IDS.reading}`) },
  { name: 'settings', go: at('/settings') },
  ...sections.map((section) => ({ name: `settings ${section}`, go: at(`/settings/${section}`) })),
  { name: 'not found', go: at('/nowhere') },
  { name: 'a conversation', go: open },
  {
    name: 'an open fold',
    go: async (page, conversation) => {
      await open(page, conversation);
      await page.locator('[data-fold-head]').last().click();
      await page.getByRole('button', { name: 'View covered messages' }).click();
      await page.getByRole('region', { name: 'Covered messages' }).waitFor();
    },
  },
];

/** What lies over a page; wide screens only, where every door is in sight. */
export const everyOverlay: readonly Place[] = [
  {
    name: 'slash menu',
    popup: true,
    go: async (page, conversation) => {
      await open(page, conversation);
      await page.locator('#composer textarea').pressSequentially('/');
      await page.getByRole('listbox', { name: 'Commands' }).waitFor();
    },
  },
  {
    name: 'palette',
    go: async (page, conversation) => {
      await open(page, conversation);
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog', { name: 'Go to' }).waitFor();
    },
  },
  {
    name: 'help',
    go: async (page, conversation) => {
      await open(page, conversation);
      await page.keyboard.press('Control+/');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'menu of a conversation',
    popup: true,
    go: async (page, conversation) => {
      await open(page, conversation);
      await page.getByRole('button', { name: 'Actions for this conversation' }).click();
      await page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'model picker',
    popup: true,
    go: async (page, conversation) => {
      await open(page, conversation);
      await page.locator('#composer .composer-foot button').first().click();
      await page.getByRole('listbox', { name: 'Models' }).waitFor();
    },
  },
  {
    name: 'Desk',
    go: async (page, conversation) => {
      await open(page, conversation);
      await page.getByRole('button', { name: 'Desk' }).first().click();
      await page.getByRole('complementary').waitFor();
    },
  },
  {
    name: 'ledger',
    go: async (page, conversation) => {
      await page.goto(`/c/${conversation}?desk=ledger`);
      const entry = page.getByRole('list', { name: 'Compactions, newest first' }).getByRole('button').first();
      await entry.click();
      await page.getByRole('heading', { name: '1 request' }).waitFor();
    },
  },
  {
    name: 'publish dialog',
    go: async (page) => {
      await page.goto(`/agents/${SEED_IDS.guide}`);
      await page.getByRole('button', { name: /^Publish v/ }).click();
      await page.getByRole('dialog', { name: /^Publish v/ }).waitFor();
    },
  },
  {
    name: 'comparison of versions',
    go: async (page) => {
      await page.goto(`/skills/${SEED_IDS.reading}`);
      await page.getByRole('checkbox', { name: 'Compare v1' }).check();
      await page.getByRole('checkbox', { name: 'Compare v2' }).check();
      await page.getByRole('button', { name: 'Compare v1 and v2' }).click();
      await page.getByRole('dialog').getByRole('table').waitFor();
    },
  },
  {
    name: 'settings over a conversation',
    go: async (page, conversation) => {
      await open(page, conversation);
      await page.locator('a[href="/settings"]').first().click();
      await page.getByRole('dialog', { name: 'Settings' }).waitFor();
    },
  },
];

const MARKDOWN = [
  '# A heading',
  'Text with `code`, a [link](https://example.org) and **weight**.',
  '```js\nconst aVeryLongLineOfCode = "that does not fit into any narrow column and must scroll inside its own box, not the page";\n```',
  '| one | two | three | four | five | six |\n| - | - | - | - | - | - |\n| aaaaaaaaaaaa | bbbbbbbbbbbb | cccccccccccc | dddddddddddd | eeeeeeeeeeee | ffffffffffff |',
  'https://example.org/a/very/long/address/that/has/no/place/to/break/and/goes/on/for/ever/and/ever/and/ever',
  '- [x] done\n- [ ] to do',
].join('\n\n');

/** A conversation that holds a bit of everything: Markdown, steps, a failed step, reasoning, a fold, an error. */
export async function makeFullConversation(tell: {
  readonly chat: Chat;
  readonly fakes: FakeModels;
  readonly boundary: Boundary;
}): Promise<string> {
  const { chat, fakes, boundary } = tell;
  const { push, model } = await fakes.connect();
  const id = await chat.begin({ model });
  await chat.say('Berth fees are due on the first of the month. '.repeat(60));
  await chat.compactBySlash('the due date');
  await boundary.newest.waitFor();
  await chat.settled();
  push(
    {
      parts: [
        { reasoning: 'Look first.' },
        { call: { id: 'c1', name: 'list_files', args: { path: '' } } },
        { call: { id: 'c2', name: 'read_file', args: { path: 'no/such/file.md' } } },
      ],
      end: { reason: 'tool_calls' },
    },
    { parts: [{ text: MARKDOWN }], end: { reason: 'stop' } },
  );
  await chat.say(`Show me everything ${'w'.repeat(120)}`);
  push({ status: 400, body: { error: { message: 'This request is not allowed.', code: 'bad_request' } } });
  await chat.say('Fail once.');
  return id;
}
