import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { type Api, aTalk, listen, logLines, say, startApi, startProvider, type Told } from './api-server';

let dataDir = '';
let provider: Awaited<ReturnType<typeof startProvider>>;
let api: Api;
const start = (port?: number) => startApi({ dataDir, providers: [provider.provider], ...(port ? { port } : {}) });

test.beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tidemark-api-'));
  provider = await startProvider();
  api = await start();
});
test.afterEach(async () => {
  await api.kill();
  await provider.close();
  await rm(dataDir, { recursive: true, force: true });
});

const CLIENTS = 50;
const BREAKS = 10;

/** A small generator with a seed, so that a failing run can be run again. */
function aDie(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return Math.floor((state / 4_294_967_296) * sides);
  };
}

interface Reader {
  readonly ids: string[];
  readonly texts: Map<string, string>;
  breaks: number;
}

const seqOf = (id: string) => Number(id.slice(id.indexOf(':') + 1));

/** Text by offset: what is there already is written over by the same, a gap would show as blanks. */
function hear({ texts }: Reader, told: Told): void {
  if (told.event !== 'chat.delta' || told.data.kind !== 'text') return;
  const { data } = told;
  const key = `${data.messageId} ${data.part}`;
  const held = (texts.get(key) ?? '').padEnd(data.offset, '\0');
  texts.set(key, held.slice(0, data.offset) + data.text + held.slice(data.offset + data.text.length));
}

/** Follows a conversation, breaking off at random places, until the line `last` was told. */
async function follow(session: string, reader: Reader, asked: { die: (sides: number) => number; last: () => number }) {
  for (;;) {
    const newest = reader.ids.at(-1);
    const stream = await listen(api, `${session}@0`, newest).catch(() => null);
    if (stream === null) {
      // The server is on its way up again: whoever waits for it, waits for that.
      await back;
      continue;
    }
    const most = reader.breaks < BREAKS ? 1 + asked.die(12) : Number.POSITIVE_INFINITY;
    let count = 0;
    await stream
      .until((told) => {
        count += 1;
        return count > most || (told.id !== null && asked.last() > 0 && seqOf(told.id) >= asked.last());
      })
      .catch(() => undefined);
    stream.close();
    await stream.ended;
    // What had come before the break, and nothing of what was still under way.
    for (const told of stream.told.slice(0, most === Number.POSITIVE_INFINITY ? undefined : most)) {
      hear(reader, told);
      if (told.id !== null && told.id !== reader.ids.at(-1)) reader.ids.push(told.id);
    }
    reader.breaks += 1;
    if (asked.last() > 0 && seqOf(reader.ids.at(-1) ?? ':0') >= asked.last()) return;
  }
}

let back: Promise<unknown> = Promise.resolve();

test('rel-R5: fifty readers break off ten times each, the server restarts, and every line is told once', async () => {
  // A minute on a quiet machine of two cores; more where others work on it too.
  test.setTimeout(240_000);
  const session = await aTalk(api, provider.model);
  await say(api, session, 'The first message.');
  let last = 0;
  const readers = Array.from({ length: CLIENTS }, (): Reader => ({ ids: [], texts: new Map(), breaks: 0 }));
  const reading = readers.map((reader, n) => follow(session, reader, { die: aDie(n + 1), last: () => last }));
  for (let count = 0; count < 4; count += 1) await say(api, session, `Message ${count}.`);
  const port = Number(new URL(api.origin).port);
  await api.stop();
  back = start(port).then((again) => {
    api = again;
  });
  await back;
  for (let count = 4; count < 8; count += 1) await say(api, session, `Message ${count}.`);
  const lines = await logLines(api, session);
  // Lines that the stream tells nothing of by themselves arrive as the row's new place at the end of their batch.
  last = lines.length;
  await Promise.all(reading);
  const told = lines.filter((line) => /^(turn\.|message\.)/.test(line.type)).map((line) => line.seq);
  for (const reader of readers) {
    const seqs = reader.ids.map(seqOf);
    expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
    expect(told.filter((seq) => !seqs.includes(seq))).toEqual([]);
    const full = new Map<string, string>();
    for (const line of lines)
      if (line.type === 'message.assistant')
        full.set(line.id, line.parts.map((part) => (part.type === 'text' ? part.text : '')).join(''));
    for (const [key, text] of reader.texts) expect(full.get(key.split(' ')[0] ?? '')?.startsWith(text)).toBe(true);
  }
});

test('rel-R6: a forged, foreign, malformed or future Last-Event-ID is refused, and tells nothing', async () => {
  const [mine, other] = [await aTalk(api, provider.model), await aTalk(api, provider.model)];
  await say(api, other, 'A secret of the other one.');
  const ask = async (query: string, lastEventId?: string) => {
    const headers = new Headers(lastEventId === undefined ? {} : { 'last-event-id': lastEventId });
    const abort = new AbortController();
    const response = await fetch(`${api.origin}/v1/events${query}`, { headers, signal: abort.signal });
    const text = response.status === 200 ? '' : await response.text();
    abort.abort();
    return { status: response.status, text };
  };
  const forged = [
    `${other}:1`,
    `${mine}:999999`,
    `${mine}:0`,
    `${mine}:-1`,
    'x',
    ':1',
    `${mine}`,
    `${mine}:1e3`,
    '%00',
    `${mine}:9007199254740993`,
  ];
  for (const lastEventId of forged) {
    const { status, text } = await ask(`?sessions=${mine}`, lastEventId);
    expect([lastEventId, status, text.includes('secret')]).toEqual([lastEventId, 400, false]);
  }
  expect((await ask(`?sessions=${mine}@999999`)).status).toBe(400);
  expect((await ask(`?sessions=${mine},${mine}`)).status).toBe(400);
  expect((await ask('?sessions=01ARZ3NDEKTSV4RRFFQ69G5FAV')).status).toBe(404);
  expect((await ask(`?sessions=${mine}`, `${mine}:1`)).status).toBe(200);
});
