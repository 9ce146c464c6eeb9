import { describe, expect, it } from 'vitest';
import { openEventStream, type StreamListener } from './event-stream';
import { createStreamParser } from './event-stream-parse';
import { chatMessage, idOf, sessionId, userMessage } from './fold-stream-arbitraries';

function toSse(n: number, seq: number): string {
  const { event, data } = chatMessage(userMessage(n));
  return `id: ${sessionId}:${seq}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** A server that the test speaks for: every connection waits until it is given text or ended. */
function fakeServer() {
  const urls: string[] = [];
  const open: { write: (text: string) => void; end: () => void }[] = [];
  let answer = 200;
  const waiters: (() => void)[] = [];
  const fetch: typeof globalThis.fetch = async (input) => {
    urls.push(String(input));
    const encoder = new TextEncoder();
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        open.push({
          write: (text) => controller.enqueue(encoder.encode(text)),
          end: () => controller.close(),
        });
      },
    });
    for (const wake of waiters.splice(0)) wake();
    return new Response(answer === 200 ? body : null, { status: answer });
  };
  return {
    urls,
    open,
    fetch,
    refuseWith: (status: number) => {
      answer = status;
    },
    connected: (count: number) =>
      new Promise<void>((resolve) => {
        const look = () => (urls.length >= count ? resolve() : waiters.push(look));
        look();
      }),
  };
}

function listen() {
  const seen: string[] = [];
  const waiters: { text: string; wake: () => void }[] = [];
  const note = (text: string) => {
    seen.push(text);
    for (const waiter of waiters) if (waiter.text === text) waiter.wake();
  };
  const listener: StreamListener = {
    onMessage: ({ event }) => note(event.event === 'chat.message' ? event.data.id : event.event),
    onState: (state) => note(state),
    onResync: () => note('resync'),
  };
  const until = (text: string) =>
    new Promise<void>((resolve) => {
      if (seen.includes(text)) resolve();
      else waiters.push({ text, wake: resolve });
    });
  return { seen, listener, until };
}

describe('the stream of a browser', () => {
  it('reads messages however the network cuts them, inside a character too (case-D01)', () => {
    const text = `: pulse\n\n${toSse(1, 5)}event: of.tomorrow\ndata: {}\n\n${toSse(2, 6)}`;
    for (let size = 1; size < 40; size += 3) {
      const parser = createStreamParser();
      const ids = [];
      for (let at = 0; at < text.length; at += size) {
        for (const { event, cursor } of parser.push(text.slice(at, at + size))) {
          if (event.event === 'chat.message') ids.push([event.data.id, cursor?.seq]);
        }
      }
      expect(ids).toEqual([
        [idOf(1), 5],
        [idOf(2), 6],
      ]);
    }
  });

  it('a message without its blank line at a break is not acted on', () => {
    expect(createStreamParser().push(toSse(1, 5).slice(0, -1))).toEqual([]);
  });

  it('case-E06: after a break it goes on at exactly the next line of each conversation', async () => {
    const server = fakeServer();
    const { listener, until } = listen();
    const stream = openEventStream({ listener, fetch: server.fetch, random: () => 0 });
    stream.follow(new Map([[sessionId, 120]]));
    await server.connected(1);
    expect(server.urls[0]).toBe(`/v1/events?sessions=${sessionId}@120`);
    server.open[0]?.write(toSse(1, 121));
    await until(idOf(1));
    server.open[0]?.end();
    await until('lost');
    await server.connected(2);
    expect(server.urls[1]).toBe(`/v1/events?sessions=${sessionId}@121`);
    stream.close();
  });

  it('case-E06: a place the server does not know is given up, and all is read again', async () => {
    const server = fakeServer();
    const { listener, until } = listen();
    server.refuseWith(400);
    const stream = openEventStream({ listener, fetch: server.fetch, random: () => 0 });
    stream.follow(new Map([[sessionId, 999]]));
    await until('resync');
    server.refuseWith(200);
    await server.connected(2);
    expect(server.urls[1]).toBe(`/v1/events?sessions=${sessionId}`);
    stream.close();
  });

  it('a login that ended is said, and nothing is asked again by itself', async () => {
    const server = fakeServer();
    const { listener, seen, until } = listen();
    server.refuseWith(401);
    const stream = openEventStream({ listener, fetch: server.fetch, random: () => 0 });
    stream.follow(new Map());
    await until('signed_out');
    expect(seen).not.toContain('lost');
    stream.close();
  });
});
