import { spawn } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { createGate } from '../../server/model/testing/script';
import { type Api, aTalk, listen, logLines, readSession, say, send, startApi, textOf, transcript } from './api-server';
import { manageOneDirectory } from './one-directory';

const here = manageOneDirectory();

/** A turn that streams and waits for ever, and readers of it. */
async function aRunningTurn(api: Api) {
  const id = await aTalk(api, here.provider.model);
  here.provider.push({ parts: [{ text: 'So far.' }, { gate: createGate() }], end: { reason: 'stop' } });
  const readers = await Promise.all([listen(api, id), listen(api, `${id}@0`), listen(api, id)]);
  const { turnId } = await send(api, id, 'A question.');
  for (const reader of readers) await reader.until((told) => told.event === 'chat.delta');
  return { id, turnId, readers };
}

test('rel-R11: SIGTERM with open streams, a turn and a compaction: out within 2 s, marked, next start clean', async () => {
  const first = await here.start();
  const { id, readers } = await aRunningTurn(first);
  const other = await aTalk(first, here.provider.model);
  for (const text of ['One thing '.repeat(40), 'Another '.repeat(40)]) await say(first, other, text);
  const gate = createGate();
  here.provider.push({ parts: [{ gate }], end: { reason: 'stop' } });
  await first.post(`/agent-sessions/${other}/compact`);
  await gate.reached;
  const { code, tookMs } = await first.stop();
  expect([code, tookMs < 2_000], `${tookMs} ms`).toEqual([0, true]);
  for (const reader of readers) await reader.ended;
  const second = await here.start();
  expect(second.errors()).not.toContain('could not be read');
  const shown = await transcript(second, id);
  const reply = shown.find((message) => message.role === 'assistant');
  expect([textOf(reply), reply?.role === 'assistant' && reply.metadata.end]).toEqual(['So far.', 'interrupted']);
  for (const each of [id, other]) {
    const { status, activity } = await readSession(second, each);
    expect([status, activity]).toEqual(['idle', null]);
  }
  const ends = (await logLines(second, id)).flatMap((line) => (line.type === 'turn.ended' ? [line.outcome] : []));
  expect(ends).toEqual(['interrupted']);
  expect(await say(second, id, 'hi')).toBe('finished');
});

test('rel-R12: a second SIGTERM ends it at once, and what was acknowledged is there', async () => {
  const first = await here.start();
  const { id } = await aRunningTurn(first);
  const [one] = await Promise.all([first.stop(), first.stop()]);
  expect(one.tookMs).toBeLessThan(2_000);
  const second = await here.start();
  const asked = (await transcript(second, id)).filter((message) => message.role === 'user');
  expect(asked.map(textOf)).toEqual(['A question.']);
  expect((await readSession(second, id)).running).toBe(false);
});

test('L7, rel-S18: a second server on the same directory is refused at once, and told who holds it', async () => {
  const first = await here.start();
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/reindex.ts'], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, TIDEMARK_DATA_DIR: here.dataDir },
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += String(chunk);
  });
  const code = await new Promise((resolve) => child.once('exit', resolve));
  expect([code, /in use by process \d+ on \S+/.test(said)], said).toEqual([1, true]);
  await expect(here.start()).rejects.toThrow(/in use by process \d+ on /);
  expect(await first.get('/health')).toMatchObject({ status: 'ok' });
});

test('N1: a variable that makes no sense keeps the server from starting, and is named', async () => {
  await expect(startApi({ dataDir: here.dataDir, providers: [{ id: 'no kind' }] })).rejects.toThrow(
    /ended with 1 [\s\S]*TIDEMARK_PROVIDERS/,
  );
});

test('rel-S30: everything that is kept is readable by its owner alone', async () => {
  const api = await here.start();
  await say(api, await aTalk(api, here.provider.model), 'Hello.');
  // What lies in the workspace is the person's, who gives it the rights they want; its folder lets nobody in.
  const names = (await readdir(here.dataDir, { recursive: true })).filter((name) => !name.startsWith('workspace/'));
  const modes = await Promise.all(
    names.map(async (name) => [name, (await stat(join(here.dataDir, name))).mode & 0o077] as const),
  );
  expect(names.length).toBeGreaterThan(5);
  expect(modes.filter(([, others]) => others !== 0)).toEqual([]);
});
