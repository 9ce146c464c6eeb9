import { connect, type Socket } from 'node:net';
import { expect, test } from '@playwright/test';
import { createGate, type FakePart } from '../../server/model/testing/script';
import { type Api, aTalk, say as converse, listen, send, turnEnd } from '../api/api-server';
import { manageOneDirectory } from '../api/one-directory';
import { createCutter, openLightStream } from './light-stream';
import { quantile, say } from './rounds';
import { watchMemory } from './server-memory';

const here = manageOneDirectory();

const READERS = 20;
const EVENT_BYTES = 64_000;
const EVENTS_A_TURN = 60;
/** All of it is well beyond what the kernel, the sockets and the server's own bound hold of one stream. */
const TURNS = 4;
const QUIET_PIECES = 80;

/** A reader that takes a byte a second, and what it has read. */
function openSlowly(origin: string, session: string) {
  const { hostname, port } = new URL(origin);
  const socket: Socket = connect({ port: Number(port), host: hostname });
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(`GET /v1/events?sessions=${session} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
  const ids: string[] = [];
  const cut = createCutter(({ id }) => {
    if (id !== null) ids.push(id);
  });
  const sips: string[] = [];
  const sip = setInterval(() => sips.push(String(socket.read(1) ?? '')), 1_000);
  return {
    /** Reads all that was kept for it, to whatever end; gives the ids of whole messages. */
    drain: async (): Promise<readonly string[]> => {
      clearInterval(sip);
      cut(sips.join(''));
      // The sizes of chunks stand between the pieces of a message; no id is cut by one that is longer than a chunk.
      socket.on('data', (chunk) => cut(String(chunk).replace(/\r\n[0-9a-f]+\r\n/g, '')));
      const over = new Promise<void>((resolve) => {
        socket.once('close', () => resolve());
        socket.once('end', () => resolve());
      });
      socket.resume();
      await over;
      socket.destroy();
      return ids;
    },
  };
}

/** Fifteen megabytes of replies; a fast reader hears them to their end, and gives the ids it was told. */
async function talkLoudly(api: Api, session: string): Promise<readonly string[]> {
  const listener = await listen(api, session);
  const text = 'x'.repeat(EVENT_BYTES);
  for (let turn = 0; turn < TURNS; turn += 1) {
    here.provider.push({ parts: Array.from({ length: EVENTS_A_TURN }, () => ({ text })), end: { reason: 'stop' } });
    const { turnId } = await send(api, session, `Say a lot, ${turn}.`);
    await listener.until(turnEnd(turnId));
  }
  listener.close();
  return listener.told.flatMap(({ id }) => (id === null ? [] : [id]));
}

/** A reply in small pieces that carry the moment they were sent; how long each took to whoever follows, in milliseconds. */
async function talkQuietly(api: Api, session: string) {
  const gates = Array.from({ length: QUIET_PIECES }, () => createGate());
  const parts = gates.flatMap((gate): FakePart[] => [
    { gate },
    {
      get text() {
        return `@${performance.now()}@`;
      },
    },
  ]);
  here.provider.push({ parts, end: { reason: 'stop' } });
  const took: number[] = [];
  const hear = ({ event, data }: { readonly event: string; readonly data: string }) => {
    const sent = event === 'chat.delta' ? /@([\d.]+)@/.exec(data)?.[1] : undefined;
    if (sent !== undefined) took.push(performance.now() - Number(sent));
  };
  const stream = await openLightStream({ origin: api.origin, sessions: session, hear });
  await send(api, session, 'Say something now and then.');
  await gates[0]?.reached;
  const waiting = gates.values();
  const pace = setInterval(() => waiting.next().value?.open(), 50);
  return {
    end: async () => {
      clearInterval(pace);
      for (const gate of gates) gate.open();
      stream.close();
      await stream.ended;
      return took;
    },
  };
}

test(`rel-R7: ${READERS} readers of a byte a second are cut off at their bound and refill later; nobody else waits for them`, async () => {
  test.setTimeout(240_000);
  const api = await here.start();
  const [loud, quiet] = [await aTalk(api, here.provider.model), await aTalk(api, here.provider.model)];
  for (const id of [loud, quiet]) await converse(api, id, 'Good morning.');
  // Once without them, so that what the replies themselves take is known.
  const stopFirst = watchMemory(api.pid);
  const quietly = await talkQuietly(api, quiet);
  await talkLoudly(api, loud);
  const alone = await quietly.end();
  const peakAlone = stopFirst();

  const slow = Array.from({ length: READERS }, () => openSlowly(api.origin, loud));
  const stopSecond = watchMemory(api.pid);
  const quietlyAgain = await talkQuietly(api, quiet);
  const told = await talkLoudly(api, loud);
  const beside = await quietlyAgain.end();
  const peak = stopSecond();

  let cutOff = 0;
  const last = told.at(-1) ?? '';
  for (const reader of slow) {
    const ids = [...(await reader.drain())];
    if (!ids.includes(last)) cutOff += 1;
    const refill = await listen(api, `${loud}@0`, ids.at(-1));
    await refill.until(({ id }) => id === last);
    refill.close();
    ids.push(...refill.told.flatMap(({ id }) => (id === null ? [] : [id])));
    const seqs = ids.map((id) => Number(id.split(':')[1]));
    expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
    expect(told.filter((id) => !ids.includes(id))).toEqual([]);
  }
  expect(cutOff).toBe(READERS);
  say(
    `rel-R7: memory ${peakAlone.toFixed(0)} MB without, ${peak.toFixed(0)} MB with ${READERS} slow readers; ` +
      `another conversation's text after p50 ${quantile(alone, 0.5).toFixed(1)} / ${quantile(beside, 0.5).toFixed(1)} ms, p99 ${quantile(alone, 0.99).toFixed(1)} / ${quantile(beside, 0.99).toFixed(1)} ms`,
  );
  expect(peak - peakAlone).toBeLessThan(150);
  expect(quantile(beside, 0.5)).toBeLessThan(Math.max(50, 3 * quantile(alone, 0.5)));
});
