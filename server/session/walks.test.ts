import { afterEach, describe, expect, it } from 'vitest';
import type { Message } from '@/server/contract/message';
import { anApp, type TestApp } from './testing/an-app';

const open: TestApp[] = [];
const newApp = async (change?: Parameters<typeof anApp>[0]) => {
  const app = await anApp(change);
  open.push(app);
  return app;
};
afterEach(async () => {
  for (const app of open.splice(0)) await app.stop();
});

const roles = (messages: readonly Message[]) => messages.map((message) => message.role);

async function aTalk({ app }: TestApp): Promise<string> {
  const { id } = await app.sessions.create({}, 'owner');
  return id;
}

describe('a person chats', () => {
  it('N2: the practice model answers, says what it is, and the turn ends finished', async () => {
    const test = await newApp();
    const id = await aTalk(test);
    const end = await test.say(id, 'help');
    expect(end.state).toBe('finished');
    const { messages } = await test.app.sessions.messages(id, { limit: 100 });
    expect(roles(messages)).toEqual(['user', 'assistant']);
    expect(messages[1]?.role === 'assistant' && messages[1].metadata.simulated).toBe(true);
  });

  it('N2: it calls real tools on the sample workspace', async () => {
    const test = await newApp();
    const id = await aTalk(test);
    await test.say(id, 'list');
    const { messages } = await test.app.sessions.messages(id, { limit: 100 });
    expect(roles(messages)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  });

  it('C1, N2: touring the sample workspace fills the small window, and the practice model writes the summary', async () => {
    const test = await newApp();
    const id = await aTalk(test);
    expect((await test.say(id, 'tour')).state).toBe('finished');
    expect((await test.until('chat.compacted')).outcome).toBe('committed');
    const { messages } = await test.app.sessions.messages(id, { limit: 100 });
    const summary = messages.find((message) => message.role === 'summary');
    expect(summary?.role === 'summary' && [summary.metadata.trigger, summary.metadata.simulated]).toEqual([
      'auto',
      true,
    ]);
    expect(messages.at(-1)?.role).toBe('assistant');
  });

  it('C3, P7: /compact folds the whole history into a boundary and says so twice', async () => {
    const test = await newApp();
    const id = await aTalk(test);
    for (const text of ['list', 'read README.md', 'help']) await test.say(id, text);
    await test.app.compactions.request(id, { focus: 'the ledger', clientRequestId: 'click-1' }, 'owner');
    const started = await test.until('chat.compacting');
    const ended = await test.until('chat.compacted');
    expect([started.trigger, started.clientRequestId]).toEqual(['manual', 'click-1']);
    expect(ended.outcome).toBe('committed');
    const { messages } = await test.app.sessions.messages(id, { limit: 100 });
    expect(roles(messages).at(-1)).toBe('summary');
  });
});
