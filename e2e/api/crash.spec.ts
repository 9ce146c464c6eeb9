import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import Database from 'better-sqlite3';
import { compactionsAnswerSchema } from '../../server/contract/compactions';
import { createGate } from '../../server/model/testing/script';
import {
  type Api,
  aTalk,
  compact,
  listen,
  listSessions,
  readSession,
  say,
  send,
  streams,
  textOf,
  transcript,
  turnEnd,
} from './api-server';
import { manageOneDirectory } from './one-directory';

const here = manageOneDirectory();

/** A reader who comes back: nothing runs or waits that does not. */
async function expectQuiet(api: Api, id: string): Promise<void> {
  const { status, running, activity, queued } = await readSession(api, id);
  expect([status, running, activity, queued]).toEqual(['idle', false, null, 0]);
  const rows = (await listSessions(api)).filter((row) => row.id === id);
  expect(rows.map((row) => [row.status, row.running])).toEqual([['idle', false]]);
}

test('rel-S2, case-C06, T4: killed in the middle of a stream, the text so far is kept and the conversation goes on', async () => {
  const first = await here.start();
  const id = await aTalk(first, here.provider.model);
  await say(first, id, 'Good morning.');
  const gate = createGate();
  here.provider.push({
    parts: [{ text: 'Half of the answer, ' }, { gate }, { text: 'never sent.' }],
    end: { reason: 'stop' },
  });
  const listener = await listen(first, id);
  await send(first, id, 'A long question.', 'asked-before-the-kill');
  await listener.until(streams('Half'));
  const waits = await send(first, id, 'Waits behind it.', 'waiting-at-the-kill');
  expect(waits.queued).toBe(true);
  await savedPartial();
  await first.kill();
  gate.open();

  const second = await here.start();
  const again = await listen(second, `${id}@0`);
  await again.until(turnEnd(waits.turnId));
  await expectQuiet(second, id);
  const shown = await transcript(second, id);
  const own = (name: string) =>
    shown.filter((message) => message.role === 'user' && message.metadata.clientMessageId === name);
  expect([own('asked-before-the-kill').length, own('waiting-at-the-kill').length]).toEqual([1, 1]);
  const broken = shown.find((message) => message.role === 'assistant' && message.metadata.end === 'interrupted');
  expect(textOf(broken)).toBe('Half of the answer, ');
  again.close();
  expect(await say(second, id, 'hi')).toBe('finished');
  expect(await compact(second, id)).toBe('committed');
});

test('rel-S2, case-C06: killed in the middle of a compaction, nothing spins, the view is as before, and it can be asked anew', async () => {
  const first = await here.start();
  const id = await aTalk(first, here.provider.model);
  for (const text of ['One thing '.repeat(40), 'Another thing '.repeat(40)]) await say(first, id, text);
  const before = await first.get(`/agent-sessions/${id}/context?full=1`);
  const gate = createGate();
  here.provider.push({ parts: [{ text: '## Objective' }, { gate }], end: { reason: 'stop' } });
  const listener = await listen(first, id);
  await first.post(`/agent-sessions/${id}/compact`);
  await listener.until((told) => told.event === 'chat.compacting');
  await gate.reached;
  await first.kill();
  gate.open();

  const second = await here.start();
  await expectQuiet(second, id);
  expect(await second.get(`/agent-sessions/${id}/context?full=1`)).toEqual(before);
  const { compactions } = compactionsAnswerSchema.parse(await second.get(`/agent-sessions/${id}/compactions`));
  expect(compactions.map(({ outcome, reason }) => [outcome, reason])).toEqual([['failed', 'interrupted']]);
  expect(await say(second, id, 'hi')).toBe('finished');
  expect(await compact(second, id)).toBe('committed');
});

/** Waits until the server has put the text so far aside: read through a connection of its own, never as a file (L1). */
async function savedPartial(): Promise<void> {
  const db = new Database(join(here.dataDir, 'main.sqlite'), { readonly: true });
  const saved = () => JSON.stringify(db.prepare('SELECT * FROM running_parts').all());
  await expect.poll(saved).toContain('Half of the answer');
  db.close();
}
