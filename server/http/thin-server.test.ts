import { once } from 'node:events';
import { request, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createCredentials } from './credentials';
import { createCspReports } from './csp-reports';
import type { AuthMode } from './reach';
import { createThinServer, type ThinServerParts } from './thin-server';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

interface Ask {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

const open: Server[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  }
});

async function findFreePort(): Promise<number> {
  const probe = createTcpServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

const OWN = {
  'Cache-Control': 'private, no-store, no-transform',
  'Content-Security-Policy': "default-src 'none'; sandbox",
};

/** What stands in for Next: a page, an answer that echoes the size of its body, and one that throws. */
const standIn: ThinServerParts['handle'] = async (req, res) => {
  if (req.url?.startsWith('/v1/throws')) throw new Error('boom');
  if (req.url?.startsWith('/v1/')) {
    let bytes = 0;
    res.setHeader('X-Policy-Seen', req.headers['content-security-policy'] ?? 'none');
    for await (const chunk of req) bytes += chunk.length;
    // As Next does with the headers of a route: one that already stands is kept.
    const wanted = req.url === '/v1/own' ? OWN : { 'Cache-Control': 'public, max-age=60' };
    for (const [name, value] of Object.entries(wanted)) if (!res.hasHeader(name)) res.appendHeader(name, value);
    res.end(String(bytes));
    return;
  }
  if (req.url?.startsWith('/_next/static/')) {
    res.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    res.end('code');
    return;
  }
  const page = `<html><head><title>x</title></head>${req.headers['content-security-policy']}</html>`;
  res.writeHead(200, { 'Content-Type': 'text/html', 'Content-Length': page.length, 'Cache-Control': 's-maxage=9' });
  res.end(page);
};

async function openServer(auth: AuthMode = 'local', more: Partial<ThinServerParts> = {}) {
  const port = await findFreePort();
  const strangers: string[] = [];
  const logged: string[] = [];
  let count = 0;
  const credentials = createCredentials({
    nowMs: () => 0,
    newSecret: () => {
      count += 1;
      return `secret-${count}`;
    },
    stored: [],
    save: () => {},
  });
  const server = createThinServer({
    handle: standIn,
    reach: { host: '127.0.0.1', port, auth, publicOrigin: null, insecureHttp: false },
    credentials,
    reports: createCspReports(),
    newNonce: () => 'test-nonce',
    onStranger: () => strangers.push('stranger'),
    log: (line) => logged.push(line),
    dev: false,
    ...more,
  });
  open.push(server);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const cookie = `tidemark_${port}=${credentials.spend(credentials.launchToken().token)}`;
  const own = `http://127.0.0.1:${port}`;
  const ask = ({ method = 'GET', path = '/', headers = {}, body }: Ask): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const req = request({ port, host: '127.0.0.1', method, path, headers }, (res) => {
        let text = '';
        res.on('data', (chunk) => {
          text += String(chunk);
        });
        res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, text }));
        res.on('error', reject);
      });
      req.on('error', reject);
      req.end(body);
    });
  return { server, port, own, cookie, credentials, strangers, logged, ask };
}

const codeOf = (answer: Answer): string => JSON.parse(answer.text).error.code;
const GUARDED = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

describe('rel-X5: foreign names', () => {
  it('421 on pages, API and built files, before Next sees the request', async () => {
    const { ask, cookie } = await openServer();
    for (const path of ['/', '/v1/agent-sessions', '/v1/events', '/_next/static/a.js', '/icon.svg', '/csp-report']) {
      const answer = await ask({ path, headers: { host: 'attacker.test', cookie } });
      expect(answer.status, path).toBe(421);
    }
  });

  it('421 for an absolute address', async () => {
    const { ask, cookie } = await openServer();
    expect((await ask({ path: 'http://169.254.169.254/latest', headers: { cookie } })).status).toBe(421);
  });
});

describe('rel-X6: foreign pages', () => {
  it('403 on API and pages alike, and the handler is not reached', async () => {
    const { ask, cookie, own } = await openServer('local', { handle: () => Promise.reject(new Error('reached')) });
    for (const path of ['/', '/v1/agent-sessions', '/v1/import']) {
      for (const origin of ['http://attacker.test', 'null']) {
        const answer = await ask({ method: 'POST', path, headers: { cookie, origin }, body: 'text' });
        expect(answer.status, `${path} from ${origin}`).toBe(403);
      }
      const crossSite = { cookie, origin: own, 'sec-fetch-site': 'cross-site' };
      expect((await ask({ method: 'POST', path, headers: crossSite })).status).toBe(403);
    }
  });

  it('our own page is let through; a page itself is only read', async () => {
    const { ask, cookie, own } = await openServer();
    const headers = { cookie, origin: own, 'sec-fetch-site': 'same-origin' };
    expect(await ask({ method: 'POST', path: '/v1/x', headers, body: 'abc' })).toMatchObject({
      status: 200,
      text: '3',
    });
    expect((await ask({ method: 'POST', path: '/', headers, body: 'abc' })).status).toBe(405);
  });

  it('in the mode without sign-in too', async () => {
    const { ask } = await openServer('none');
    expect((await ask({ method: 'POST', path: '/v1/x', headers: { origin: 'null' } })).status).toBe(403);
    expect((await ask({ method: 'POST', path: '/v1/x', body: 'ab' })).text).toBe('2');
  });
});

describe('who comes in', () => {
  it('without the cookie: the error body for the API, a plain page that says what to do for people', async () => {
    const { ask, strangers } = await openServer();
    const api = await ask({ path: '/v1/agent-sessions' });
    expect([api.status, codeOf(api)]).toEqual([401, 'unauthenticated']);
    expect(strangers).toEqual([]);
    const page = await ask({ path: '/c/1' });
    expect(page.status).toBe(401);
    expect(page.text).toContain('Open the address that Tidemark printed');
    expect(strangers).toEqual(['stranger']);
  });

  it('probes and built files need none', async () => {
    const { ask } = await openServer();
    for (const path of ['/v1/health', '/v1/ready', '/_next/static/a.js'])
      expect((await ask({ path })).status).toBe(200);
  });

  it('contract 20: the launch address gives the cookie once and leaves the token out of the address', async () => {
    const { ask, credentials, port } = await openServer();
    const { token } = credentials.launchToken();
    const first = await ask({ path: `/c/1?launch=${token}&b=2` });
    expect([first.status, first.headers.location]).toEqual([303, '/c/1?b=2']);
    const [cookie = ''] = first.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(
      new RegExp(`^tidemark_${port}=secret-\\d+; Max-Age=7776000; Path=/; HttpOnly; SameSite=Strict$`),
    );
    expect((await ask({ headers: { cookie: cookie.split(';')[0] ?? '' } })).status).toBe(200);
    expect((await ask({ path: `/?launch=${token}` })).status).toBe(401);
  });

  it('rel-X4: no token in the address of the API, no basic authorization, no cookie beside a bearer', async () => {
    const { ask, credentials, cookie } = await openServer();
    expect((await ask({ path: `/v1/x?launch=${credentials.launchToken().token}` })).status).toBe(401);
    expect((await ask({ path: '/v1/x', headers: { authorization: 'Basic b3duZXI6eA==' } })).status).toBe(401);
    expect((await ask({ path: '/v1/x', headers: { authorization: 'Bearer x', cookie } })).status).toBe(401);
  });
});

describe('rel-X11, rel-X12: headers', () => {
  it('stand on every answer, refusals too, and nothing but built files may be kept', async () => {
    const { ask, cookie } = await openServer();
    const asks: readonly Ask[] = [
      { headers: { cookie } },
      { path: '/v1/x', headers: { cookie } },
      { path: '/v1/x' },
      { path: '/' },
      { headers: { host: 'attacker.test' } },
      { method: 'POST', headers: { origin: 'null' } },
      { path: '/v1/throws', headers: { cookie } },
    ];
    for (const each of asks) {
      const { headers } = await ask(each);
      expect(headers, JSON.stringify(each)).toMatchObject(GUARDED);
      expect(headers['content-security-policy'], JSON.stringify(each)).toContain("frame-ancestors 'none'");
      expect(headers['cache-control'], JSON.stringify(each)).toContain('no-store');
    }
    const built = await ask({ path: '/_next/static/a.js' });
    expect(built.headers).toMatchObject({ ...GUARDED, 'cache-control': 'public, max-age=31536000, immutable' });
  });

  it('a route may be stricter than the rest', async () => {
    const { ask, cookie } = await openServer();
    const { headers } = await ask({ path: '/v1/own', headers: { cookie } });
    expect(headers['cache-control']).toBe('private, no-store, no-transform');
    expect(headers['content-security-policy']).toBe("default-src 'none'; sandbox");
  });

  it('stand on the answer to what is no HTTP at all', async () => {
    const { port } = await openServer();
    const socket = connect(port, '127.0.0.1');
    socket.end('nonsense\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text.toLowerCase()).toContain('x-content-type-options: nosniff');
  });

  it('a page carries the policy that Next read, whatever the client sent, and the Trusted Types policy first', async () => {
    const { ask, cookie } = await openServer();
    const headers = { cookie, 'content-security-policy': "script-src 'nonce-evil'" };
    const page = await ask({ headers });
    expect(page.headers['content-security-policy']).toContain("script-src 'nonce-test-nonce' 'strict-dynamic'");
    expect(page.text).not.toContain('evil');
    expect((await ask({ path: '/v1/policy', headers })).headers['x-policy-seen']).toBe('none');
    expect(page.text).toContain(String(page.headers['content-security-policy']));
    expect(page.text).toMatch(/^<html><head><script nonce="test-nonce">window\.trustedTypes/);
  });
});

describe('limits', () => {
  it('rel-X21: exact or 413, declared and undeclared, and never cut', async () => {
    const { ask, cookie, own } = await openServer();
    const headers = { cookie, origin: own };
    const send = (bytes: number) => ask({ method: 'POST', path: '/v1/x', headers, body: Buffer.alloc(bytes) });
    expect((await send(999_999)).text).toBe('999999');
    expect((await send(1_000_000)).text).toBe('1000000');
    for (const bytes of [1_000_001, 60_000_000]) {
      const answer = await send(bytes);
      expect([answer.status, codeOf(answer)]).toEqual([413, 'payload_too_large']);
    }
    const streamed = await ask({ method: 'POST', path: '/v1/import', headers, body: Buffer.alloc(3_000_000) });
    expect(streamed.text).toBe('3000000');
    const zipped = await ask({
      method: 'POST',
      path: '/v1/x',
      headers: { ...headers, 'content-encoding': 'gzip' },
      body: 'x',
    });
    expect(zipped.status).toBe(415);
  });

  it('a body that does not arrive in time ends its connection; a streamed one may take its time', async () => {
    const { port, cookie, own } = await openServer('local', { bodyMs: 30 });
    const begin = (path: string) => {
      const socket = connect(port, '127.0.0.1');
      const head = [
        `POST ${path} HTTP/1.1`,
        `Host: 127.0.0.1:${port}`,
        `Cookie: ${cookie}`,
        `Origin: ${own}`,
        'Content-Length: 9',
      ];
      socket.on('error', () => {});
      socket.write(`${head.join('\r\n')}\r\n\r\nhalf`);
      return socket;
    };
    const upload = begin('/v1/import');
    await once(begin('/v1/x'), 'close');
    upload.write('other');
    const [answer] = await once(upload, 'data');
    expect(String(answer)).toContain('200 OK');
  });

  it('reliability 6.9: headers have 10 s, connections are counted', async () => {
    const { server } = await openServer();
    expect([server.headersTimeout, server.maxConnections]).toEqual([10_000, 2_000]);
  });

  it('reliability 6.9: an idle connection is kept longer than clients and proxies do, so that no request meets its end', async () => {
    const { server } = await openServer();
    expect(server.keepAliveTimeout).toBeGreaterThan(60_000);
  });

  it('CVE-2026-44578: no connection is turned into another protocol', async () => {
    const { port, cookie } = await openServer();
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    const head = [
      `GET / HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      `Origin: http://127.0.0.1:${port}`,
      `Cookie: ${cookie}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(text).toBe('');
  });
});

describe('trouble', () => {
  it('rel-R11: once it stops, a connection from before gets no new work done', async () => {
    const begun: string[] = [];
    let finish = (): void => {};
    const { server, port, cookie } = await openServer('local', {
      handle: async (req, res) => {
        begun.push(req.url ?? '');
        server.close();
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        res.end('old work done');
      },
    });
    const socket = connect(port, '127.0.0.1');
    const ask = (path: string): string =>
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\n\r\n`;
    socket.write(ask('/v1/old'));
    while (server.listening) await new Promise((resolve) => setImmediate(resolve));
    const second = once(server, 'request');
    socket.write(ask('/v1/new'));
    await second;
    finish();
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(begun).toEqual(['/v1/old']);
    expect(text).toContain('old work done');
    expect(text).toContain('HTTP/1.1 503');
  });

  it('rel-R13: a handler that throws fails its request, is logged once, and the server lives', async () => {
    const { ask, cookie, logged } = await openServer();
    const answer = await ask({ path: '/v1/throws', headers: { cookie } });
    expect([answer.status, codeOf(answer)]).toEqual([500, 'internal']);
    expect(answer.text).not.toContain('boom');
    expect(logged).toHaveLength(1);
    expect((await ask({ path: '/v1/x', headers: { cookie } })).status).toBe(200);
  });

  it('rel-X11: reports of a breach are counted, without a cookie and from an origin of null', async () => {
    const { ask, cookie } = await openServer();
    const report = { method: 'POST', path: '/csp-report', headers: { origin: 'null' } };
    expect((await ask({ ...report, body: '{"csp-report":{"blocked-uri":"inline"}}' })).status).toBe(204);
    expect((await ask({ ...report, body: 'no json' })).status).toBe(204);
    expect((await ask({ path: '/csp-report' })).status).toBe(401);
    const { text } = await ask({ path: '/csp-report', headers: { cookie } });
    expect(JSON.parse(text)).toMatchObject({ count: 2, reports: [{ 'csp-report': { 'blocked-uri': 'inline' } }, {}] });
  });
});
