import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { aTalk, listen, say, startApi, startProvider } from './api-server';

const CANARY = 'sk-canary-5b21e07c94d3';

/** Every file below a folder, as bytes. */
async function readAll(folder: string): Promise<readonly (readonly [string, Buffer])[]> {
  const names = await readdir(folder, { recursive: true });
  const files = [];
  for (const name of names) if ((await stat(join(folder, name))).isFile()) files.push(name);
  return Promise.all(files.map(async (name) => [name, await readFile(join(folder, name))] as const));
}

test('rel-X22: a key that was typed in is in no answer, event, log line, export or file, but at its provider', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tidemark-api-'));
  const provider = await startProvider((request) => ({
    status: 401,
    body: { error: { message: `Incorrect API key provided: ${request.headers.authorization}` } },
  }));
  const api = await startApi({ dataDir });
  const seen: unknown[] = [await api.post('/providers', { ...provider.provider, apiKey: CANARY })];
  const id = await aTalk(api, provider.model);
  const listener = await listen(api, `${id}@0`);
  seen.push(await say(api, id, 'Hello.'));
  seen.push(await api.call('POST', '/providers/fake/test', {}));
  const paths = ['/providers', '/providers/fake', '/models', '/settings', '/jobs', '/ready', '/openapi.json'];
  const own = [
    '',
    '/messages',
    '/context?full=1',
    '/log',
    '/export?format=markdown',
    '/export?format=jsonl',
    '/compactions',
  ];
  for (const path of [...paths, ...own.map((each) => `/agent-sessions/${id}${each}`)]) seen.push(await api.get(path));
  listener.close();
  seen.push(listener.told);
  await api.stop();
  seen.push(api.errors());
  const files = await readAll(dataDir);
  await provider.close();
  await rm(dataDir, { recursive: true, force: true });

  expect(provider.requests.map((request) => request.headers.authorization)).toContain(`Bearer ${CANARY}`);
  expect(JSON.stringify(seen)).toContain('provider_auth');
  expect(JSON.stringify(seen)).not.toContain(CANARY);
  expect(files.map(([name]) => name)).toContain('main.sqlite');
  expect(files.filter(([, bytes]) => bytes.includes(CANARY)).map(([name]) => name)).toEqual([]);
});
