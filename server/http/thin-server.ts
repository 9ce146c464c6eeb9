import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { maxBodyBytes } from '@/server/contract/text';
import { boundConnections } from './bound-connections';
import type { Credentials } from './credentials';
import { COOKIE_SECONDS } from './credentials';
import { type CspReports, MAX_REPORT_BYTES } from './csp-reports';
import * as guards from './guards';
import { guardHeaders, guardPage } from './page-response';
import { cookieFor, ownHosts, ownOrigins, type Reach } from './reach';
import { sendErrorBody, sendErrorPage } from './refusals';
import { FIXED_HEADERS, isReportPath, pagePolicy } from './security-headers';

export interface ThinServerParts {
  readonly handle: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
  readonly reach: Reach;
  readonly credentials: Credentials;
  readonly reports: CspReports;
  /** Base64 of at least 128 random bits, new for each page. */
  readonly newNonce: () => string;
  /** Called when somebody without a cookie opened a page, so that a spent launch address can be printed anew. */
  readonly onStranger: () => void;
  readonly log: (line: string) => void;
  /** Development: the page policy is reported, not enforced, and the bundler's socket is let through. */
  readonly dev: boolean;
  /** How long a body that is not streamed may take to arrive. */
  readonly bodyMs?: number;
}

const REFUSED_BODY_MS = 5_000;
const MAX_CONNECTIONS = 2_000;

interface Visit {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly path: string;
  readonly url: URL;
  readonly method: string;
  readonly nonce: string;
}

interface Names {
  readonly hosts: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
}

const one = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.join(', ');

function judgeShape({ req, method, path }: Visit, { hosts, origins }: Names): guards.Verdict {
  const authorization = req.headers.authorization ?? '';
  const steps = [
    () => guards.judgeTarget(req.url ?? ''),
    () => guards.judgeHost(req.headersDistinct.host ?? [], hosts),
    () =>
      guards.judgeOrigin(
        {
          method,
          origin: one(req.headers.origin),
          secFetchSite: one(req.headers['sec-fetch-site']),
          hasBearer: /^bearer /i.test(authorization),
          hasCookie: req.headers.cookie !== undefined,
        },
        origins,
      ),
  ];
  // A report is sent by the browser itself, with no origin under our referrer policy; it is only counted.
  const due = isReportPath(path) ? steps.slice(0, 2) : steps;
  for (const step of due) {
    const verdict = step();
    if (!verdict.ok) return verdict;
  }
  return { ok: true };
}

function judgeBody({ req, method, path }: Visit): guards.Verdict {
  if (!guards.isApiPath(path)) {
    if (method === 'GET' || method === 'HEAD') return { ok: true };
    return { ok: false, code: 'method_not_allowed', message: 'Pages are only read.' };
  }
  const encoding = guards.judgeEncoding(req.headers['content-encoding']);
  if (!encoding.ok) return encoding;
  return guards.judgeLength(req.headers['content-length'], guards.bodyLimitOf(path, maxBodyBytes).maxBytes);
}

function judgeCaller({ req, path }: Visit, { reach, credentials }: ThinServerParts): guards.Verdict {
  if (reach.auth === 'none' || guards.isOpenPath(path)) return { ok: true };
  const { name } = cookieFor(reach, (req.headers.host ?? '').toLowerCase());
  return guards.judgeCookie({
    cookies: guards.findCookies(req.headers.cookie, name),
    hasAuthorization: req.headers.authorization !== undefined,
    knows: credentials.knows,
  });
}

/** Ends a request whose body has not arrived in time. */
function boundBodyTime(req: IncomingMessage, maxMs: number): void {
  const timer = setTimeout(() => req.destroy(), maxMs);
  timer.unref();
  req.once('end', () => clearTimeout(timer));
  req.once('close', () => clearTimeout(timer));
}

function refuse({ req, res, path, nonce }: Visit, verdict: guards.Verdict & { readonly ok: false }): void {
  // The rest of a refused body is thrown away for a while, so that its sender gets to read why; not for ever.
  boundBodyTime(req, REFUSED_BODY_MS);
  if (guards.isApiPath(path) || isReportPath(path)) return void sendErrorBody(res, verdict);
  res.setHeader('Content-Security-Policy', pagePolicy(nonce));
  sendErrorPage(res, verdict, nonce);
}

/** Spends a launch token: a cookie for this browser, then the same page without the token in its address. */
function tryLaunch({ req, res, url, path, method }: Visit, { reach, credentials }: ThinServerParts): boolean {
  const token = url.searchParams.get('launch');
  if (token === null || method !== 'GET' || guards.isApiPath(path)) return false;
  const cookie = cookieFor(reach, (req.headers.host ?? '').toLowerCase());
  const value = credentials.spend(token);
  const isKnown = guards.findCookies(req.headers.cookie, cookie.name).some(credentials.knows);
  if (value === null && !isKnown && reach.auth !== 'none') return false;
  if (value !== null) {
    res.setHeader('Set-Cookie', `${cookie.name}=${value}; Max-Age=${COOKIE_SECONDS}; ${cookie.attributes}`);
  }
  url.searchParams.delete('launch');
  res.writeHead(303, { Location: `${path}${url.search}` });
  res.end();
  return true;
}

function takeReport({ req, res, method }: Visit, reports: CspReports): void {
  if (method !== 'POST') {
    res.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' });
    res.end(JSON.stringify(reports.summary()));
    return;
  }
  let text = '';
  req.setEncoding('utf8');
  req.on('data', (chunk: string) => {
    text += chunk;
    if (text.length > MAX_REPORT_BYTES) req.destroy();
  });
  req.on('end', () => {
    reports.add(text);
    res.writeHead(204);
    res.end();
  });
}

async function answer(visit: Visit, parts: ThinServerParts, names: Names): Promise<void> {
  const { req, res, path, method } = visit;
  const shape = judgeShape(visit, names);
  if (!shape.ok) return refuse(visit, shape);
  // Streamed bodies take as long as they take (reliability 6.9).
  if (!guards.bodyLimitOf(path, 0).streamed) boundBodyTime(req, parts.bodyMs ?? 60_000);
  if (isReportPath(path) && method === 'POST') return takeReport(visit, parts.reports);
  if (tryLaunch(visit, parts)) return;
  const caller = judgeCaller(visit, parts);
  if (!caller.ok) {
    if (!guards.isApiPath(path)) parts.onStranger();
    return refuse(visit, caller);
  }
  const body = judgeBody(visit);
  if (!body.ok) return refuse(visit, body);
  if (isReportPath(path)) return takeReport(visit, parts.reports);
  delete req.headers['content-security-policy'];
  if (!guards.isApiPath(path) && !guards.isStaticPath(path))
    guardPage(req, res, { nonce: visit.nonce, reportOnly: parts.dev });
  await parts.handle(req, res);
}

function toVisit(req: IncomingMessage, res: ServerResponse, nonce: string): Visit {
  const target = req.url ?? '/';
  // Only a path ever reaches the parser as one; anything else is refused by `judgeTarget` a moment later.
  const url = new URL(guards.judgeTarget(target).ok ? target : '/', 'http://tidemark.invalid');
  return { req, res, path: url.pathname, url, method: req.method ?? 'GET', nonce };
}

const CLIENT_ERROR_STATUS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

function setLimits(server: Server): void {
  server.headersTimeout = 10_000;
  // Bodies have a clock of their own here, because uploads and imports may take longer than a minute.
  server.requestTimeout = 0;
  boundConnections(server, MAX_CONNECTIONS);
  // Longer than clients and proxies commonly keep an idle connection (60 s): the side that sends next should be the side that
  // closes, or a request meets a socket that is just being closed (ECONNRESET). Silent ones make room where it gets tight.
  server.keepAliveTimeout = 65_000;
  // A client that stopped reading keeps its socket full and silent; a live stream speaks every 15 s.
  server.timeout = 300_000;
}

/** The server around Next's handler: it judges every request before Next sees it (stack.md 4, reliability 6.5, 6.8, 6.9). */
export function createThinServer(parts: ThinServerParts): Server {
  const names = { hosts: ownHosts(parts.reach), origins: ownOrigins(parts.reach) };
  const server = createServer({ connectionsCheckingInterval: 1_000 }, (req, res) => {
    const visit = toVisit(req, res, parts.newNonce());
    guardHeaders(res, guards.isStaticPath(visit.path));
    for (const [name, value] of Object.entries(FIXED_HEADERS)) res.setHeader(name, value);
    if (!server.listening) {
      // A connection from before the stop: no new work.
      res.setHeader('Connection', 'close');
      return refuse(visit, { ok: false, code: 'unavailable', message: 'Tidemark is stopping.' });
    }
    answer(visit, parts, names).catch((error: unknown) => {
      parts.log(`request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      if (res.headersSent) res.destroy();
      else
        refuse(visit, {
          ok: false,
          code: 'internal',
          message: 'Something went wrong on the server; its log says what.',
        });
    });
  });
  setLimits(server);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy();
    const headers = Object.entries({ ...FIXED_HEADERS, 'Cache-Control': 'private, no-store', Connection: 'close' });
    const status = CLIENT_ERROR_STATUS[error.code ?? ''] ?? '400 Bad Request';
    socket.end(`HTTP/1.1 ${status}\r\n${headers.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`);
  });
  server.on('upgrade', (req, socket) => {
    const isOwn =
      guards.judgeHost(req.headersDistinct.host ?? [], names.hosts).ok && names.origins.has(req.headers.origin ?? '');
    if (!parts.dev || !isOwn) socket.destroy();
  });
  return server;
}
