import { randomUUID } from 'node:crypto';
import type { StoredEvent } from '../../server/contract/events/event';
import type { Message } from '../../server/contract/message';
import { messagesAnswerSchema, postMessageAnswerSchema } from '../../server/contract/messages-api';
import { listSessionsAnswerSchema, sessionSchema } from '../../server/contract/session';
import type { Model } from '../../server/contract/shapes';
import { type StreamEvent, streamEventSchema } from '../../server/contract/stream';
import { scanChunk, startScan } from '../../server/core/log/scan-log';
import { isKnown } from '../../server/core/projection/log-state-path';
import { createAnswerLikeAModel } from '../../server/model/testing/answer-like-a-model';
import { startFakeChatCompletions } from '../../server/model/testing/fake-chat-completions';
import type { FakeServer, Respond } from '../../server/model/testing/fake-server';
import { startTestServer, type TestServer } from '../test-server';

/** The verbs of these specs: the real server over HTTP, and a provider that answers when it is told to. */
export interface Api extends TestServer {
  /** Any call; the parsed body, whatever the status. */
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  /** The answer of a call that succeeds. */
  get(path: string): Promise<unknown>;
  post(path: string, body?: unknown): Promise<unknown>;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface Start {
  readonly dataDir?: string;
  readonly providers?: readonly unknown[];
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a server without sign-in on loopback. */
export async function startApi({ dataDir, providers = [], port, env = {} }: Start = {}): Promise<Api> {
  const server = await startTestServer({
    env: {
      TIDEMARK_AUTH: 'none',
      TIDEMARK_PROVIDERS: JSON.stringify(providers),
      ...(port === undefined ? {} : { PORT: String(port) }),
      ...env,
    },
    ...(dataDir === undefined ? {} : { dataDir }),
  });
  const call: Api['call'] = async (method, path, body) => {
    const response = await fetch(`${server.origin}/v1${path}`, {
      method,
      headers: { origin: server.origin, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json;') ?? false;
    return { status: response.status, body: isJson ? JSON.parse(text) : text };
  };
  const ok = async (method: string, path: string, body?: unknown) => {
    const answer = await call(method, path, body);
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  return { ...server, call, get: (path) => ok('GET', path), post: (path, body) => ok('POST', path, body ?? {}) };
}

/** A provider on this machine with a window of a million tokens, and how the server is told of it. */
export async function startProvider(respond: Respond = createAnswerLikeAModel()) {
  const server: FakeServer = await startFakeChatCompletions({ respond });
  const provider = {
    id: 'fake',
    kind: 'openai-compatible',
    baseUrl: server.baseUrl,
    apiKey: 'sk-canary-0123456789abcdef',
    models: [{ id: 'm', window: 1_000_000 }],
  };
  const model: Model = { provider: 'fake', model: 'm' };
  return { ...server, provider, model };
}

/** Sends a message; gives its answer once it is accepted. */
export async function send(api: Api, id: string, text: string, clientMessageId: string = randomUUID()) {
  return postMessageAnswerSchema.parse(await api.post(`/agent-sessions/${id}/messages`, { text, clientMessageId }));
}

/** A message of the stream, read by the contract's own schema. */
export type Told = StreamEvent & { readonly id: string | null };

/** One stream of events, read to whatever end. */
export interface Listener {
  readonly told: Told[];
  /** The first event that passes, told already or yet to come; rejects where the stream ends before. */
  until(passes: (told: Told) => boolean): Promise<Told>;
  readonly ended: Promise<void>;
  close(): void;
}

/** Opens a stream. Rejects with the status where the server refuses. */
export async function listen(api: Api, sessions: string, lastEventId?: string): Promise<Listener> {
  const abort = new AbortController();
  const response = await fetch(`${api.origin}/v1/events?sessions=${sessions}`, {
    headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
    signal: abort.signal,
  });
  if (response.status !== 200 || response.body === null) throw new Error(`events: ${response.status}`);
  const told: Told[] = [];
  const hearers = new Set<() => void>();
  let over = false;
  const stir = () => {
    for (const hear of [...hearers]) hear();
  };
  const ended = read(response.body, (message) => {
    told.push(message);
    stir();
  }).finally(() => {
    over = true;
    stir();
  });
  const until: Listener['until'] = (passes) =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = told.find(passes);
        if (found === undefined && !over) return;
        hearers.delete(look);
        if (found) resolve(found);
        else reject(new Error(`the stream ended after ${told.map(({ event }) => event).join(' ')}`));
      };
      hearers.add(look);
      look();
    });
  return { told, until, ended, close: () => abort.abort() };
}

async function read(body: ReadableStream<Uint8Array>, tell: (told: Told) => void): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const chunk of body) {
      const pieces = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
      rest = pieces.pop() ?? '';
      for (const piece of pieces) {
        const told = parse(piece);
        if (told) tell(told);
      }
    }
  } catch {
    // Closed by us, or the server went away: both are an end.
  }
}

function parse(piece: string): Told | null {
  const field = (name: string) =>
    piece
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2) ?? null;
  const data = field('data');
  if (data === null) return null;
  return { id: field('id'), ...streamEventSchema.parse({ event: field('event'), data: JSON.parse(data) }) };
}

/** The end of a turn, as the stream tells it. */
export const turnEnd = (turnId: string) => (told: Told) =>
  told.event === 'chat.turn' && told.data.turnId === turnId && told.data.state !== 'started';

/** Text on its way that holds these words. */
export const streams = (words: string) => (told: Told) => told.event === 'chat.delta' && told.data.text.includes(words);

/** Sends a message and waits until its turn has ended; says how. */
export async function say(api: Api, id: string, text: string): Promise<string> {
  const listener = await listen(api, id);
  const { turnId } = await send(api, id, text);
  const told = await listener.until(turnEnd(turnId));
  listener.close();
  return told.event === 'chat.turn' ? told.data.state : told.event;
}

/** Asks for a compaction and waits for its end; says how. */
export async function compact(api: Api, id: string): Promise<string> {
  const listener = await listen(api, id);
  await api.post(`/agent-sessions/${id}/compact`);
  const told = await listener.until(({ event }) => event === 'chat.compacted');
  listener.close();
  return told.event === 'chat.compacted' ? told.data.outcome : told.event;
}

/** A new conversation with a model. */
export async function aTalk(api: Api, model: Model): Promise<string> {
  return sessionSchema.parse(await api.post('/agent-sessions', { model })).id;
}

export const readSession = async (api: Api, id: string) => sessionSchema.parse(await api.get(`/agent-sessions/${id}`));

export const listSessions = async (api: Api) =>
  listSessionsAnswerSchema.parse(await api.get('/agent-sessions')).sessions;

export async function transcript(api: Api, id: string): Promise<readonly Message[]> {
  return messagesAnswerSchema.parse(await api.get(`/agent-sessions/${id}/messages?limit=500`)).messages;
}

/** The lines of a conversation's log, as the API hands them out. */
export async function logLines(api: Api, id: string): Promise<readonly StoredEvent[]> {
  const step = scanChunk(startScan(), new TextEncoder().encode(String(await api.get(`/agent-sessions/${id}/log`))));
  return step.records.flatMap((record) => (record.kind === 'event' && isKnown(record.event) ? [record.event] : []));
}

export function textOf(message: Message | undefined): string {
  return (message?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');
}
