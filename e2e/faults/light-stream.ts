/** A message of the stream as far as these tests look into it: thousands a second come by. */
export interface LightMessage {
  readonly id: string | null;
  readonly event: string;
  /** Unparsed JSON. */
  readonly data: string;
}

export interface LightStream {
  /** Settles when the stream has ended, whoever ended it. */
  readonly ended: Promise<void>;
  readonly close: () => void;
}

export interface LightOptions {
  readonly origin: string;
  /** As in the query: ids, each with an optional `@seq`. */
  readonly sessions: string;
  readonly lastEventId?: string | undefined;
  readonly hear: (message: LightMessage) => void;
}

/** Reads a stream as fast as it comes. Rejects where the server refuses it. */
export async function openLightStream({ origin, sessions, lastEventId, hear }: LightOptions): Promise<LightStream> {
  const abort = new AbortController();
  const response = await fetch(`${origin}/v1/events?sessions=${sessions}`, {
    headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
    signal: abort.signal,
  });
  if (response.status !== 200 || response.body === null) throw new Error(`events: ${response.status}`);
  const ended = readAll(response.body, hear);
  return { ended, close: () => abort.abort() };
}

async function readAll(body: ReadableStream<Uint8Array>, hear: LightOptions['hear']): Promise<void> {
  const decoder = new TextDecoder();
  const cut = createCutter(hear);
  try {
    for await (const chunk of body) cut(decoder.decode(chunk, { stream: true }));
  } catch {
    // Closed by us, or the server went away: both are an end.
  }
}

/** Takes text in any pieces and tells each whole message. */
export function createCutter(hear: LightOptions['hear']): (text: string) => void {
  let rest = '';
  return (text) => {
    const pieces = (rest + text).split('\n\n');
    rest = pieces.pop() ?? '';
    for (const piece of pieces) {
      const fields = new Map(
        piece.split('\n').map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
      );
      const data = fields.get('data');
      if (data !== undefined) hear({ id: fields.get('id') ?? null, event: fields.get('event') ?? '', data });
    }
  };
}
