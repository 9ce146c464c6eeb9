import { createSseFilter } from './sse-filter';

/** Refusals of our own, raised before anything leaves the machine; `code` is what `classify-error` knows them by. */
export class FetchRefused extends Error {
  readonly data: { readonly code: string; readonly message: string };
  constructor(code: 'redirect_refused' | 'key_origin' | 'ill_formed_request', message: string) {
    super(message);
    this.name = 'FetchRefused';
    this.data = { code, message };
  }
}

export type FetchLike = (input: string, init: RequestInit) => Promise<Response>;

/** What one call sees of its own traffic. */
export interface Traffic {
  readonly onRequest: (bodyBytes: number) => void;
  /** Called for the headers and for every chunk: any byte is a sign of life (case-D03). */
  readonly onBytes: () => void;
}

/**
 * The only way out of `server/model`. Promises: the request goes to the provider's own origin (a key is bound to it),
 * a redirect is refused and not followed, the body is well-formed text (case-B07), keep-alives never reach a parser.
 */
export function createGuardedFetch(
  base: FetchLike,
  guard: { readonly baseUrl: string; readonly traffic: Traffic },
): typeof fetch {
  const origin = new URL(guard.baseUrl).origin;
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (new URL(url).origin !== origin)
      throw new FetchRefused('key_origin', `The key of this provider is bound to ${origin}.`);
    const body = init?.body;
    if (typeof body === 'string') {
      if (holdsLoneSurrogate(body)) throw new FetchRefused('ill_formed_request', 'The request holds half a character.');
      guard.traffic.onRequest(Buffer.byteLength(body));
    }
    const response = await base(url, { ...init, redirect: 'manual' });
    guard.traffic.onBytes();
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
      await response.body?.cancel();
      throw new FetchRefused(
        'redirect_refused',
        `The provider answered with a redirect (${response.status}); redirects are not followed.`,
      );
    }
    return watchBody(response, guard.traffic);
  };
}

/** JSON.stringify writes a lone surrogate as an escape, so the escape is what must be looked for. */
function holdsLoneSurrogate(body: string): boolean {
  return !body.isWellFormed() || /(?<!\\)(?:\\\\)*\\ud[89a-f][0-9a-f]{2}/i.test(body);
}

function watchBody(response: Response, traffic: Traffic): Response {
  if (response.body === null) return response;
  const watched = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        traffic.onBytes();
        controller.enqueue(chunk);
      },
    }),
  );
  const isStream = response.ok && (response.headers.get('content-type') ?? '').includes('event-stream');
  return new Response(isStream ? watched.pipeThrough(createSseFilter()) : watched, {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  });
}
