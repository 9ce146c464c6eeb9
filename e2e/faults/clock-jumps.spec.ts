import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { StoredEvent } from '../../server/contract/events/event';
import { createGate } from '../../server/model/testing/script';
import {
  aTalk,
  compact,
  say as converse,
  listen,
  logLines,
  send,
  streams,
  textOf,
  transcript,
  turnEnd,
} from '../api/api-server';
import { manageOneDirectory } from '../api/one-directory';
import { startTestServer } from '../test-server';
import { findFaketime, need } from './means';
import { say } from './rounds';

/** A server whose clock on the wall is moved while it runs; the clock that only goes forward is left alone. */

const here = manageOneDirectory();

function createWallClock() {
  const { library } = need(findFaketime());
  const path = join(here.dataDir, 'wall-clock');
  /** As faketime spells it: `+1d`, `-2y`, `@2026-10-25 02:59:58`. */
  const set = (time: string) => {
    writeFileSync(`${path}.next`, `${time}\n`);
    renameSync(`${path}.next`, path);
  };
  set('+0');
  const env = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: path,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
    TZ: 'Europe/Berlin',
  };
  return { env, set };
}

/** An id is made a moment before its line is written, but never carries a time that the clock has jumped back to. */
function expectSortable(lines: readonly StoredEvent[]): void {
  const said = lines.flatMap((line) => (line.type === 'message.user' ? [line.id] : []));
  expect(said).toEqual([...said].sort());
  let newest = 0;
  for (const { id } of lines) {
    const ms = [...id.slice(0, 10)].reduce((sum, digit) => sum * 32 + CROCKFORD.indexOf(digit), 0);
    expect(ms).toBeGreaterThan(newest - 60_000);
    newest = Math.max(newest, ms);
  }
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const LONG = 'What was said, and what there is to say of it. '.repeat(20);

/** The last one is the second on which the hour from two to three begins again. */
const JUMPS = ['+1d', '-1d', '-2y', '+0', '@2026-10-25 02:59:59', '-5s', '+10y', '+0'];

test('rel-S19: however the clock jumps, also in the middle of a reply: lines keep their order, ids grow, replies and retries end', async () => {
  test.setTimeout(300_000);
  const clock = createWallClock();
  const api = await here.start(clock.env);
  const id = await aTalk(api, here.provider.model);
  await converse(api, id, LONG);
  const offsets: string[] = [];
  for (const jump of JUMPS) {
    const gate = createGate();
    here.provider.push({ parts: [{ text: 'Before, ' }, { gate }, { text: 'after.' }], end: { reason: 'stop' } });
    const listener = await listen(api, id);
    const { turnId } = await send(api, id, `The clock goes ${jump}. ${LONG}`);
    await listener.until(streams('Before'));
    clock.set(jump);
    gate.open();
    const end = await listener.until(turnEnd(turnId));
    listener.close();
    expect([jump, end.event === 'chat.turn' && end.data.state]).toEqual([jump, 'finished']);
    offsets.push(new Date((await logLines(api, id)).at(-1)?.at ?? '').toISOString().slice(0, 16));
    // A provider that asks for a pause is asked again after that pause, whatever the wall says.
    here.provider.push({ status: 429, body: { error: { message: 'slow down' } }, headers: { 'retry-after': '1' } });
    const from = performance.now();
    expect([jump, await converse(api, id, 'And again?')]).toEqual([jump, 'finished']);
    expect(performance.now() - from).toBeGreaterThan(900);
    expect(performance.now() - from).toBeLessThan(20_000);
  }
  expect(await compact(api, id)).toBe('committed');
  const lines = await logLines(api, id);
  expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1));
  expectSortable(lines);
  for (const line of lines) if (line.type === 'message.assistant') expect(line.ms).toBeLessThan(60_000);
  const said = (await transcript(api, id)).filter(({ role }) => role === 'user').map(textOf);
  expect(said.filter((text) => text.startsWith('The clock goes')).map((text) => text.split(/ goes |\. /)[1])).toEqual(
    JUMPS,
  );
  // The clock did jump: else this test shows nothing.
  expect(new Set(offsets.map((time) => time.slice(0, 4))).size).toBeGreaterThan(2);
  await api.kill();
  clock.set('-2y');
  const again = await here.start(clock.env);
  expect(await converse(again, id, 'hi')).toBe('finished');
  expectSortable(await logLines(again, id));
  say(`rel-S19: ${JUMPS.length} jumps in the middle of replies, lines dated ${offsets.join(', ')}`);
});

test('rel-S19: a browser that is signed in stays so over a jump', async () => {
  const clock = createWallClock();
  const server = await startTestServer({ dataDir: here.dataDir, env: clock.env });
  const launch = await fetch(server.launchUrl, { redirect: 'manual' });
  const cookie = launch.headers.get('set-cookie')?.split(';')[0] ?? '';
  for (const jump of ['+0', '+1d', '-1d', '-2y']) {
    clock.set(jump);
    const { status } = await fetch(`${server.origin}/v1/agent-sessions`, { headers: { cookie } });
    expect([jump, status]).toEqual([jump, 200]);
  }
  await server.kill();
});
