import { expect, it } from 'vitest';
import { aTalk, linesOf, manageApps } from './testing/stories';

const newApp = manageApps();

it('rel-X1: of a deleted conversation nothing is read, told or written, and its lines stay as they were', async () => {
  const test = await newApp();
  const { app } = test;
  const id = await aTalk(test);
  await test.say(id, 'help');
  await app.sessions.remove(id, 'owner');
  const [deleted] = await linesOf(test, id, 'session.deleted');
  const calls = [
    () => app.sessions.get(id),
    () => app.sessions.messages(id, { limit: 10 }),
    () => app.sessions.context(id, false),
    () => app.sessions.prompt(id, 'owner'),
    () => app.sessions.remove(id, 'owner'),
    () => app.messages.post(id, { text: 'still here?', clientMessageId: 'late' }, 'owner'),
    () => app.messages.continue(id),
    () => app.compactions.request(id, {}, 'owner'),
    () => app.compactions.ledger(id),
    () => app.compactions.cancel(id),
    () => app.small.setPlan(id, []),
    () => app.small.carry(id, { text: 'keep' }, 'owner'),
    () => app.exports.log(id),
    () => app.stream.plan({ sessions: id, lastEventId: null }),
  ];
  for (const call of calls) await expect(call(), String(call)).rejects.toMatchObject({ code: 'not_found' });
  expect(app.sessions.list({ limit: 10 }).sessions).toEqual([]);
  expect(deleted?.by).toBe('owner');
  expect((await linesOf(test, id, 'message.user')).length).toBe(1);
});
