import { connect, type Socket } from 'node:net';
import { expect, test } from '@playwright/test';
import { type Api, aTalk, say as converse } from '../api/api-server';
import { manageOneDirectory } from '../api/one-directory';
import { quantile, say } from './rounds';

/** Clients that open connections and give little or nothing. */

const here = manageOneDirectory();
let sockets: Socket[] = [];
let api: Api;

test.beforeEach(async () => {
  api = await here.start();
});
test.afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});

const port = () => Number(new URL(api.origin).port);

/** A connection that has sent these bytes, and the promise of its end. */
function open(bytes: string): {
  readonly socket: Socket;
  readonly closed: Promise<void>;
  readonly heard: () => string;
} {
  const socket = connect(port(), '127.0.0.1');
  sockets.push(socket);
  let text = '';
  socket.on('data', (chunk) => {
    text += String(chunk);
  });
  socket.on('error', () => undefined);
  if (bytes !== '') socket.write(bytes);
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
  return { socket, closed, heard: () => text };
}

/** How long health takes to be asked over a connection of its own. */
async function askHealth(): Promise<number> {
  const from = performance.now();
  const { heard, closed } = open(`GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1:${port()}\r\nConnection: close\r\n\r\n`);
  await closed;
  expect(heard()).toMatch(/^HTTP\/1\.1 200 /);
  return performance.now() - from;
}

async function watchHealth(until: Promise<unknown>): Promise<readonly number[]> {
  const took: number[] = [];
  let over = false;
  void until.then(() => {
    over = true;
  });
  while (!over) {
    took.push(await askHealth());
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return took;
}

async function askOften(times: number): Promise<readonly number[]> {
  const took: number[] = [];
  for (let n = 0; n < times; n += 1) took.push(await askHealth());
  return took;
}

/** Well below any of the limits that a slow client would have others wait for. How long it takes is said beside it. */
function expectPrompt(took: readonly number[]): void {
  expect(quantile(took, 0.9)).toBeLessThan(3_000);
}

const line = (took: readonly number[], before: readonly number[]) =>
  `${(quantile(took, 0.5) / quantile(before, 0.5)).toFixed(1)} times what it takes without: ${took.length} asked, half within ${quantile(took, 0.5).toFixed(1)} ms, p99 ${quantile(took, 0.99).toFixed(1)} ms, worst ${Math.max(...took).toFixed(1)} ms`;

test('rel-R14: unfinished headers and bodies of a byte a second end at their limits, and health answers throughout', async () => {
  test.setTimeout(300_000);
  const before = await askOften(20);
  const heads = Array.from({ length: 200 }, () =>
    open(`GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1:${port()}\r\nX-Slow: `),
  );
  const bodies = Array.from({ length: 50 }, () =>
    open(
      `POST /v1/agent-sessions HTTP/1.1\r\nHost: 127.0.0.1:${port()}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
    ),
  );
  const drip = setInterval(() => {
    for (const { socket } of [...heads, ...bodies]) if (socket.writable) socket.write(' ');
  }, 1_000);
  const from = performance.now();
  const headsGone = Promise.all(heads.map(({ closed }) => closed)).then(() => performance.now() - from);
  const bodiesGone = Promise.all(bodies.map(({ closed }) => closed)).then(() => performance.now() - from);
  const took = await watchHealth(Promise.all([headsGone, bodiesGone]));
  clearInterval(drip);
  const [headsMs, bodiesMs] = await Promise.all([headsGone, bodiesGone]);
  // Ten seconds for a head and sixty for a body (reliability 6.9), and what a busy machine adds.
  expect(headsMs).toBeLessThan(45_000);
  expect(bodiesMs).toBeLessThan(150_000);
  expectPrompt(took);
  say(
    `rel-R14: slow heads ended after ${(headsMs / 1000).toFixed(1)} s, slow bodies after ${(bodiesMs / 1000).toFixed(1)} s; health: ${line(took, before)}`,
  );
});

test('rel-R14: two thousand idle connections take no new one its place, and the server goes on', async () => {
  test.setTimeout(240_000);
  const id = await aTalk(api, here.provider.model);
  const before = await askOften(20);
  const idle = Array.from({ length: 2_000 }, () => open(''));
  await Promise.all(
    idle.map(({ socket, closed }) => Promise.race([closed, new Promise((resolve) => socket.once('connect', resolve))])),
  );
  const done = new Promise((resolve) => setTimeout(resolve, 8_000));
  const took = await watchHealth(done);
  expectPrompt(took);
  expect(await converse(api, id, 'hi')).toBe('finished');
  for (const { socket } of idle) socket.destroy();
  expect(await converse(api, id, 'hi again')).toBe('finished');
  say(`rel-R14: 2,000 idle connections; health: ${line(took, before)}`);
});
