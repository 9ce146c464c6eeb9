/** A door in a reply: the fake waits before it until the test opens it. Nothing sleeps. */
export interface Gate {
  readonly opened: Promise<void>;
  /** Settles when the fake has come to the door. */
  readonly reached: Promise<void>;
  readonly open: () => void;
  readonly arrive: () => void;
}

/** A promise and the way to settle it (Node 20 has no `Promise.withResolvers`). */
export function createSignal(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let settle: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: () => settle() };
}

/** A closed gate. One that is never opened is a stalled server. */
export function createGate(): Gate {
  const opened = createSignal();
  const reached = createSignal();
  return { opened: opened.promise, reached: reached.promise, open: opened.resolve, arrive: reached.resolve };
}

export interface FakeCall {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
  /** Sent instead of the arguments' JSON, to be cut or broken. */
  readonly rawArgs?: string;
  readonly signature?: string;
}

/** One thing a server does while it answers; each protocol's fake spells it its own way. */
export type FakePart =
  | { readonly text: string; readonly signature?: string }
  | { readonly reasoning: string; readonly signature?: string }
  | { readonly redacted: string }
  | { readonly call: FakeCall }
  | { readonly refusal: string }
  | { readonly gate: Gate }
  | { readonly raw: string | Uint8Array }
  /** The protocol's own error event in mid-stream. */
  | { readonly error: unknown }
  /** Destroys the socket. */
  | { readonly cut: true }
  /** Ends the body cleanly, here. */
  | { readonly eof: true };

export interface FakeUsage {
  readonly input: number;
  readonly output: number;
  readonly cachedRead?: number;
  readonly cachedWrite?: number;
  readonly reasoning?: number;
}

/** How a streamed reply ends, in the protocol's raw words. `reason: null` leaves it empty. */
export interface FakeEnd {
  readonly reason: string | null;
  readonly usage?: FakeUsage | null;
  /** Leaves the protocol's last marker out (`[DONE]`, `message_stop`, `response.completed`). */
  readonly withoutLast?: boolean;
  /** Comes after the end of the reply and before the last marker. */
  readonly after?: readonly FakePart[];
}

export type FakeReply =
  | { readonly parts: readonly FakePart[]; readonly end?: FakeEnd; readonly headers?: Readonly<Record<string, string>> }
  | {
      readonly status: number;
      readonly body: unknown;
      readonly headers?: Readonly<Record<string, string>>;
      readonly gate?: Gate;
    }
  /** Closes the connection before any header. */
  | { readonly reset: true };

/** What a protocol's encoder gives the server to do: bytes, a door, or a fault. */
export type Frame = string | Uint8Array | { readonly gate: Gate } | { readonly cut: true } | { readonly eof: true };

/** A part that is spelt alike in every protocol, or null. */
export function toCommonFrame(part: FakePart): Frame | null {
  if ('gate' in part || 'cut' in part || 'eof' in part) return part;
  return 'raw' in part ? part.raw : null;
}

/** Cuts a text into pieces of `size` UTF-16 units, whole characters, the way a server streams it. */
export function inChunks(text: string, size: number): FakePart[] {
  const parts: FakePart[] = [];
  let piece = '';
  for (const character of text) {
    piece += character;
    if (piece.length >= size) {
      parts.push({ text: piece });
      piece = '';
    }
  }
  return piece === '' ? parts : [...parts, { text: piece }];
}
