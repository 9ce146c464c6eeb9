import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect, test } from '@playwright/test';
import { z } from 'zod';
import { type Api, aTalk, readSession, send } from '../api/api-server';
import { manageOneDirectory } from '../api/one-directory';
import { findFreePort } from './free-port';
import { openLightStream } from './light-stream';
import { quantile, say, sizeOf } from './rounds';
import { watchMemory } from './server-memory';

const here = manageOneDirectory();

const SESSIONS = Number(process.env.TIDEMARK_LOAD_SESSIONS ?? sizeOf(50, 200));
const SECONDS = Number(process.env.TIDEMARK_LOAD_SECONDS ?? sizeOf(15, 100));
const PIECES_A_SECOND = Number(process.env.TIDEMARK_LOAD_PACE ?? 50);

const loopSchema = z.object({ p50: z.number(), p99: z.number(), worst: z.number() });

/** One conversation under load: what its reader heard, and how late. */
interface Watched {
  readonly id: string;
  pieces: number;
  readonly latencies: number[];
}

async function startTokens(): Promise<{ readonly port: number; readonly end: () => Promise<unknown> }> {
  const workerData = { piecesASecond: PIECES_A_SECOND, seconds: SECONDS };
  const worker = new Worker(join(import.meta.dirname, 'token-provider.mjs'), { workerData });
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  return { port, end: () => worker.terminate() };
}

const PIECE = /@([\d.]+)@/g;

async function watch(api: Api, id: string) {
  const watched: Watched = { id, pieces: 0, latencies: [] };
  const stream = await openLightStream({
    origin: api.origin,
    sessions: id,
    hear: ({ event, data }) => {
      if (event !== 'chat.delta') return;
      const at = performance.timeOrigin + performance.now();
      for (const [, sent] of data.matchAll(PIECE)) {
        watched.pieces += 1;
        if (watched.pieces % 10 === 0) watched.latencies.push(at - Number(sent));
      }
    },
  });
  return { watched, stream };
}

test(`rel-R8: ${SESSIONS} conversations at once, ${PIECES_A_SECOND} pieces a second each, for ${SECONDS} s: all finish, health answers, memory is bounded`, async () => {
  test.setTimeout((SECONDS * 6 + 300) * 1_000);
  const tokens = await startTokens();
  const port = await findFreePort();
  const hook = pathToFileURL(join(import.meta.dirname, 'watch-loop.mjs')).href;
  const provider = { ...here.provider.provider, baseUrl: `http://127.0.0.1:${tokens.port}/v1` };
  const api = await here.start({
    TIDEMARK_PROVIDERS: JSON.stringify([provider]),
    NODE_OPTIONS: `--import=${hook}`,
    WATCH_LOOP_PORT: String(port),
  });
  const loop = async () => loopSchema.parse(await (await fetch(`http://127.0.0.1:${port}/`)).json());
  const ids = await Promise.all(Array.from({ length: SESSIONS }, () => aTalk(api, here.provider.model)));
  const streams = await Promise.all(ids.map((id) => watch(api, id)));
  const stopWatching = watchMemory(api.pid);
  await loop();
  await Promise.all(ids.map((id) => send(api, id, 'Go on and on.')));

  const health: number[] = [];
  const blocks: number[] = [];
  const from = performance.now();
  while (performance.now() - from < SECONDS * 1_000) {
    const asked = performance.now();
    expect((await api.call('GET', '/health')).status).toBe(200);
    health.push(performance.now() - asked);
    blocks.push((await loop()).worst);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  const counts = streams.map(({ watched }) => watched.pieces);
  const heldMs = performance.now() - from;
  const peak = stopWatching();
  for (const id of ids)
    await expect
      .poll(async () => (await readSession(api, id)).status, { timeout: SECONDS * 4_000 + 120_000 })
      .toBe('idle');
  const least = () => Math.min(...streams.map(({ watched }) => watched.pieces));
  await expect.poll(least, { message: 'each one was told something', timeout: 60_000 }).toBeGreaterThan(0);
  for (const { stream } of streams) stream.close();

  const latencies = streams.flatMap(({ watched }) => watched.latencies);
  const share = counts.reduce((sum, each) => sum + each, 0) / (SESSIONS * PIECES_A_SECOND * (heldMs / 1_000));
  say(
    `rel-R8: ${SESSIONS} × ${PIECES_A_SECOND}/s for ${SECONDS} s: ${(share * 100).toFixed(0)} % of the pace was borne, the slowest conversation ` +
      `${((Math.min(...counts) / Math.max(...counts)) * 100).toFixed(0)} % of the fastest; text after p50 ${quantile(latencies, 0.5).toFixed(0)} ms, p99 ${quantile(latencies, 0.99).toFixed(0)} ms`,
  );
  say(
    `rel-R8: health p50 ${quantile(health, 0.5).toFixed(0)} ms, p99 ${quantile(health, 0.99).toFixed(0)} ms; ${blocks.filter((block) => block > 200).length} of ${blocks.length} looks saw the loop held over 200 ms, worst ${Math.max(...blocks).toFixed(0)} ms; memory ${peak.toFixed(0)} MB at most`,
  );
  // How fast is the machine's business; what is held of them is not, nor that each one ends.
  expect(peak).toBeLessThan(900);
  const ends = await Promise.all(ids.map(async (id) => (await readSession(api, id)).lastTurn?.outcome));
  expect(ends).toEqual(ends.map(() => 'finished'));
  await tokens.end();
});
