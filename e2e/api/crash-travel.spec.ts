import { once } from 'node:events';
import { watch } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { importAnswerSchema } from '../../server/contract/import';
import { sessionSchema } from '../../server/contract/session';
import { checkLog } from '../../server/core/log/check-log';
import { finishScan, scanChunk, startScan } from '../../server/core/log/scan-log';
import { type Api, aTalk, listSessions, readSession, say, transcript } from './api-server';
import { manageOneDirectory } from './one-directory';

/** Killed in the middle of travel: what was answered is there, what was not is there whole or not at all (rel-S2, L3). */

const here = manageOneDirectory();

const logsOf = (dataDir: string) => join(dataDir, 'logs');

/** Nothing in any file breaks a rule of section 5, and no file is torn but at its end. */
async function expectSound(dataDir: string): Promise<void> {
  for (const name of (await readdir(logsOf(dataDir))).filter((one) => one.endsWith('.jsonl'))) {
    const { state, records } = scanChunk(startScan(), await readFile(join(logsOf(dataDir), name)));
    const report = checkLog([...records, ...finishScan(state).records]);
    expect(report.violations, name).toEqual([]);
  }
}

interface Hurry {
  readonly ask: () => Promise<unknown>;
  /** Answers to wait for; a few more are on their way then. */
  readonly answers: number;
  readonly interrupt: () => Promise<void>;
}

/** Asks on and on, several at a time, so that an end comes in the middle of one; gives what was answered until then. */
async function hurry({ ask, answers, interrupt }: Hurry): Promise<readonly unknown[]> {
  const answered: unknown[] = [];
  let ended: Promise<void> | null = null;
  const askOn = async () => {
    while (ended === null || answered.length < answers + 20) {
      answered.push(await ask());
      if (answered.length >= answers) ended ??= interrupt();
    }
  };
  await Promise.all([askOn(), askOn(), askOn()].map((one) => one.catch(() => undefined)));
  await ended;
  return answered;
}

async function aLongTalk(api: Api): Promise<{ readonly id: string; readonly items: readonly string[] }> {
  const id = await aTalk(api, here.provider.model);
  for (const text of ['One.', 'Two.', 'Three.']) await say(api, id, text);
  return { id, items: (await transcript(api, id)).map((message) => message.id) };
}

test('rel-S2, L3: killed while forks are made, each one that was answered is whole and answers "hi", the parent too', async () => {
  const first = await here.start();
  const { id, items } = await aLongTalk(first);
  const made = await hurry({
    ask: () => first.post(`/agent-sessions/${id}/fork`, { itemId: items[1] }),
    answers: 8,
    interrupt: () => first.kill(),
  });
  const forks = made.map((answer) => sessionSchema.parse(answer).id);

  const second = await here.start();
  await expectSound(here.dataDir);
  const rows = await listSessions(second);
  expect(rows.map((row) => row.id)).toEqual(expect.arrayContaining([id, ...forks]));
  // One that was not answered may be there; then it is whole too.
  for (const { id: fork } of rows.filter((row) => row.id !== id)) {
    expect((await transcript(second, fork)).map((message) => message.id)).toEqual(items.slice(0, 2));
  }
  expect((await transcript(second, id)).map((message) => message.id)).toEqual(items);
  expect(await say(second, forks.at(-1) ?? '', 'hi')).toBe('finished');
  expect(await say(second, id, 'hi')).toBe('finished');
});

test('rel-S2, L4: killed while the head moves to and fro, it stands at one of the two, and returns', async () => {
  const first = await here.start();
  const { id, items } = await aLongTalk(first);
  const targets = [items[1], items[3]];
  let turn = 0;
  await hurry({
    ask: () => {
      turn += 1;
      return first.post(`/agent-sessions/${id}/revert`, { itemId: targets[turn % 2] });
    },
    answers: 12,
    interrupt: () => first.kill(),
  });

  const second = await here.start();
  await expectSound(here.dataDir);
  const shown = (await transcript(second, id)).map((message) => message.id);
  expect([items.slice(0, 2), items.slice(0, 4)]).toContainEqual(shown);
  expect((await readSession(second, id)).status).toBe('idle');
  expect(await say(second, id, 'hi')).toBe('finished');
  await second.post(`/agent-sessions/${id}/revert`, { itemId: items.at(-1) });
  expect((await transcript(second, id)).map((message) => message.id)).toEqual(items);
  expect(await say(second, id, 'hi')).toBe('finished');
});

test('rel-S2, L8, X10: killed in the middle of an import, there is no half conversation; the same file comes in afterwards', async () => {
  test.slow();
  const file = Buffer.from(aLongSession(300));
  const first = await here.start();
  const { id, items } = await aLongTalk(first);
  const created = untilCreated(logsOf(here.dataDir));
  const upload = importFile(first, file).catch(() => null);
  await created;
  await first.kill();
  const answered = (await upload) !== null;

  const second = await here.start();
  await expectSound(here.dataDir);
  const rows = await listSessions(second);
  // Not answered it is whole or not there at all.
  expect(rows.length).toBeGreaterThanOrEqual(answered ? 2 : 1);
  const logs = (await readdir(logsOf(here.dataDir))).filter((name) => name.endsWith('.jsonl'));
  expect(logs).toHaveLength(rows.length);
  for (const row of rows.filter((one) => one.id !== id)) expect(await transcript(second, row.id)).toHaveLength(300);
  const { sessions } = importAnswerSchema.parse(await importFile(second, file));
  expect(sessions).toHaveLength(1);
  expect(await say(second, sessions[0]?.id ?? '', 'hi')).toBe('finished');
  expect((await transcript(second, id)).map((message) => message.id)).toEqual(items);
  expect(await say(second, id, 'hi')).toBe('finished');
});

/** A new log has another name until all of it is durable; this is the first that is seen of it. */
async function untilCreated(directory: string): Promise<void> {
  const watcher = watch(directory);
  await once(watcher, 'change');
  watcher.close();
}

async function importFile(api: Api, file: Buffer): Promise<unknown> {
  const response = await fetch(`${api.origin}/v1/import`, {
    method: 'POST',
    headers: { origin: api.origin, 'content-type': 'application/jsonl' },
    body: new Uint8Array(file),
  });
  return response.json();
}

/** A session of another tool, as long as it may be without being compacted before the next reply. */
function aLongSession(lines: number): string {
  const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  return Array.from({ length: lines }, (_, n) => {
    const role = n % 2 === 0 ? 'user' : 'assistant';
    const content = [{ type: 'text', text: `${role} says number ${n}. ${'The tide comes in. '.repeat(20)}` }];
    const common = {
      parentUuid: n === 0 ? null : uuid(n - 1),
      uuid: uuid(n),
      sessionId: uuid(999_999),
      isSidechain: false,
    };
    const message = role === 'user' ? { role, content } : { id: `msg_${n}`, role, model: 'claude-sonnet-4-5', content };
    return JSON.stringify({
      ...common,
      type: role,
      cwd: '/src',
      timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, n)).toISOString(),
      message,
    });
  }).join('\n');
}
