import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { formatSse, openSse, type SseOptions, type SseWriter } from './sse';

interface Client {
  readonly response: Response;
  readonly writer: SseWriter;
  readonly abort: () => void;
  readonly unsubscribed: () => number;
  readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly read: () => Promise<string>;
}

function connect(more: Partial<SseOptions> = {}): Client {
  const controller = new AbortController();
  let count = 0;
  const writers: SseWriter[] = [];
  const response = openSse({
    signal: controller.signal,
    start(made) {
      writers.push(made);
      return () => {
        count += 1;
      };
    },
    ...more,
  });
  const [writer] = writers;
  if (response.body === null || writer === undefined) throw new Error('no stream');
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const read = async (): Promise<string> => decoder.decode((await reader.read()).value);
  return { response, writer, reader, read, abort: () => controller.abort(), unsubscribed: () => count };
}

describe('contract 16: the stream', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('says how soon to reconnect, and a comment, at once; a comment every 15 s', async () => {
    const { read } = connect();
    expect(await read()).toBe('retry: 1000\n: open\n\n');
    const next = read();
    vi.advanceTimersByTime(15_000);
    expect(await next).toBe(': pulse\n\n');
  });

  it('is not buffered, kept or changed on its way', () => {
    const { headers } = connect().response;
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(headers.get('cache-control')).toBe('private, no-store, no-transform');
    expect(headers.get('x-accel-buffering')).toBe('no');
  });

  it('durable messages carry an id, others none; data is one line whatever it holds', () => {
    expect(formatSse({ id: 'A:7', event: 'chat.message', data: { text: 'a\nb\r\u2028' } })).toBe(
      'id: A:7\nevent: chat.message\ndata: {"text":"a\\nb\\r\u2028"}\n\n',
    );
    expect(formatSse({ event: 'chat.delta', data: 1 })).toBe('event: chat.delta\ndata: 1\n\n');
  });

  it('rel-R7: a client that does not read is cut off at the bound and unsubscribed', () => {
    const { writer, unsubscribed } = connect({ maxQueuedBytes: 200_000 });
    const data = 'x'.repeat(50_000);
    const taken = [1, 2, 3, 4, 5, 6].map(() => writer.send({ event: 'chat.delta', data }));
    expect(taken).toEqual([true, true, true, true, false, false]);
    expect([writer.isOpen(), unsubscribed()]).toEqual([false, 1]);
  });

  it('contract 16: a message above the bound goes out whole, and what follows it on the same stream', async () => {
    const { writer, read } = connect({ maxQueuedBytes: 200_000 });
    await read();
    for (const round of ['a', 'b']) {
      const data = round.repeat(2_000_000);
      expect(writer.send({ id: 'A:7', event: 'chat.message', data })).toBe(true);
      expect(writer.send({ id: 'A:8', event: 'chat.status', data: round })).toBe(true);
      expect((await read()).length).toBeGreaterThan(2_000_000);
      expect(await read()).toContain(`"${round}"`);
    }
  });

  it('rel-R7: one large message buys no room for a second: memory stays bounded by one and the bound', async () => {
    const { writer, read, unsubscribed } = connect({ maxQueuedBytes: 200_000 });
    await read();
    const data = 'x'.repeat(2_000_000);
    expect(writer.send({ event: 'chat.message', data })).toBe(true);
    expect(writer.send({ event: 'chat.message', data })).toBe(false);
    expect(unsubscribed()).toBe(1);
    // What was taken before is still read, to the end of its message.
    expect((await read()).endsWith('\n\n')).toBe(true);
  });

  it('a long refill waits for its reader', async () => {
    const { writer, read } = connect();
    const story: string[] = [];
    writer.send({ event: 'chat.message', data: 'x'.repeat(70_000) });
    const drained = writer.drained().then(() => story.push('drained'));
    await Promise.resolve();
    expect(story).toEqual([]);
    await read();
    await read();
    await drained;
    expect(story).toEqual(['drained']);
  });

  it('whichever of abort, cancel and close comes first, it is unsubscribed once and stays silent', async () => {
    for (const first of ['abort', 'cancel', 'close']) {
      const { writer, reader, abort, unsubscribed } = connect();
      const ends: Readonly<Record<string, () => unknown>> = {
        abort,
        cancel: () => reader.cancel(),
        close: writer.close,
      };
      await ends[first]?.();
      expect(unsubscribed(), first).toBe(1);
      for (const end of Object.values(ends)) await end();
      expect(writer.send({ event: 'chat.delta', data: 1 })).toBe(false);
      await writer.drained();
      expect(unsubscribed(), first).toBe(1);
    }
    expect(vi.getTimerCount()).toBe(0);
  });

  it('one that ends while it is being subscribed is unsubscribed too', () => {
    let count = 0;
    openSse({
      signal: AbortSignal.abort(),
      start(writer) {
        writer.close();
        return () => {
          count += 1;
        };
      },
    });
    expect(count).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});
