import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { type Api, aTalk, compact, listSessions, say, startApi, startProvider, transcript } from './api-server';

let dataDir = '';
let provider: Awaited<ReturnType<typeof startProvider>>;
const servers: Api[] = [];
const start = async () => {
  const api = await startApi({ dataDir, providers: [provider.provider] });
  servers.push(api);
  return api;
};
test.beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tidemark-api-'));
  provider = await startProvider();
});
test.afterEach(async () => {
  for (const server of servers.splice(0)) await server.kill();
  await provider.close();
  await rm(dataDir, { recursive: true, force: true });
});

function reindex(): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = spawn('npm', ['run', '-s', 'reindex'], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, TIDEMARK_DATA_DIR: dataDir },
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
  const first = await start();
  for (const text of ['One.', 'Two.', 'Three.']) {
    const id = await aTalk(first, provider.model);
    await say(first, id, `${text} ${'Berths and fees. '.repeat(60)}`);
    await say(first, id, 'And more.');
    if (text === 'Two.') expect(await compact(first, id)).toBe('committed');
  }
  const before = await readHistory(first);
  await first.stop();
  const logs = await readLogs();
  for (const name of await readdir(dataDir)) if (name.startsWith('main.sqlite')) await rm(join(dataDir, name));
  const { code, said } = await reindex();
  expect([code, said.trim()]).toEqual([0, '3 conversations listed from the logs.']);
  expect(await readLogs()).toEqual(logs);
  expect(await readHistory(await start())).toEqual(before);
});

test('L1: without the command, the next start finds the conversations by itself', async () => {
  const first = await start();
  const id = await aTalk(first, provider.model);
  await say(first, id, 'One.');
  const before = await readHistory(first);
  await first.stop();
  for (const name of await readdir(dataDir)) if (name.startsWith('main.sqlite')) await rm(join(dataDir, name));
  expect(await readHistory(await start())).toEqual(before);
});

async function readLogs(): Promise<readonly string[]> {
  const names = (await readdir(join(dataDir, 'logs'))).sort();
  return Promise.all(names.map((name) => readFile(join(dataDir, 'logs', name), 'utf8')));
}
