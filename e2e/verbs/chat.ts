import { expect, type Locator, type Page } from '@playwright/test';
import { postMessageAnswerSchema } from '../../server/contract/messages-api';
import { type CreateSession, sessionSchema } from '../../server/contract/session';
import type { Api } from './api';

/** What a person does in a conversation, on one page (one tab). */
export interface Chat {
  readonly page: Page;
  /** The id of the conversation that is shown. */
  id(): string;
  /** A new conversation, made beforehand, opened here. */
  begin(body?: CreateSession): Promise<string>;
  open(id: string): Promise<void>;
  /** Sends words and waits until the server has them, not until they are answered. */
  send(text: string): Promise<void>;
  /** Sends words and waits until nothing runs any more. */
  say(text: string): Promise<void>;
  /** Nothing runs or waits, and the page knows it. */
  settled(): Promise<void>;
  readonly field: Locator;
  readonly transcript: Locator;
  /** Replies that are mounted, oldest first. */
  readonly replies: Locator;
  readonly lastReply: Locator;
  readonly status: Locator;
  readonly menu: Locator;
  /** Types a command as a person does, by the menu, and runs it. */
  compactBySlash(focus?: string): Promise<void>;
}

// A turn may hold retries, with their pauses.
const POLL = { intervals: [100], timeout: 30_000 };

export function createChat(page: Page, api: Api): Chat {
  const field = page
    .getByRole('textbox', { name: 'Message', exact: true })
    .or(page.getByRole('combobox', { name: 'Message', exact: true }));
  const transcript = page.getByRole('region', { name: 'Transcript' });
  const replies = transcript.locator('article.reply');
  const id = () => /\/c\/(\w+)/.exec(page.url())?.[1] ?? '';
  const open: Chat['open'] = async (sessionId) => {
    await page.goto(`/c/${sessionId}`);
    await expect(transcript).toBeVisible();
  };
  const settled = async () => {
    await expect
      .poll(async () => {
        const { status, queued } = await api.session(id());
        return `${status}, ${queued} queued`;
      }, POLL)
      .toBe('idle, 0 queued');
    await expect(page.getByRole('button', { name: /^Stop/ })).toHaveCount(0);
  };
  const send = async (text: string) => {
    const accepted = page.waitForResponse(
      (response) => response.request().method() === 'POST' && /\/messages$/.test(new URL(response.url()).pathname),
    );
    await field.fill(text);
    await field.press('Enter');
    postMessageAnswerSchema.parse(await (await accepted).json());
  };
  return {
    page,
    id,
    field,
    transcript,
    replies,
    lastReply: replies.last(),
    status: page.locator('.chat-status'),
    menu: page.getByRole('listbox', { name: 'Commands' }),
    open,
    begin: async (body = {}) => {
      const session = await api.call('POST', '/agent-sessions', sessionSchema, { data: body });
      await open(session.id);
      return session.id;
    },
    send,
    say: async (text) => {
      await send(text);
      await settled();
    },
    settled,
    compactBySlash: async (focus) => {
      await field.fill('');
      await field.pressSequentially('/comp');
      await expect(page.getByRole('option', { name: /compact/ })).toHaveAttribute('aria-selected', 'true');
      if (focus !== undefined) {
        await field.press('Tab');
        await field.pressSequentially(focus);
      }
      await field.press('Enter');
      await expect(field).toHaveValue('');
    },
  };
}
