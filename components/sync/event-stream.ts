import { formatStreamStarts } from '@/server/contract/cursor';
import { createStreamParser, type StreamMessage } from './event-stream-parse';

export interface StreamListener {
  readonly onMessage: (message: StreamMessage) => void;
  /** `lost`: the break is named on the page, reading goes on. `open` after a break: what was missed is on its way. */
  readonly onState: (state: 'open' | 'lost' | 'signed_out') => void;
  /** The server does not know our place any more: everything must be read again from it, replacing what is held. */
  readonly onResync: () => void;
}

export interface StreamOptions {
  readonly listener: StreamListener;
  readonly fetch: typeof fetch;
  readonly random: () => number;
}

export interface EventStream {
  /** Which conversations to follow; the lowest place wins where one is already followed from a later one. */
  readonly follow: (starts: ReadonlyMap<string, number | null>) => void;
  /** Connects anew at once; running replies come again from their start. */
  readonly reconnect: () => void;
  readonly close: () => void;
}

/** Without a byte for this long (three pulses) the line is dead, whatever the socket believes. Milliseconds. */
const silenceMs = 45_000;
const firstWaitMs = 500;
const longestWaitMs = 10_000;

type Places = Map<string, number | null>;

async function pump(response: Response, onText: (text: string) => void): Promise<void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) onText(piece.value);
}

function urlOf(places: Places): string {
  const starts = [...places].map(([sessionId, after]) => ({ sessionId, after }));
  return starts.length === 0 ? '/v1/events' : `/v1/events?sessions=${formatStreamStarts(starts)}`;
}

/** One connection; ends when the server, the network or `signal` ends it. Gives the status, 0 for none. */
async function connect(
  url: string,
  options: { fetch: typeof fetch; signal: AbortSignal; onOpen: () => void; onText: (text: string) => void },
): Promise<number> {
  try {
    const response = await options.fetch(url, {
      signal: options.signal,
      credentials: 'same-origin',
      headers: { accept: 'text/event-stream' },
    });
    if (!response.ok) return response.status;
    options.onOpen();
    await pump(response, options.onText);
    return response.status;
  } catch {
    return 0;
  }
}

/**
 * The stream of one browser. Each connection names where every followed conversation stands, so a reconnect after a break,
 * a sleep or a restart carries on at exactly the next line: nothing doubles, nothing is missing. Waits between tries grow
 * from half a second to ten.
 */
export function openEventStream({ listener, fetch, random }: StreamOptions): EventStream {
  const places: Places = new Map();
  let current: AbortController | null = null;
  let closed = false;
  let waitMs = firstWaitMs;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;

  const hear = (controller: AbortController) => {
    clearTimeout(silence);
    silence = setTimeout(() => controller.abort(), silenceMs);
  };
  const take = (message: StreamMessage) => {
    const { cursor } = message;
    if (cursor && places.has(cursor.sessionId)) {
      places.set(cursor.sessionId, Math.max(cursor.seq, places.get(cursor.sessionId) ?? 0));
    }
    listener.onMessage(message);
  };
  const settle = (status: number) => {
    if (status === 401 || status === 403) return listener.onState('signed_out');
    if (status === 400 || status === 404) {
      for (const sessionId of places.keys()) places.set(sessionId, null);
      listener.onResync();
    }
    listener.onState('lost');
    clearTimeout(retry);
    retry = setTimeout(() => void run(), waitMs * (0.75 + random() / 2));
    waitMs = Math.min(waitMs * 2, longestWaitMs);
  };
  const run = async () => {
    clearTimeout(retry);
    current?.abort();
    const controller = new AbortController();
    current = controller;
    const parser = createStreamParser();
    hear(controller);
    const status = await connect(urlOf(places), {
      fetch,
      signal: controller.signal,
      onOpen: () => {
        waitMs = firstWaitMs;
        listener.onState('open');
      },
      onText: (text) => {
        if (current !== controller) return;
        hear(controller);
        for (const message of parser.push(text)) take(message);
      },
    });
    if (current === controller && !closed) settle(status);
  };
  return {
    follow(starts) {
      const known = new Set([...places.keys()].filter((sessionId) => starts.has(sessionId)));
      const same = known.size === starts.size && places.size === starts.size;
      for (const sessionId of [...places.keys()]) if (!starts.has(sessionId)) places.delete(sessionId);
      for (const [sessionId, after] of starts) if (!known.has(sessionId)) places.set(sessionId, after);
      if (!same || current === null) void run();
    },
    reconnect: () => void run(),
    close() {
      closed = true;
      clearTimeout(retry);
      clearTimeout(silence);
      current?.abort();
    },
  };
}
