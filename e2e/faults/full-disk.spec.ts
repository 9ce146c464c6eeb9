import { readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { createGate } from '../../server/model/testing/script';
import {
  type Api,
  aTalk,
  compact,
  say as converse,
  listen,
  logLines,
  readSession,
  send,
  startApi,
  startProvider,
  streams,
  type Told,
  textOf,
  transcript,
} from '../api/api-server';
import { mountSmallDisk, need, type SmallDisk } from './means';
import { say } from './rounds';

/** A server all of whose data lies on a real disk that is full. */

/** Room enough for a summary, which is not begun with less than 64 MB free (rel-S28). */
const MEGABYTES = 100;

let disk: SmallDisk | null = null;
let ballastFolder = '';
let provider: Awaited<ReturnType<typeof startProvider>>;
let api: Api;

test.beforeEach(async () => {
  disk = need(mountSmallDisk(MEGABYTES));
  ballastFolder = disk.path;
  provider = await startProvider();
  api = await startApi({ dataDir: disk.path, providers: [provider.provider] });
});
test.afterEach(async () => {
  if (disk === null) return;
  await api.kill();
  await provider.close();
  disk.take();
  disk = null;
});

const ballast = () => join(ballastFolder, 'ballast');

/** Takes all of the disk but so many bytes. */
async function leave(bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(ballastFolder);
  await writeFile(ballast(), Buffer.alloc(bavail * bsize - bytes));
}

/** Fills what is left of the disk, to the last byte. */
async function fill(): Promise<void> {
  for (let size = 4_000_000; size >= 1; ) {
    const { bavail, bsize } = await statfs(ballastFolder);
    size = Math.min(size, bavail * bsize);
    if (size === 0) return;
    await writeFile(ballast(), Buffer.alloc(size), { flag: 'a' }).catch(() => undefined);
  }
}

const makeRoom = () => rm(ballast(), { force: true });

async function until(what: string, holds: () => Promise<boolean>): Promise<number> {
  const from = performance.now();
  await expect.poll(holds, { message: what, timeout: 20_000, intervals: [20] }).toBe(true);
  return performance.now() - from;
}

const LONG = 'What was said, and what there is to say of it. '.repeat(20);

const composer = (page: Page) =>
  page
    .getByRole('textbox', { name: 'Message', exact: true })
    .or(page.getByRole('combobox', { name: 'Message', exact: true }));

test('case-C05, rel-S9, L8: through the page: the words stay, a plain sentence says why, and they go when there is room', async ({
  page,
}) => {
  const id = await aTalk(api, provider.model);
  await page.goto(`${api.origin}/c/${id}`);
  const field = composer(page);
  const replies = page.getByRole('region', { name: 'Transcript' }).locator('article.reply');
  await field.fill('While there is room.');
  await field.press('Enter');
  await expect(replies.last()).toContainText('You said: While there is room.');
  // The words of a reply are shown before its last lines are written.
  await until('nothing runs', async () => (await readSession(api, id)).status === 'idle');
  const linesBefore = (await logLines(api, id)).length;
  await fill();
  // Longer than what the last block of a file may have left.
  const words = `Words that must not be lost. ${LONG.repeat(6)}`.trim();
  await field.fill(words);
  const refusal = page.waitForResponse(
    (response) => response.request().method() === 'POST' && /messages$/.test(response.url()),
  );
  const from = performance.now();
  await field.press('Enter');
  expect((await refusal).status()).toBe(507);
  const notice = page.getByRole('alert').filter({ hasText: 'The disk is full' });
  await expect(notice).toBeVisible();
  const noticedMs = performance.now() - from;
  await expect(field).toHaveValue(words);
  expect((await logLines(api, id)).length).toBe(linesBefore);
  expect((await api.call('GET', '/health')).status).toBe(200);

  await makeRoom();
  await field.press('Enter');
  const roomFrom = performance.now();
  await expect(replies.last()).toContainText('to say of it.');
  const recoveredMs = performance.now() - roomFrom;
  await expect(field).toHaveValue('');
  const said = await transcript(api, id);
  expect(said.filter(({ role }) => role === 'user')).toHaveLength(2);
  say(`rel-S9: said after ${Math.round(noticedMs)} ms, answered ${Math.round(recoveredMs)} ms after there was room`);
  expect(recoveredMs).toBeLessThan(20_000);
});

test('rel-S9: chat until it is full: each refusal is a 507, what was accepted is there once, and it goes on', async () => {
  test.setTimeout(300_000);
  const ids = [await aTalk(api, provider.model), await aTalk(api, provider.model)];
  const accepted: string[] = [];
  const refused = new Set<string>();
  await leave(2_000_000);
  for (let n = 0; refused.size === 0 && n < 2_000; n += 1) {
    const session = ids[n % 2] ?? '';
    const clientMessageId = `filling-${n}`;
    const { status, body } = await api.call('POST', `/agent-sessions/${session}/messages`, {
      text: `${n} ${LONG.repeat(8)}`,
      clientMessageId,
    });
    if (status < 300) accepted.push(clientMessageId);
    else refused.add(`${status} ${JSON.stringify(body).slice(0, 60)}`);
  }
  expect([...refused].map((each) => each.slice(0, 3))).toEqual(['507']);
  await fill();
  // Full to the last byte: everything that writes says so by name, everything that reads goes on.
  for (const [method, path, body] of [
    ['POST', `/agent-sessions/${ids[0]}/messages`, { text: LONG.repeat(8), clientMessageId: 'no' }],
    ['POST', '/agent-sessions', {}],
  ] as const) {
    const answer = await api.call(method, path, body);
    expect([path, answer.status, JSON.stringify(answer.body)]).toEqual([
      path,
      507,
      expect.stringContaining('storage_full'),
    ]);
  }
  // What is small may still fit into the last block of a file; it is kept or refused by name, never anything else.
  for (const [method, path, body] of [
    ['PATCH', `/agent-sessions/${ids[0]}`, { title: 'Full' }],
    ['POST', `/agent-sessions/${ids[0]}/carry-overs`, { text: 'Keep this.' }],
    ['PUT', `/agent-sessions/${ids[0]}/draft`, { text: 'a draft '.repeat(1_000) }],
    ['POST', `/agent-sessions/${ids[0]}/compact`, {}],
    ['POST', '/agents', { name: 'Another', purpose: 'none', instructions: 'none' }],
  ] as const) {
    const { status } = await api.call(method, path, body);
    expect([path, [200, 201, 202, 204, 507].includes(status) || status]).toEqual([path, true]);
  }
  for (const path of ['/agent-sessions', `/agent-sessions/${ids[0]}`, `/agent-sessions/${ids[1]}/messages`, '/health'])
    expect((await api.call('GET', path)).status).toBe(200);

  await makeRoom();
  const room = performance.now();
  for (const id of ids) {
    await until('nothing runs', async () => {
      const { status, queued } = await readSession(api, id);
      return status === 'idle' && queued === 0;
    });
    expect(await converse(api, id, 'hi')).toBe('finished');
  }
  const recoveredMs = performance.now() - room;
  const shown = (await Promise.all(ids.map((id) => transcript(api, id)))).flat();
  const sent = shown.flatMap((message) => (message.role === 'user' ? [message.metadata.clientMessageId] : []));
  expect(accepted.filter((id) => sent.filter((each) => each === id).length !== 1)).toEqual([]);
  expect(await compact(api, ids[0] ?? '')).toBe('committed');
  say(
    `rel-S9: ${accepted.length} accepted, both conversations answered ${Math.round(recoveredMs)} ms after there was room`,
  );
});

test('rel-S9: a disk that fills while a reply streams and while a compaction runs: no half boundary, nothing spins, no restart', async () => {
  test.setTimeout(300_000);
  const [talk, long] = [await aTalk(api, provider.model), await aTalk(api, provider.model)];
  for (const text of [LONG, `Further: ${LONG}`]) await converse(api, long, text);
  const [reply, summary] = [createGate(), createGate()];
  provider.push({ parts: [{ text: 'Half of it, ' }, { gate: reply }, { text: LONG }], end: { reason: 'stop' } });
  const listener = await listen(api, talk);
  await send(api, talk, 'A question.');
  await listener.until(streams('Half'));
  const other = await listen(api, long);
  provider.push({ parts: [{ gate: summary }, { text: SUMMARY }], end: { reason: 'stop' } });
  await api.post(`/agent-sessions/${long}/compact`);
  await summary.reached;
  const before = await readFile(join(ballastFolder, 'logs', `${long}.jsonl`));
  await fill();
  reply.open();
  summary.open();
  // Nothing can be written now, not even how it ended; it is said on the stream instead.
  const told = ({ event, data }: Told) => event === 'chat.notice' && data.code === 'storage_full';
  await Promise.all([listener.until(told), other.until(told)]);
  const after = await readFile(join(ballastFolder, 'logs', `${long}.jsonl`));
  expect(after.subarray(0, before.length).equals(before)).toBe(true);
  expect((await logLines(api, long)).filter(({ type }) => type === 'checkpoint.committed')).toEqual([]);
  await makeRoom();
  const endedMs = await until('neither runs', async () => {
    const states = await Promise.all([talk, long].map((id) => readSession(api, id)));
    return states.every(({ running, activity }) => !running && activity === null);
  });
  const kept = (await transcript(api, talk)).find(({ role }) => role === 'assistant');
  expect(textOf(kept)).toContain('Half of it, ');
  expect(await converse(api, talk, 'hi')).toBe('finished');
  expect(await compact(api, long)).toBe('committed');
  const ends = (await logLines(api, talk)).flatMap((line) => (line.type === 'turn.ended' ? [line.outcome] : []));
  expect(ends).toHaveLength(2);
  for (const each of [listener, other]) each.close();
  say(`rel-S9: what was cut off had ended ${Math.round(endedMs)} ms after there was room`);
});

const SUMMARY = [
  'Objective',
  'Constraints',
  'Decisions and evidence',
  'Invalidated',
  'Work',
  'Next action',
  'Files',
  'Code anchors',
]
  .map((heading) => `## ${heading}\n${heading === 'Work' ? 'Completed: all. Active: none. Blocked: none.' : 'none'}`)
  .join('\n');
