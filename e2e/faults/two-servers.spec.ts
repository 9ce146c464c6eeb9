import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { seededRandom } from '../../db/files/power-cut';
import { type Api, startApi } from '../api/api-server';
import { quantile, SEED, say, sizeOf, timesOf } from './rounds';
import { buildLogChild, type LogChild, startLogChild } from './start-log-child';

const ROUNDS = timesOf(60, 200);
const PAUSES = sizeOf(1, 3);
/** A second, where the machine does nothing else. What must not be is a refusal that waits for the other to end. */
const PROMPT_MS = 10_000;
const PAUSE_MS = 15_000;

let dataDir = '';
const children: LogChild[] = [];
const servers: Api[] = [];

test.beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tidemark-two-'));
});
test.afterEach(async () => {
  for (const child of children.splice(0)) {
    child.signal('SIGKILL');
    await child.gone;
  }
  for (const server of servers.splice(0)) await server.kill();
  await rm(dataDir, { recursive: true });
});

function open(script: string): LogChild {
  const child = startLogChild({ script, dataDir });
  children.push(child);
  return child;
}

/** Null for one that got the directory; otherwise how long it took to be refused, in words that name who holds it. */
async function tryToOwn(child: LogChild, owner: LogChild | null): Promise<number | null> {
  const told = await child.next();
  if (told?.told === 'ready') return null;
  if (told?.told !== 'refused') throw new Error('it died');
  expect(told.code).toBe('storage_locked');
  if (owner !== null) expect(told.message).toContain(`process ${owner.pid} on ${hostname()}`);
  await child.gone;
  return told.afterMs;
}

test(`L7, rel-S18: ${ROUNDS} times two more processes want a directory that is held, and its owner is killed: never two owners`, async () => {
  test.setTimeout(600_000);
  const script = await buildLogChild();
  const random = seededRandom(SEED);
  let owner = open(script);
  expect(await tryToOwn(owner, null)).toBeNull();
  const waits: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // Killed before, between or after the two have begun to ask.
    const killed = Math.floor(random() * 3);
    const die = async () => {
      owner.signal('SIGKILL');
      await owner.gone;
    };
    if (killed === 0) {
      await die();
      const asking = [open(script), open(script)];
      const answers = await Promise.all(asking.map((each) => tryToOwn(each, null)));
      expect(answers.filter((answer) => answer === null)).toHaveLength(1);
      owner = asking[answers.indexOf(null)] ?? owner;
      waits.push(...answers.filter((answer) => answer !== null));
      continue;
    }
    const [first, second] = [open(script), open(script)];
    waits.push(
      ...(await Promise.all([tryToOwn(first, owner), tryToOwn(second, owner)])).map((answer) => answer ?? Infinity),
    );
    await die();
    owner = open(script);
    expect(await tryToOwn(owner, null), 'free at once after a kill').toBeNull();
  }
  expect(Math.max(...waits), 'refused without waiting').toBeLessThan(PROMPT_MS);
  say(
    `rel-S18: ${ROUNDS} rounds, seed ${SEED}, ${waits.length} refusals: half within ${quantile(waits, 0.5).toFixed(1)} ms, worst ${Math.max(...waits).toFixed(1)} ms`,
  );
});

test(`L7, rel-S18: an owner that is stopped for 15 s keeps its directory, ${PAUSES} times, and writes on`, async () => {
  test.setTimeout(120_000 + PAUSES * 60_000);
  const script = await buildLogChild();
  const owner = open(script);
  await tryToOwn(owner, null);
  const logId = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
  owner.ask({ ask: 'create', logId });
  expect((await owner.next())?.told).toBe('acknowledged');
  for (let pause = 0; pause < PAUSES; pause += 1) {
    owner.signal('SIGSTOP');
    // The length of the pause is the fault: locks that live by a clock are lost in it (reliability 0.6).
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    expect(await tryToOwn(open(script), owner)).toBeLessThan(PROMPT_MS);
    owner.signal('SIGCONT');
    owner.ask({ ask: 'append', logId, words: 3 });
    expect((await owner.next())?.told).toBe('acknowledged');
    expect(await tryToOwn(open(script), owner)).toBeLessThan(PROMPT_MS);
  }
});

test('L7, rel-S18: a second server is refused before it begins anything, named pid and host; after a kill the next one starts', async () => {
  const api = await startApi({ dataDir });
  servers.push(api);
  const from = performance.now();
  const second = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, NODE_ENV: 'production', PORT: '0', TIDEMARK_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  second.stderr.on('data', (chunk) => {
    said += String(chunk);
  });
  const code = await new Promise((resolve) => second.once('exit', resolve));
  const tookMs = performance.now() - from;
  expect([code, said]).toEqual([1, expect.stringContaining(`in use by process ${api.pid} on ${hostname()}`)]);
  expect(await api.get('/health')).toMatchObject({ status: 'ok' });
  await api.kill();
  const next = await startApi({ dataDir });
  servers.push(next);
  expect(await next.get('/health')).toMatchObject({ status: 'ok' });
  say(`rel-S18: a second server had ended after ${Math.round(tookMs)} ms, starting Node included`);
});
