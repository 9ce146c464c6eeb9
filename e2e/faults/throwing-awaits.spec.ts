import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@playwright/test';
import { z } from 'zod';
import { seededRandom } from '../../db/files/power-cut';
import { type Api, aTalk, compact, say as converse, listen, readSession } from '../api/api-server';
import { manageOneDirectory } from '../api/one-directory';
import { findFreePort } from './free-port';
import { SEED, say, timesOf } from './rounds';

const here = manageOneDirectory();

const ROUNDS = timesOf(40, 500);
/** After so many faults a person looks whether it all still works. */
const LOOK_EVERY = 50;
/** How long a conversation may take to mend a fault before the next one is made in another. */
const SETTLE_MS = 8_000;

const countsSchema = z.object({ seen: z.number(), thrown: z.string().nullable() });

/** A little of everything, at once: pages, lists, changes, a message and its turn, a stream that is opened and left. */
async function doALittleOfAll(api: Api, session: string): Promise<void> {
  const path = `/agent-sessions/${session}`;
  const listening = listen(api, `${session}@0`);
  const work = [
    api.call('POST', `${path}/messages`, { text: 'hi', clientMessageId: crypto.randomUUID() }),
    api.call('GET', `${path}/messages`),
    api.call('GET', `${path}/context`),
    api.call('GET', `${path}/export?format=markdown`),
    api.call('GET', '/agent-sessions?q=morning'),
    api.call('PATCH', path, { title: 'A talk' }),
    api.call('PUT', `${path}/draft`, { text: 'A draft.' }),
    api.call('POST', `${path}/compact`, {}),
    api.call('POST', `${path}/fork`, {}),
    api.call('GET', '/models'),
    fetch(`${api.origin}/`).then((page) => page.text()),
  ];
  await Promise.allSettled([...work, listening]);
  await listening.then((stream) => stream.close()).catch(() => undefined);
}

/** False where something of the conversation still runs after so long. */
async function isSettled(api: Api, session: string, timeout: number): Promise<boolean> {
  const state = async () => {
    const { status, queued } = await readSession(api, session);
    return `${status} ${queued}`;
  };
  return expect
    .poll(state, { timeout, intervals: [20] })
    .toBe('idle 0')
    .then(
      () => true,
      () => false,
    );
}

/** What a conversation whose fault was slow to mend is in the end: null, or what still stands in its way. */
async function describeStuck(api: Api, session: string): Promise<string | null> {
  if (!(await isSettled(api, session, 30_000))) {
    const { status, queued, activity } = await readSession(api, session);
    return JSON.stringify({ status, queued, activity });
  }
  const outcome = await Promise.race([
    converse(api, session, 'Are you there?'),
    new Promise((resolve) => setTimeout(resolve, 30_000, 'no answer')),
  ]);
  return outcome === 'finished' ? null : String(outcome);
}

test(`rel-R13: ${ROUNDS} faults, each at another await of a request, a job or a stream: something fails, the process lives and answers`, async () => {
  test.setTimeout(300_000 + ROUNDS * 20_000);
  const port = await findFreePort();
  const hook = pathToFileURL(join(import.meta.dirname, 'await-fault.mjs')).href;
  const api = await here.start({ NODE_OPTIONS: `--import=${hook}`, FAULT_AWAIT_PORT: String(port) });
  const arm = async (nth: number) => countsSchema.parse(await (await fetch(`http://127.0.0.1:${port}/${nth}`)).json());
  let exits = 0;
  void api.ended.then(() => {
    exits += 1;
  });
  const random = seededRandom(SEED);
  const newTalk = async () => {
    const session = await aTalk(api, here.provider.model);
    await converse(api, session, `Good morning. ${'What there is to say. '.repeat(60)}`);
    return session;
  };
  let session = await newTalk();
  await arm(0);
  await doALittleOfAll(api, session);
  expect(await isSettled(api, session, 60_000)).toBe(true);
  const { seen } = await arm(0);
  expect(seen).toBeGreaterThan(100);
  const thrown: string[] = [];
  const late: { readonly session: string; readonly where: string }[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const nth = 1 + Math.floor(random() * seen);
    await arm(nth);
    await doALittleOfAll(api, session);
    const settled = await isSettled(api, session, SETTLE_MS);
    const what = (await arm(0)).thrown;
    if (what !== null) thrown.push(what);
    const where = `round ${round}, await ${nth} of ${seen}, seed ${SEED}: ${what}`;
    expect(exits, `${where}\n${api.errors().slice(-2_000)}`).toBe(0);
    expect(await api.get('/health'), where).toMatchObject({ status: 'ok' });
    if (!settled) late.push({ session, where });
    if (settled && round % LOOK_EVERY > 0) continue;
    // The next faults are made in a new one; whether this one was only slow is seen at the end.
    session = await newTalk();
    expect(await compact(api, session), where).toBe('committed');
  }
  expect(thrown.length).toBeGreaterThan(ROUNDS / 2);
  const stuck: string[] = [];
  for (const each of late) {
    const why = await describeStuck(api, each.session);
    if (why !== null) stuck.push(`${each.where}: ${why}`);
  }
  say(
    `rel-R13: ${thrown.length} faults at ${new Set(thrown).size} places, seed ${SEED}: 0 exits, ${late.length} conversations were slow to settle, ${stuck.length} never did`,
  );
  for (const where of stuck) say(`rel-R13: ${where}`);
  // A throw behind a line that is already durable leaves its message waiting, or its compaction shown as running, until the next
  // message or start: said here and in decision 043, and bounded. The bar of the row is that the process lives.
  expect(stuck.length).toBeLessThan(ROUNDS / 5);
});
