import type { ErrorCode } from '@/server/contract/error';

/** A guard's answer: let it through, or refuse it with a code of the contract and a sentence for a person. */
export type Verdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: ErrorCode; readonly message: string };

const pass: Verdict = { ok: true };
const refuse = (code: ErrorCode, message: string): Verdict => ({ ok: false, code, message });

const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];
/** Methods that change nothing. */
export const isSafeMethod = (method: string): boolean => SAFE_METHODS.includes(method);

/** Routes that stream a body of their own size; every other body is JSON (api.md, Limits). */
const STREAMED_BYTES: Readonly<Record<string, number>> = {
  '/v1/import': 2_000_000_000,
  '/v1/attachments': 25_000_000,
};

/** The most bytes a body to this path may have, and whether it is streamed rather than JSON. */
export function bodyLimitOf(
  path: string,
  jsonBytes: number,
): { readonly maxBytes: number; readonly streamed: boolean } {
  const streamedBytes = STREAMED_BYTES[path];
  return { maxBytes: streamedBytes ?? jsonBytes, streamed: streamedBytes !== undefined };
}

/**
 * Only a path of this server: an absolute address asks for another one (CVE-2026-44578), and `//host` would be read as one
 * when a redirect is built from it.
 */
export function judgeTarget(target: string): Verdict {
  if (!target.startsWith('/') || target.startsWith('//') || target.includes('\\')) {
    return refuse('misdirected', 'This server answers for its own address only.');
  }
  return pass;
}

/** Exactly one `Host`, and it is the server's own: a page that rebinds its name to this address is not answered (rel-X5). */
export function judgeHost(hosts: readonly string[], own: ReadonlySet<string>): Verdict {
  const [host, ...more] = hosts;
  if (host !== undefined && more.length === 0 && own.has(host.toLowerCase())) return pass;
  return refuse(
    'misdirected',
    'This server answers for its own address only. If this is the address people use, set TIDEMARK_PUBLIC_URL to it.',
  );
}

export interface OriginFacts {
  readonly method: string;
  readonly origin: string | undefined;
  readonly secFetchSite: string | undefined;
  /** The request proves itself by a bearer token, which no other page can make a browser send. */
  readonly hasBearer: boolean;
  /** The request carries a cookie, which a browser sends by itself. */
  readonly hasCookie: boolean;
}

/**
 * Cross-site request forgery (rel-X6): a request that may change something comes from our own page. `Sec-Fetch-Site` must
 * be same-origin or none; where it is absent, `Origin` must be our own; `null` is foreign. Without either header a request
 * is no browser's, and is let through only when it also carries no cookie that it could be riding on.
 */
export function judgeOrigin(facts: OriginFacts, own: ReadonlySet<string>): Verdict {
  if (isSafeMethod(facts.method) || facts.hasBearer) return pass;
  const foreign = refuse('forbidden', 'A page of another address may not change anything here.');
  if (facts.origin !== undefined && !own.has(facts.origin)) return foreign;
  if (facts.secFetchSite !== undefined) {
    return facts.secFetchSite === 'same-origin' || facts.secFetchSite === 'none' ? pass : foreign;
  }
  if (facts.origin !== undefined || !facts.hasCookie) return pass;
  return refuse('forbidden', `With a cookie, send the header "Origin: ${[...own][0] ?? ''}" as a browser does.`);
}

/** A declared length over the limit is refused before a byte is read; what is undeclared is counted while it is read. */
export function judgeLength(contentLength: string | undefined, maxBytes: number): Verdict {
  if (contentLength === undefined || Number(contentLength) <= maxBytes) return pass;
  return refuse('payload_too_large', `The body has ${contentLength} bytes; at most ${maxBytes} are taken here.`);
}

/** Compressed bodies are refused: their real size is unknown until they are unpacked (rel-X21). */
export function judgeEncoding(contentEncoding: string | undefined): Verdict {
  if (contentEncoding === undefined || contentEncoding.toLowerCase() === 'identity') return pass;
  return refuse('unsupported_media_type', 'Send the body uncompressed: Content-Encoding is not taken.');
}

/** What is there without signing in: code and pictures that hold no data, and the probes of a supervisor. */
const OPEN_PATHS: readonly string[] = ['/icon.svg', '/favicon.ico', '/v1/health', '/v1/ready', '/v1/openapi.json'];
/** A path that is answered without signing in. */
export const isOpenPath = (path: string): boolean => OPEN_PATHS.includes(path) || isStaticPath(path);
/** Built files: their names carry their content's hash and they hold no data. */
export const isStaticPath = (path: string): boolean => path.startsWith('/_next/static/') && !path.includes('..');
/** Paths of the HTTP API; everything else is a page or a file. */
export const isApiPath = (path: string): boolean => path === '/v1' || path.startsWith('/v1/');

/** Every value a cookie header gives a name. More than one can come from pages of other ports on this host, so all count. */
export function findCookies(header: string | undefined, name: string): readonly string[] {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
}

export interface CookieFacts {
  readonly cookies: readonly string[];
  readonly hasAuthorization: boolean;
  readonly knows: (value: string) => boolean;
}

/** One credential a request (rel-X4): where `Authorization` is sent it alone counts, and no cookie helps it out. */
export function judgeCookie({ cookies, hasAuthorization, knows }: CookieFacts): Verdict {
  if (!hasAuthorization && cookies.some(knows)) return pass;
  return refuse('unauthenticated', 'Open the address that Tidemark printed when it started; it signs this browser in.');
}
