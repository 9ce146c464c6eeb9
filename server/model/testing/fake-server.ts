import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { asObject } from '../error-facts';
import { createSignal, type FakeReply, type Frame } from './script';
import {
  createIssuedBook,
  findRefusal,
  type IssuedBook,
  NO_LIMITS,
  type Refused,
  type ServerLimits,
  type StrictProtocol,
} from './strict-request';

/** A request as it arrived, byte for byte. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly bytes: number;
  readonly json: unknown;
}

export type Respond = (request: RecordedRequest) => FakeReply;

export interface FakeProtocol {
  /** Appended to the address for the SDK's base URL. */
  readonly basePath: string;
  readonly isCall: (request: RecordedRequest) => boolean;
  readonly encode: (reply: Extract<FakeReply, { parts: unknown }>, request: RecordedRequest) => Iterable<Frame>;
  /** What this protocol's server never takes, whatever the script would answer. */
  readonly strict: StrictProtocol;
  /** The answer to a listing of models. */
  readonly models: unknown;
}

export interface FakeOptions {
  readonly port?: number;
  readonly respond?: Respond;
  readonly limits?: Partial<ServerLimits>;
}

export interface FakeServer {
  readonly baseUrl: string;
  readonly port: number;
  /** Calls the server refused by itself, each with the rule it broke: what no test but one of refusals should see. */
  readonly refused: readonly Refused[];
  /** Makes a signature known that this server has not streamed itself: history of an earlier life. */
  readonly issue: IssuedBook['issue'];
  /** Model calls only, in order of arrival. */
  readonly requests: readonly RecordedRequest[];
  /** Listings and whatever else was asked. */
  readonly others: readonly RecordedRequest[];
  /** Replies to come, first in first out; when they are spent, `respond` answers. */
  readonly push: (...replies: readonly FakeReply[]) => void;
  /** Drops the replies that nobody has asked for. */
  readonly forget: () => void;
  /** Frames written to clients so far: what a stopped turn still draws. */
  readonly framesWritten: () => number;
  /** Calls that are being answered now: none when every client has what it waited for, or has gone. */
  readonly answering: () => number;
  /** Settles when no call is being answered any more. */
  readonly quiet: () => Promise<void>;
  /** Settles when the client of the newest call has gone before the reply was whole. */
  readonly clientLeft: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const NOT_SCRIPTED: FakeReply = {
  status: 500,
  body: { error: { message: 'The test scripted no reply for this request.' } },
};

/** Starts a fake on 127.0.0.1 (`port` 0 or absent: a free one). Replies come from the queue, then from `respond`. */
export async function startFakeServer(protocol: FakeProtocol, options: FakeOptions = {}): Promise<FakeServer> {
  const requests: RecordedRequest[] = [];
  const others: RecordedRequest[] = [];
  const queue: FakeReply[] = [];
  const doorman = createDoorman(protocol.strict, { ...NO_LIMITS, ...options.limits });
  let frames = 0;
  let left = createSignal();
  const answering = new Set<ServerResponse>();
  const waiting: (() => void)[] = [];
  const server = createServer(async (incoming, response) => {
    const request = await record(incoming);
    if (!protocol.isCall(request)) {
      others.push(request);
      sendJson(response, {
        status: request.method === 'GET' ? 200 : 404,
        body: request.method === 'GET' ? protocol.models : {},
      });
      return;
    }
    requests.push(request);
    left = createSignal();
    response.on('close', () => !response.writableFinished && left.resolve());
    answering.add(response);
    response.on('close', () => {
      answering.delete(response);
      if (answering.size === 0) for (const settle of waiting.splice(0)) settle();
    });
    const reply = doorman.refuse(request) ?? queue.shift() ?? options.respond?.(request) ?? NOT_SCRIPTED;
    doorman.note(request, reply);
    await send(response, { reply, request, protocol, onFrame: () => (frames += 1) });
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}${protocol.basePath}`,
    port,
    refused: doorman.refused,
    issue: doorman.issue,
    requests,
    others,
    push: (...replies) => void queue.push(...replies),
    forget: () => void queue.splice(0),
    framesWritten: () => frames,
    clientLeft: () => left.promise,
    answering: () => answering.size,
    quiet: () => (answering.size === 0 ? Promise.resolve() : new Promise((resolve) => void waiting.push(resolve))),
    close: () => stop(server),
  };
}

/** Stands before the script: refuses what the real server would, and remembers what it signed. */
function createDoorman(strict: StrictProtocol, limits: ServerLimits) {
  const refused: Refused[] = [];
  const book = createIssuedBook();
  const modelOf = (request: RecordedRequest) => strict.modelOf({ path: request.path, body: asObject(request.json) });
  return {
    refused,
    issue: book.issue,
    refuse: (request: RecordedRequest): FakeReply | null => {
      const model = modelOf(request);
      const found = findRefusal(strict.refusals, {
        body: asObject(request.json),
        text: request.text,
        bytes: request.bytes,
        model,
        limits,
        wasIssued: (signature, said) => book.wasIssued(model, signature, said),
      });
      if (found === null) return null;
      refused.push({ id: found.refusal.id, words: found.words, text: request.text });
      return strict.toError(found.refusal, found.words);
    },
    note: (request: RecordedRequest, reply: FakeReply) => {
      if ('parts' in reply) book.note(modelOf(request), reply.parts);
    },
  };
}

async function record(incoming: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  const body = Buffer.concat(chunks);
  const text = body.toString('utf8');
  const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers,
    text,
    bytes: body.length,
    json: text === '' ? null : JSON.parse(text),
  };
}

interface Sending {
  readonly reply: FakeReply;
  readonly request: RecordedRequest;
  readonly protocol: FakeProtocol;
  readonly onFrame: () => void;
}

async function send(response: ServerResponse, sending: Sending): Promise<void> {
  const { reply } = sending;
  if ('reset' in reply) {
    response.destroy();
    return;
  }
  if ('status' in reply) {
    if (reply.gate !== undefined) await pass(reply.gate);
    sendJson(response, reply);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', ...reply.headers });
  response.flushHeaders();
  // One listener, however many gates a reply has.
  const gone = closed(response);
  for (const frame of sending.protocol.encode(reply, sending.request)) {
    if (response.destroyed) return;
    if (typeof frame === 'string' || frame instanceof Uint8Array) {
      sending.onFrame();
      await write(response, frame);
    } else if ('gate' in frame) await Promise.race([pass(frame.gate), gone]);
    else if ('cut' in frame) {
      response.destroy();
      return;
    } else break;
  }
  response.end();
}

async function pass(gate: { opened: Promise<void>; arrive: () => void }): Promise<void> {
  gate.arrive();
  await gate.opened;
}

function closed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once('close', resolve));
}

/** Waits until the bytes have left, so that each frame is a chunk of its own and nothing is lost before a cut. */
function write(response: ServerResponse, frame: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => response.write(frame, () => setImmediate(resolve)));
}

function sendJson(
  response: ServerResponse,
  reply: { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> },
): void {
  const isText = typeof reply.body === 'string';
  response.writeHead(reply.status, { 'content-type': isText ? 'text/html' : 'application/json', ...reply.headers });
  response.end(isText ? String(reply.body) : JSON.stringify(reply.body));
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
