import { randomUUID } from 'node:crypto';
import { createAnswerLikeAModel } from '../../server/model/testing/answer-like-a-model';
import { startFakeChatCompletions } from '../../server/model/testing/fake-chat-completions';
import type { FakeServer, Respond } from '../../server/model/testing/fake-server';
import { startTestServer, type TestServer } from '../test-server';

/** The verbs of these specs: the real server over HTTP, and a provider that answers when it is told to. */
export interface Api extends TestServer {
  /** Any call; the parsed body, whatever the status. */
  call(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  get<T = Json>(path: string): Promise<T>;
  post<T = Json>(path: string, body?: unknown): Promise<T>;
}

// biome-ignore lint/suspicious/noExplicitAny: what a server answers is judged by the specs, field by field.
export type Json = any;

export interface Answer {
  readonly status: number;
  readonly body: Json;
  readonly headers: Headers;
}

export interface Start {
  readonly dataDir?: string;
  readonly providers?: readonly unknown[];
  readonly port?: number;
}

/** Starts a server without sign-in on loopback. */
export async function startApi({ dataDir, providers = [], port }: Start = {}): Promise<Api> {
  const server = await startTestServer({
    env: {
      TIDEMARK_AUTH: 'none',
      TIDEMARK_PROVIDERS: JSON.stringify(providers),
      ...(port === undefined ? {} : { PORT: String(port) }),
    },
    ...(dataDir === undefined ? {} : { dataDir }),
  });
  const call: Api['call'] = async (method, path, body, headers = {}) => {
    const response = await fetch(`${server.origin}/v1${path}`, {
      method,
      headers: { origin: server.origin, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json;') ?? false;
    return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
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
  return { ...server, provider, model: { provider: 'fake', model: 'm' } };
}

/** Sends a message; gives its answer once it is accepted. */
export async function send(api: Api, id: string, text: string, clientMessageId: string = randomUUID()): Promise<Json> {
  return api.post(`/agent-sessions/${id}/messages`, { text, clientMessageId });
}

export interface Told {
  readonly id: string | null;
  readonly event: string;
  readonly data: Json;
}

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
  return data === null ? null : { id: field('id'), event: field('event') ?? 'message', data: JSON.parse(data) };
}

/** The end of a turn, as the stream tells it. */
export const turnEnd = (turnId: string) => (told: Told) =>
  told.event === 'chat.turn' && told.data.turnId === turnId && told.data.state !== 'started';

/** Sends a message and waits until its turn has ended. */
export async function say(api: Api, id: string, text: string): Promise<Json> {
  const listener = await listen(api, id);
  const { turnId } = await send(api, id, text);
  const { data } = await listener.until(turnEnd(turnId));
  listener.close();
  return data;
}

/** A new conversation with a model. */
export async function aTalk(api: Api, model?: unknown): Promise<string> {
  return (await api.post('/agent-sessions', model === undefined ? {} : { model })).id;
}

export async function transcript(api: Api, id: string): Promise<readonly Json[]> {
  return (await api.get(`/agent-sessions/${id}/messages?limit=500`)).messages;
}

export const textOf = (message: Json): string =>
  message.parts.map((part: Json) => (part.type === 'text' ? part.text : '')).join('');
