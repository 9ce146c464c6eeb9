import { sessionSchema } from '../../server/contract/session';
import { createGate } from '../../server/model/testing/script';
import { expect, test } from '../fixtures';
import { startTestServer } from '../test-server';
import { createApi } from '../verbs/api';
import { createBoundary } from '../verbs/boundary';
import { createChat } from '../verbs/chat';
import { createFakeModels, WRONG_KEY } from '../verbs/fake-models';
import {
  answerSegments,
  countMaps,
  foldInSegments,
  haveLongTalk,
  SMALL_WINDOW,
  summariseWith,
  talkLong,
} from '../verbs/long-talk';

/** Walk 9: a conversation many times larger than the summariser's window, folded in segments that a person watches. */

test.use({ serverFor: 'segments' });
test.beforeEach(() => void test.slow());
test.afterEach(async ({ api }) => summariseWith(api));

test('R1, X6: the segments are seen as they are written; a reload and a second tab show the same', async ({
  page,
  chat,
  api,
  fakes,
  boundary,
  openTab,
  picture,
}) => {
  const gate = createGate();
  const id = await foldInSegments({ chat, fakes, api }, { first: 2, gate });
  const progress = boundary.rows.locator('[data-segments]');
  await expect(progress).toContainText(/2 of \d+ segments written, 4 in progress/);
  await expect(progress.locator('.segment-list [data-state="running"]')).toHaveCount(4);
  await expect(progress).toContainText(/20 messages, \d/);
  await expect(progress.getByText(/^Write \d+ segments/)).toBeVisible();
  await picture('segments');

  await page.reload();
  await expect(progress).toContainText(/2 of \d+ segments written, 4 in progress/);
  await expect(boundary.rows).toContainText(/\d+\ss/);
  const other = await openTab();
  await other.chat.open(id);
  await expect(other.boundary.rows.locator('[data-segments]')).toContainText(
    /2 of \d+ segments written, 4 in progress/,
  );

  // It collapses to one row, which still tells the count.
  await boundary.rows.getByRole('button', { name: 'Hide segments' }).click();
  await expect(progress).toHaveCount(0);
  await expect(boundary.rows).toContainText(/2 of \d+ segments written/);
  await expect(boundary.rows.getByRole('button', { name: 'Show segments' })).toBeVisible();
  await picture('segments-hidden');

  gate.open();
  for (const tab of [boundary, other.boundary]) {
    await expect(tab.cards).toHaveCount(1);
    await expect(tab.rows).toHaveCount(0);
  }
  await boundary.open();
  await expect(boundary.section('How it was made')).toContainText('in segments, then joined');
  await expect(boundary.section('How it was made')).toContainText(/\d+ segments written/);
  await picture('folded-in-segments');
  const [entry] = await api.compactions(id);
  expect(entry?.segments.every(({ state }) => state === 'done')).toBe(true);
});

test('C11, R4: stopped in the middle nothing changes, and the next try goes on from what was written', async ({
  page,
  chat,
  api,
  fakes,
  boundary,
  picture,
}) => {
  const never = createGate();
  const id = await foldInSegments({ chat, fakes, api }, { first: 3, gate: never });
  await expect(boundary.rows).toContainText(/3 of \d+ segments written/);
  await boundary.rows.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText('Compaction stopped. Nothing changed.').first()).toBeVisible();
  await chat.settled();
  await expect(boundary.cards).toHaveCount(0);

  // The conversation goes on meanwhile, and a model chosen since takes up what the first one wrote (R10).
  const second = createGate();
  const next = await fakes.connect({ window: SMALL_WINDOW, respond: answerSegments({ first: 0, gate: second }) });
  await summariseWith(api, next.model);
  await chat.compactBySlash();
  await expect(boundary.rows).toContainText(/Went on from 3 of \d+ segments/);
  await picture('went-on');
  second.open();
  await expect(boundary.cards).toHaveCount(1);
  const [, last] = await api.compactions(id);
  expect(countMaps(next.requests)).toBe((last?.segments.length ?? 0) - 3);
});

test('S4, S5, X6: a segment that fails is named, what is written stays, and trying again goes on from there', async ({
  page,
  chat,
  api,
  fakes,
  boundary,
  picture,
}) => {
  let able = false;
  const refuse = (n: number) =>
    n > 2 && !able
      ? { status: 400, body: { error: { message: 'This text is not allowed.', code: 'bad_request' } } }
      : null;
  const id = await foldInSegments({ chat, fakes, api }, { refuse });
  const failed = page.getByRole('region', { name: 'Compaction failed' });
  await expect(failed).toContainText('it did not accept the request');
  await expect(failed).toContainText('Nothing changed.');
  await expect(failed).toContainText(/2 of \d+ segments are written and kept/);
  await expect(page.getByRole('region', { name: 'Notes' })).toContainText('wrote no summary');
  await picture('segment-failed');
  // Goes on all the same.
  await chat.say('And what is due in May?');
  await expect(chat.lastReply).toContainText('due in May');
  await page.reload();
  await expect(failed).toContainText(/2 of \d+ segments are written and kept/);
  able = true;
  await failed.getByRole('button', { name: 'Try again' }).click();
  await expect(boundary.cards).toHaveCount(1);
  expect((await api.compactions(id)).map(({ outcome }) => outcome)).toEqual(['failed', 'committed']);
});

test('X6: one failed segment is tried again by its own button, and its row is there from the click', async ({
  page,
  chat,
  api,
  fakes,
  boundary,
}) => {
  let able = false;
  const refuse = (n: number) => (n > 2 && !able ? WRONG_KEY : null);
  const id = await foldInSegments({ chat, fakes, api }, { refuse });
  const failed = page.getByRole('region', { name: 'Compaction failed' });
  await expect(failed).toContainText('the key was refused');
  able = true;
  await failed
    .getByRole('button', { name: /^Try segment \d+ again$/ })
    .first()
    .click();
  await expect(failed).toHaveCount(0);
  await expect(boundary.cards).toHaveCount(1);
  const entries = await api.compactions(id);
  expect(entries.map(({ outcome }) => outcome)).toEqual(['failed', 'committed']);
  const maps = entries[1]?.attempts.filter(({ stage }) => stage === 'map');
  expect(maps).toHaveLength((entries[1]?.segments.length ?? 0) - 2);
});

test('N2, R1: the practice model folds in segments what is larger than its own small window', async ({
  chat,
  api,
  fakes,
  boundary,
  picture,
}) => {
  const id = await haveLongTalk({ chat, fakes });
  await summariseWith(api, { provider: 'practice', model: 'rules-1' });
  await chat.compactBySlash();
  await expect(boundary.newest).toContainText('practice model, not an AI');
  await boundary.open();
  await expect(boundary.section('How it was made')).toContainText('in segments, then joined');
  await picture('practised');
  const [entry] = await api.compactions(id);
  expect(entry?.outcome).toBe('committed');
  expect(entry?.segments.length).toBeGreaterThan(3);
});

test('R4, X6: the server is killed in the middle: the page comes back by itself, says so, and goes on from there', async ({
  browser,
}, testInfo) => {
  const dataDir = testInfo.outputPath('data');
  const first = await startTestServer({ dataDir });
  const { port } = new URL(first.origin);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(first.launchUrl);
  const api = createApi(page.request, first.origin);
  const fakes = createFakeModels(api);
  const chat = createChat(page, api);
  const boundary = createBoundary(page);
  const gate = createGate();
  const small = await fakes.connect({ window: SMALL_WINDOW, respond: answerSegments({ first: 3, gate }) });
  await page.goto(first.origin);
  const { model } = await fakes.connect();
  const id = await api.call('POST', '/agent-sessions', sessionSchema, { data: { model } }).then((made) => made.id);
  await page.goto(`${first.origin}/c/${id}`);
  await talkLong(chat);
  await summariseWith(api, small.model);
  await chat.compactBySlash();
  await expect(boundary.rows).toContainText(/3 of \d+ segments written/);
  await first.kill();
  await expect(chat.status).toContainText('Connection lost. Resuming…');

  const second = await startTestServer({ dataDir, env: { PORT: port } });
  const failed = page.getByRole('region', { name: 'Compaction failed' });
  await expect(failed).toContainText('the server stopped in the middle of it');
  await expect(failed).toContainText(/3 of \d+ segments are written and kept/);
  await page.screenshot({ path: testInfo.outputPath('after-the-kill.png') });
  gate.open();
  await failed.getByRole('button', { name: 'Try again' }).click();
  await expect(boundary.cards).toHaveCount(1);
  const entries = await api.compactions(id);
  expect(entries.map(({ outcome }) => outcome)).toEqual(['failed', 'committed']);
  // Those that were accepted before are not asked for again.
  const written = entries[1]?.attempts.filter(({ stage, outcome }) => stage === 'map' && outcome === 'accepted');
  expect(written).toHaveLength((entries[1]?.segments.length ?? 0) - 3);
  await fakes.close();
  await context.close();
  await second.stop();
});
