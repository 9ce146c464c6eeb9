import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { makeDrafts } from '@/db/contract-tests/session-log-drafts';
import { openFilesSessionLog } from '@/db/files/session-log';
import { openSse } from '@/server/http/sse';
import type { SessionLog } from '@/server/ports/session-log';
import { anApp, type TestApp } from '@/server/session/testing/an-app';
import { median, quantile } from '../clock';

const CLIENTS = 100;
const CLIENT_PROGRAM = fileURLToPath(new URL('fan-out-clients.mjs', import.meta.url));

/** What the clients say at their end: nanoseconds of the machine's clock at which each got the line. */
interface Arrived {
  readonly seq: number;
  readonly at: string;
}

/**
 * perf-F4: from a line that has just become durable to a client that reads it over a socket, 100 clients in another
 * process; one more never reads. `serialised`: how often an event's data was turned into text.
 */
export async function runFanOut({ count }: { readonly count: number }) {
  const dataDir = await mkdtemp(join(tmpdir(), 'tidemark-bench-'));
  const durableAt = new Map<number, bigint>();
  const sessionLog = await timedLog(dataDir, durableAt);
  const test = await anApp({ sessionLog, freezeStates: false });
  const { id } = await test.app.sessions.create({}, 'owner');
  const server = createServer((_request, response) => void serve(test, id, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const clients = fork(CLIENT_PROGRAM, [String(port), String(CLIENTS)], { execArgv: [] });
  const arrived: Arrived[] = [];
  clients.on('message', (message: { readonly arrived?: Arrived[] }) => arrived.push(...(message.arrived ?? [])));
  await once(clients, 'message');

  const serialised = await countSerialised(async () => {
    for (let turn = 0; turn < count; turn += 1) {
      await test.app.small.carry(id, { text: `kept for later, number ${turn}` }, 'owner');
      await pause(4);
    }
  });
  const ended = once(clients, 'exit');
  await pause(200);
  clients.send('end');
  await ended;
  server.closeAllConnections();
  server.close();
  await test.stop();
  rmSync(dataDir, { recursive: true });
  const delays = arrived.flatMap(({ seq, at }) => {
    const durable = durableAt.get(seq);
    return durable === undefined ? [] : [Number(BigInt(at) - durable) / 1e6];
  });
  return {
    p50: median(delays),
    p99: quantile(delays, 0.99),
    arrivedShare: delays.length / (CLIENTS * count),
    serialised: serialised / count,
  };
}

async function timedLog(dataDir: string, durableAt: Map<number, bigint>): Promise<SessionLog> {
  const log = await openFilesSessionLog({ dataDir, ...makeDrafts(), lock: null });
  return {
    create: log.create.bind(log),
    read: log.read.bind(log),
    readBytes: log.readBytes.bind(log),
    list: log.list.bind(log),
    close: log.close.bind(log),
    remove: log.remove.bind(log),
    append: async (logId, drafts) => {
      const events = await log.append(logId, drafts);
      const now = process.hrtime.bigint();
      for (const { seq } of events) durableAt.set(seq, now);
      return events;
    },
  };
}

async function serve({ app }: TestApp, id: string, response: import('node:http').ServerResponse): Promise<void> {
  const followed = await app.stream.plan({ sessions: id, lastEventId: null });
  const left = new AbortController();
  response.on('close', () => left.abort());
  const answer = openSse({ signal: left.signal, start: (writer) => app.stream.follow(followed, writer) });
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.flushHeaders();
  if (answer.body === null) return;
  Readable.fromWeb(answer.body as import('node:stream/web').ReadableStream)
    .on('error', () => response.destroy())
    .pipe(response);
}

/** Times that the data of a stream's event was turned into text while `work` ran. */
async function countSerialised(work: () => Promise<void>): Promise<number> {
  const { stringify } = JSON;
  let count = 0;
  JSON.stringify = (value: unknown, ...rest: unknown[]) => {
    if (typeof value === 'object' && value !== null && 'headSeq' in value) count += 1;
    return Reflect.apply(stringify, JSON, [value, ...rest]);
  };
  await work();
  JSON.stringify = stringify;
  return count;
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
