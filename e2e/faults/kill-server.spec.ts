import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { seededRandom } from '../../db/files/power-cut';
import { createAnswerLikeAModel } from '../../server/model/testing/answer-like-a-model';
import type { FakeReply } from '../../server/model/testing/script';
import {
  type Api,
  compact,
  say as converse,
  listSessions,
  logLines,
  readSession,
  startApi,
  startProvider,
  transcript,
} from '../api/api-server';
import { createFaultDisk, type DiskFault, type FaultDisk } from './fault-disk';
import { beginTalk, killPoints, type Moment } from './kill-points';
import { quantile, SEED, say, timesOf } from './rounds';

const ROUNDS = timesOf(24, 300);
/** A person's look through the page costs more than the API's: this many rounds apart, and every point once. */
const PAGE_EVERY = 4;

let dataDir = '';
let provider: Awaited<ReturnType<typeof startProvider>>;
const script: FakeReply[] = [];
const answer = createAnswerLikeAModel();

test.beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tidemark-kill-'));
  provider = await startProvider((request) => script.shift() ?? answer(request));
});
test.afterEach(async () => {
  await api.kill();
  await provider.close();
  await rm(dataDir, { recursive: true, force: true });
});

interface Round {
  readonly moment: Moment;
  readonly disk: FaultDisk;
  readonly random: () => number;
}

/** A call of the server on its log or database, or any moment up to 60 ms from now. */
function pickKill(random: () => number): DiskFault | null {
  if (random() < 0.5) return null;
  const [match, call] = (
    [
      ['/logs', 'write'],
      ['/logs', 'fdatasync'],
      ['/logs', 'rename'],
      ['main.sqlite', 'write'],
    ] as const
  )[Math.floor(random() * 4)] ?? ['/logs', 'write'];
  const does = (['kill-before', 'kill-half', 'kill-after'] as const)[Math.floor(random() * 3)] ?? 'kill-before';
  return { match, call, from: 1 + Math.floor(random() * 3), does };
}

/** Ends the server at the point, and gives what its files were then. */
async function killAt({ moment, disk, random }: Round, point: (typeof killPoints)[number]): Promise<string> {
  const fault = pickKill(random);
  const delayMs = Math.floor(random() * 60);
  if (fault !== null) disk.plan(fault);
  // The call that ends it may come on the way to the point; then the point is never reached.
  await Promise.race([point.arrive(moment).catch(() => undefined), moment.api.ended]);
  await Promise.race([wait(fault === null ? delayMs : 150), moment.api.ended]);
  await moment.api.kill();
  for (const open of moment.letGo) open();
  script.length = 0;
  disk.plan();
  const { call, from, does } = fault ?? { call: 'signal', from: delayMs, does: 'ms' };
  return `${point.name}, ${does} ${call} ${from}`;
}

/** A delay is what this test is about; nothing is waited for with it. */
const wait = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms);
  });

const logOf = (session: string) => join(dataDir, 'logs', `${session}.jsonl`);

/** Nothing runs or waits that does not; what waited was answered. */
async function expectSettled(api: Api, session: string, what: string): Promise<void> {
  const state = async () => {
    const { status, running, activity, queued } = await readSession(api, session);
    return JSON.stringify({ status, running, activity, queued });
  };
  const idle = JSON.stringify({ status: 'idle', running: false, activity: null, queued: 0 });
  await expect.poll(state, { message: what, timeout: 20_000, intervals: [50] }).toBe(idle);
  const open = new Set<string>();
  for (const line of await logLines(api, session)) {
    if (line.type === 'turn.started') open.add(line.turnId);
    if (line.type === 'turn.ended') open.delete(line.turnId);
    if (line.type === 'compaction.started') open.add(line.compactionId);
    if (line.type === 'compaction.ended') open.delete(line.compactionId);
  }
  expect([...open], what).toEqual([]);
}

/** What a client was promised is there once; what it was not is whole or absent. */
async function expectKept(api: Api, { session, acknowledged, made }: Moment, what: string): Promise<void> {
  const shown = await transcript(api, session);
  const ids = shown.flatMap((message) => (message.role === 'user' ? [message.metadata.clientMessageId] : []));
  for (const id of acknowledged) expect(ids.filter((each) => each === id).length, what).toBe(1);
  const listed = await listSessions(api);
  expect(
    made.filter((id) => !listed.some((row) => row.id === id)),
    what,
  ).toEqual([]);
  for (const row of listed) {
    expect([row.status, row.running], what).toEqual(['idle', false]);
    expect((await api.call('GET', `/agent-sessions/${row.id}/messages?limit=500`)).status, what).toBe(200);
  }
}

async function lookAsAPerson(page: Page, api: Api, session: string, what: string): Promise<void> {
  await page.goto(`${api.origin}/c/${session}`);
  const field = page
    .getByRole('textbox', { name: 'Message', exact: true })
    .or(page.getByRole('combobox', { name: 'Message', exact: true }));
  await expect(field, what).toBeEnabled();
  await expect(page.getByRole('button', { name: /^Stop/ }), what).toHaveCount(0);
  await expect(page.locator('.compacting-row'), what).toHaveCount(0);
  await field.fill('hi');
  await field.press('Enter');
  const reply = page.getByRole('region', { name: 'Transcript' }).locator('article.reply').last();
  await expect(reply, what).toContainText(/You said: .*hi/);
  await page.goto('about:blank');
}

let api: Api;

test(`rel-S2, case-C06, T4: ${ROUNDS} kills of the whole server at ${killPoints.length} points, seed ${SEED}: nothing is lost, nothing spins, it goes on`, async ({
  page,
}) => {
  test.setTimeout(240_000 + ROUNDS * 30_000);
  const disk = createFaultDisk(dataDir);
  const random = seededRandom(SEED);
  const start = async () => {
    const from = performance.now();
    const api = await startApi({ dataDir: dataDir, providers: [provider.provider], env: disk.env });
    return { api, readyMs: performance.now() - from };
  };
  const ready: number[] = [];
  const first = await start();
  const bareMs = first.readyMs;
  api = first.api;
  for (let round = 0; round < ROUNDS; round += 1) {
    const point = killPoints[round % killPoints.length];
    if (point === undefined) throw new Error('there are points');
    const session = await beginTalk(api, provider.model);
    const moment: Moment = { api, script, session, letGo: [], acknowledged: [], made: [] };
    const what = `round ${round}, seed ${SEED}: ${await killAt({ moment, disk, random }, point)}`;
    const before = await readFile(logOf(session));
    const started = await start();
    api = started.api;
    ready.push(started.readyMs);
    await expectSettled(api, session, what);
    await expectKept(api, moment, what);
    expect((await readFile(logOf(session))).subarray(0, before.length).equals(before), what).toBe(true);
    if (round < killPoints.length || round % PAGE_EVERY === 0) await lookAsAPerson(page, api, session, what);
    else expect(await converse(api, session, 'hi'), what).toBe('finished');
    expect(await compact(api, session), what).toBe('committed');
    await removeAll(api);
    if ((round + 1) % 25 === 0) say(`rel-S2: ${round + 1} kills so far, seed ${SEED}`);
  }
  const worst = Math.max(...ready);
  say(
    `rel-S2: ${ROUNDS} kills, seed ${SEED}: ready again after ${ms(quantile(ready, 0.5))} (worst ${ms(worst)}, an empty start ${ms(bareMs)})`,
  );
  // How long a start takes is the machine's business. That one takes many times as long as an empty one is not.
  expect(quantile(ready, 0.5)).toBeLessThan(Math.max(5_000, 5 * bareMs));
});

const ms = (value: number) => `${Math.round(value)} ms`;

/** The next round begins with an empty list. */
async function removeAll(api: Api): Promise<void> {
  for (const { id } of await listSessions(api)) await api.call('DELETE', `/agent-sessions/${id}?force=1`);
}
