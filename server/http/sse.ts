import { streamPulseMs } from '@/server/contract/stream';

/** One message of a stream. `id` only on durable ones: it is what a client resumes after. */
export interface SseMessage {
  readonly id?: string;
  readonly event: string;
  readonly data: unknown;
}

/** The writing end of one client's stream. Every method may be called after the end; then it does nothing. */
export interface SseWriter {
  /** Queues a message; `json` is its data as text, where that is made already. False when the stream has ended, or ends with this call because its client reads too slowly. */
  readonly send: (message: SseMessage, json?: string) => boolean;
  /** Resolves when the client has read most of what is queued, or the stream has ended: to be awaited between the pieces of a long refill. */
  readonly drained: () => Promise<void>;
  readonly isOpen: () => boolean;
  /** Ends the stream; the client reconnects and resumes. */
  readonly close: () => void;
}

export interface SseOptions {
  /** Fires when the client goes away. */
  readonly signal: AbortSignal;
  /** Subscribes the writer to whatever it carries; gives the way to unsubscribe it, which is called exactly once. */
  readonly start: (writer: SseWriter) => () => void;
  readonly pulseMs?: number;
  /** How soon a client reconnects. */
  readonly retryMs?: number;
  /**
   * A client further behind than this is cut off and refills from the log (rel-R7). One message, however large, counts as
   * nothing for a client that had read what was before it: otherwise no connection would ever bring it and what follows.
   */
  readonly maxQueuedBytes?: number;
}

const HIGH_WATER_BYTES = 65_536;
const MAX_QUEUED_BYTES = 1_000_000;
const RETRY_MS = 1_000;

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'private, no-store, no-transform',
  // Proxies of the nginx kind hold a stream back without this.
  'X-Accel-Buffering': 'no',
} as const;

/** A message in the format of the standard. JSON holds no line break, so one data line is enough. */
export function formatSse({ id, event, data }: SseMessage, json = JSON.stringify(data)): string {
  const head = id === undefined ? '' : `id: ${id}\n`;
  return `${head}event: ${event}\ndata: ${json}\n\n`;
}

function createWriter(
  controller: ReadableStreamDefaultController<Uint8Array>,
  maxQueuedBytes: number,
  onEnd: () => void,
) {
  const encoder = new TextEncoder();
  let open = true;
  let bound = maxQueuedBytes;
  let waiting: readonly (() => void)[] = [];
  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    for (const resume of woken) resume();
  };
  const end = (): void => {
    if (!open) return;
    open = false;
    wake();
    onEnd();
  };
  const close = (): void => {
    if (open) controller.close();
    end();
  };
  const write = (text: string): boolean => {
    if (!open) return false;
    const bytes = encoder.encode(text);
    const queued = HIGH_WATER_BYTES - (controller.desiredSize ?? 0);
    if (queued < HIGH_WATER_BYTES) bound = maxQueuedBytes + bytes.length;
    // Push has no brake of its own: without this bound a client that does not read fills the server's memory.
    if (queued + bytes.length > bound) close();
    else controller.enqueue(bytes);
    return open;
  };
  const drained = (): Promise<void> =>
    new Promise((resolve) => {
      if (!open || (controller.desiredSize ?? 0) > 0) resolve();
      else waiting = [...waiting, resolve];
    });
  const writer: SseWriter = {
    send: (message, json) => write(formatSse(message, json)),
    drained,
    isOpen: () => open,
    close,
  };
  return { writer, write, wake, end };
}

/**
 * A `text/event-stream` answer: headers and a comment leave at once, a comment follows every 15 s, a client that falls too
 * far behind is cut off, and the subscription ends exactly once whichever of abort, cancel and close comes first.
 */
export function openSse(options: SseOptions): Response {
  const { signal, start, pulseMs = streamPulseMs, retryMs = RETRY_MS, maxQueuedBytes = MAX_QUEUED_BYTES } = options;
  let parts: ReturnType<typeof createWriter> | null = null;
  let cleanUp = (): void => {};
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const made = createWriter(controller, maxQueuedBytes, () => cleanUp());
        parts = made;
        made.write(`retry: ${retryMs}\n: open\n\n`);
        const pulse = setInterval(() => made.write(': pulse\n\n'), pulseMs);
        pulse.unref();
        const onAbort = (): void => made.writer.close();
        signal.addEventListener('abort', onAbort, { once: true });
        const unsubscribe = start(made.writer);
        cleanUp = () => {
          clearInterval(pulse);
          signal.removeEventListener('abort', onAbort);
          unsubscribe();
        };
        // It may have ended while it was being subscribed: then nobody has cleaned up yet.
        if (!made.writer.isOpen()) cleanUp();
        else if (signal.aborted) onAbort();
      },
      pull: () => parts?.wake(),
      cancel: () => parts?.end(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: HIGH_WATER_BYTES }),
  );
  return new Response(stream, { headers: HEADERS });
}
