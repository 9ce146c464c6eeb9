import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { postMessageAnswerSchema } from '../../server/contract/messages-api';
import { createGate } from '../../server/model/testing/script';
import { type Api, aTalk, compact, listen, logLines, readSession, send, streams } from '../api/api-server';
import { manageOneDirectory } from '../api/one-directory';
import { say, timesOf } from './rounds';

const here = manageOneDirectory();

/** Posts of one message, and messages: ten thousand posts in all at full size. */
const TIMES = 50;
const MESSAGES = timesOf(60, 200);
const AT_ONCE = 4;

/** All answers of one message that is posted many times at once; they must be one. */
async function postOften(api: Api, session: string, clientMessageId: string): Promise<string> {
  const body = { text: `Said once: ${clientMessageId}`, clientMessageId };
  const answers = await Promise.all(
    Array.from({ length: TIMES }, () => api.post(`/agent-sessions/${session}/messages`, body)),
  );
  const named = new Set(
    answers.map((answer) => {
      const { messageId, turnId } = postMessageAnswerSchema.parse(answer);
      return `${messageId} ${turnId}`;
    }),
  );
  expect([...named]).toHaveLength(1);
  return [...named][0]?.split(' ')[0] ?? '';
}

test(`L7, rel-R4: ${MESSAGES} messages posted ${TIMES} times each, a job and a compaction beside them: each is there once, in one order`, async () => {
  test.setTimeout(600_000);
  const api = await here.start();
  const sessions = await Promise.all(Array.from({ length: AT_ONCE }, () => aTalk(api, here.provider.model)));
  const posted = await Promise.all(
    sessions.map(async (session) => {
      const ids: string[] = [];
      for (let n = 0; n < MESSAGES / AT_ONCE; n += 1) {
        if (n === 5) void compact(api, session).catch(() => undefined);
        ids.push(await postOften(api, session, randomUUID()));
      }
      return ids;
    }),
  );
  for (const [at, session] of sessions.entries()) {
    await expect
      .poll(async () => `${(await readSession(api, session)).status} ${(await readSession(api, session)).queued}`, {
        timeout: 120_000,
      })
      .toBe('idle 0');
    const lines = await logLines(api, session);
    const written = lines.flatMap((line) => (line.type === 'message.user' ? [line.id] : []));
    expect(written).toEqual(posted[at]);
    const answered = lines.flatMap((line) => (line.type === 'turn.started' && line.messageId ? [line.messageId] : []));
    expect(answered).toEqual(posted[at]);
    expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1));
  }
  say(`rel-R4: ${MESSAGES * TIMES} posts, ${MESSAGES} messages`);
});

test('L7, rel-R4: two tabs and a job at once: each message is drawn once in both, and answered once', async ({
  browser,
}) => {
  const api = await here.start();
  const session = await aTalk(api, here.provider.model);
  const gate = createGate();
  here.provider.push({ parts: [{ text: 'Still at it, ' }, { gate }, { text: 'done.' }], end: { reason: 'stop' } });
  const context = await browser.newContext();
  const tabs = await Promise.all([context.newPage(), context.newPage()]);
  for (const tab of tabs) await tab.goto(`${api.origin}/c/${session}`);
  const listener = await listen(api, session);
  await send(api, session, 'A job runs.');
  await listener.until(streams('Still'));
  const clientMessageId = randomUUID();
  const post = { session, clientMessageId, times: TIMES };
  await Promise.all(
    tabs.map((tab) =>
      tab.evaluate(async ({ session: of, clientMessageId: id, times }) => {
        const body = JSON.stringify({ text: 'From two tabs at once.', clientMessageId: id });
        const headers = { 'content-type': 'application/json' };
        const one = () => fetch(`/v1/agent-sessions/${of}/messages`, { method: 'POST', headers, body });
        await Promise.all(Array.from({ length: times }, one));
      }, post),
    ),
  );
  gate.open();
  for (const tab of tabs) {
    const transcript = tab.getByRole('region', { name: 'Transcript' });
    await expect(transcript.locator('article.reply')).toHaveCount(2);
    await expect(
      transcript.getByRole('article', { name: 'You said' }).filter({ hasText: 'From two tabs' }),
    ).toHaveCount(1);
    await expect(transcript.locator('article.reply').last()).toContainText('You said: From two tabs at once.');
  }
  const users = (await logLines(api, session)).filter(({ type }) => type === 'message.user');
  expect(users).toHaveLength(2);
  listener.close();
  await context.close();
});
