import { spawn } from 'node:child_process';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { type Api, aTalk, compact, listSessions, say, transcript } from './api-server';
import { manageOneDirectory } from './one-directory';

const here = manageOneDirectory();

function reindex(): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = spawn('npm', ['run', '-s', 'reindex'], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, TIDEMARK_DATA_DIR: here.dataDir },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  return new Promise((resolve) => child.once('exit', (code) => resolve({ code, said })));
}

/** Everything that is history, as a client reads it. */
async function readHistory(api: Api) {
  const sessions = await listSessions(api);
  const rows = sessions.map(({ id, title, updatedAt, headSeq, summaries, lastTurn }) => ({
    id,
    title,
    updatedAt,
    headSeq,
    summaries,
    lastTurn,
  }));
  const whole = [];
  for (const { id } of sessions) whole.push(await transcript(api, id), await api.get(`/agent-sessions/${id}/log`));
  return { rows, whole };
}

test('L1: with the database deleted, reindex loses nothing that is history', async () => {
  const first = await here.start();
  for (const text of ['One.', 'Two.', 'Three.']) {
    const id = await aTalk(first, here.provider.model);
    await say(first, id, `${text} ${'Berths and fees. '.repeat(60)}`);
    await say(first, id, 'And more.');
    if (text === 'Two.') expect(await compact(first, id)).toBe('committed');
  }
  const before = await readHistory(first);
  await first.stop();
  const logs = await readLogs();
  for (const name of await readdir(here.dataDir))
    if (name.startsWith('main.sqlite')) await rm(join(here.dataDir, name));
  const { code, said } = await reindex();
  expect(code).toBe(0);
  // What is no history came from the copy that is kept beside (contract 20).
  expect(said).toContain('those of the copy kept in backup/');
  expect(said.trim().split('\n').at(-1)).toBe('3 conversations listed from the logs.');
  expect(await readLogs()).toEqual(logs);
  expect(await readHistory(await here.start())).toEqual(before);
});

test('L1: without the command, the next start finds the conversations by itself', async () => {
  const first = await here.start();
  const id = await aTalk(first, here.provider.model);
  await say(first, id, 'One.');
  const before = await readHistory(first);
  await first.stop();
  for (const name of await readdir(here.dataDir))
    if (name.startsWith('main.sqlite')) await rm(join(here.dataDir, name));
  expect(await readHistory(await here.start())).toEqual(before);
});

async function readLogs(): Promise<readonly string[]> {
  const names = (await readdir(join(here.dataDir, 'logs'))).sort();
  return Promise.all(names.map((name) => readFile(join(here.dataDir, 'logs', name), 'utf8')));
}
