import { expect, test } from '@playwright/test';
import { seededRandom } from '../../db/files/power-cut';
import { type Api, aTalk, say as converse, logLines } from '../api/api-server';
import { manageOneDirectory } from '../api/one-directory';
import { openLightStream } from './light-stream';
import { SEED, say, timesOf } from './rounds';

const here = manageOneDirectory();

const READERS = 200;
const BREAKS = timesOf(20);
const RESTARTS = 2;

interface Reader {
  readonly ids: string[];
  breaks: number;
}

const seqOf = (id: string | undefined) => Number(id?.split(':')[1] ?? 0);

/** What all readers share: the server as it is now, and the line after which everything was told. */
interface Storm {
  api: Api;
  /** Settles when a server is there to ask. */
  up: Promise<unknown>;
  last: number;
}

interface Following {
  readonly reader: Reader;
  readonly random: () => number;
}

/** Follows a conversation, breaking off after a few messages each time, until it was told everything. */
async function follow(storm: Storm, session: string, { reader, random }: Following): Promise<void> {
  const isDone = () => storm.last > 0 && seqOf(reader.ids.at(-1)) >= storm.last;
  while (!isDone()) {
    await storm.up;
    let left = reader.breaks < BREAKS ? Math.floor(random() * 12) : Number.POSITIVE_INFINITY;
    let close: () => void = () => undefined;
    const opening = openLightStream({
      origin: storm.api.origin,
      sessions: `${session}@0`,
      lastEventId: reader.ids.at(-1),
      hear: ({ id }) => {
        if (left < 0) return;
        left -= 1;
        if (id !== null && id !== reader.ids.at(-1)) reader.ids.push(id);
        if (left < 0 || isDone()) close();
      },
    });
    // Refused where the server is just going down; whoever waits for it, waits for that.
    const stream = await opening.catch(() => null);
    if (stream === null) continue;
    close = stream.close;
    if (left < 0 || isDone()) stream.close();
    await stream.ended;
    reader.breaks += 1;
  }
}

test(`rel-R5: ${READERS} readers break off ${BREAKS} times each, the server restarts ${RESTARTS} times: every line is told once, in order`, async () => {
  test.setTimeout(420_000);
  const api = await here.start();
  const port = new URL(api.origin).port;
  const session = await aTalk(api, here.provider.model);
  await converse(api, session, 'The first message.');
  const storm: Storm = { api, up: Promise.resolve(), last: 0 };
  const readers = Array.from({ length: READERS }, (): Reader => ({ ids: [], breaks: 0 }));
  const following = readers.map((reader, n) => follow(storm, session, { reader, random: seededRandom(SEED + n) }));
  /** Says things until every reader has broken off so often. */
  const talkUntil = async (breaks: number) => {
    while (readers.some((reader) => reader.breaks < breaks)) await converse(storm.api, session, 'And another thing.');
  };
  for (let restart = 1; restart <= RESTARTS; restart += 1) {
    await talkUntil((BREAKS * restart) / (RESTARTS + 1));
    const old = storm.api;
    storm.up = old.stop().then(async () => {
      storm.api = await here.start({ PORT: port });
    });
    await storm.up;
  }
  await talkUntil(BREAKS);
  storm.last = (await logLines(storm.api, session)).length;
  // Something more for those who have heard everything: they end with whatever they hear next.
  await converse(storm.api, session, 'That was all.');
  const from = performance.now();
  await Promise.all(following);
  const settledMs = performance.now() - from;
  const lines = (await logLines(storm.api, session)).slice(0, storm.last);
  const told = lines.filter((line) => /^(turn\.|message\.)/.test(line.type)).map((line) => line.seq);
  for (const { ids } of readers) {
    const seqs = ids.map(seqOf);
    expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
    expect(told.filter((seq) => !seqs.includes(seq))).toEqual([]);
  }
  const breaks = readers.reduce((sum, reader) => sum + reader.breaks, 0);
  say(
    `rel-R5: ${breaks} connections, seed ${SEED}: 0 lines missing, 0 told twice; all told ${Math.round(settledMs)} ms after the last`,
  );
});
