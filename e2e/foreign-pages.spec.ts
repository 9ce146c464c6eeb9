import { createServer, type Server } from 'node:http';
import { type Browser, chromium, expect, type Page, test } from '@playwright/test';
import { browserFlags, browserPath } from '../scripts/browser-path.mjs';
import { startTestServer, type TestServer } from './test-server';

/** A page of somebody else, in the browser of a person who is signed in: what it may do to the server (rel-X5, rel-X6). */

let server: TestServer;
let browser: Browser;
let attacker: Server;
let attackerOrigin: string;

test.beforeAll(async () => {
  server = await startTestServer();
  attacker = createServer((_req, res) => {
    res.setHeader('Content-Type', 'text/html');
    res.end('<!doctype html><title>elsewhere</title>');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => {
    attacker.once('listening', resolve);
  });
  const address = attacker.address();
  attackerOrigin = `http://attacker.test:${typeof address === 'object' ? address?.port : 0}`;
  browser = await chromium.launch({
    executablePath: await browserPath(),
    args: [
      ...browserFlags,
      '--host-resolver-rules=MAP *.test 127.0.0.1',
      // Newer browsers keep public pages from loopback by themselves; older ones do not, so ours is the guard to be tried.
      '--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests',
    ],
  });
});

test.afterAll(async () => {
  await browser.close();
  attacker.close();
  await server.stop();
});

/** A browser that holds the owner's cookie and stands on the attacker's page. */
async function lureOwner(): Promise<Page> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const launch = await startLaunch();
  await context.addCookies(launch);
  await page.goto(attackerOrigin);
  return page;
}

let owner: Awaited<ReturnType<ReturnType<Page['context']>['cookies']>> | null = null;
async function startLaunch() {
  if (owner !== null) return owner;
  const context = await browser.newContext();
  await (await context.newPage()).goto(server.launchUrl);
  owner = await context.cookies();
  await context.close();
  return owner;
}

test('rel-X5: a name that was rebound to this address is misdirected, on pages, API and files', async () => {
  const page = await (await browser.newContext()).newPage();
  const { port } = new URL(server.origin);
  for (const path of ['/', '/v1/agent-sessions', '/v1/events', '/icon.svg', '/csp-report']) {
    const answer = await page.goto(`http://rebound.test:${port}${path}`);
    expect(answer?.status(), path).toBe(421);
  }
  for (const host of ['localhost.', '127.1', '[::ffff:127.0.0.1]']) {
    const answer = await page.goto(`http://${host}:${port}/`).catch(() => null);
    // Chromium itself spells 127.1 out, and then it is our own name: unsigned, so 401.
    expect([421, 401, undefined], host).toContain(answer?.status());
    if (host === 'localhost.') expect(answer?.status()).toBe(421);
  }
});

test('rel-X6: nothing a foreign page can send changes anything or is readable', async () => {
  const page = await lureOwner();
  const list = () => page.context().request.get(`${server.origin}/v1/agent-sessions`);
  const before = await (await list()).text();
  const reads = await page.evaluate(async (origin) => {
    const outcomes: string[] = [];
    const attempt = async (name: string, init: RequestInit): Promise<void> => {
      const answer = await fetch(`${origin}/v1/agent-sessions`, { credentials: 'include', ...init }).catch(() => null);
      outcomes.push(`${name}: ${answer === null || answer.type === 'opaque' ? 'nothing' : await answer.text()}`);
    };
    await attempt('text', { method: 'POST', mode: 'no-cors', body: '{}', headers: { 'content-type': 'text/plain' } });
    await attempt('form', { method: 'POST', mode: 'no-cors', body: new URLSearchParams({ a: '1' }) });
    await attempt('multipart', { method: 'POST', mode: 'no-cors', body: new FormData() });
    await attempt('json', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } });
    await attempt('read', { method: 'GET' });
    await attempt('opaque read', { method: 'GET', mode: 'no-cors' });
    return outcomes;
  }, server.origin);
  expect(reads).toEqual(['text', 'form', 'multipart', 'json', 'read', 'opaque read'].map((name) => `${name}: nothing`));
  expect(await (await list()).text()).toBe(before);
});

test('rel-X6: forms, also from a sandboxed frame whose origin is null, are refused', async () => {
  const page = await lureOwner();
  const isOurs = (each: { url(): string }): boolean => each.url() === `${server.origin}/v1/agent-sessions`;
  const list = async () => (await page.context().request.get(`${server.origin}/v1/agent-sessions`)).text();
  const before = await list();
  for (const sandbox of [null, 'allow-scripts allow-forms']) {
    // The answer forbids to be framed, so the browser tells of it either as the answer it was or as one it blocked.
    const refused = Promise.race([
      page.waitForResponse(isOurs).then((response) => String(response.status())),
      page.waitForEvent('requestfailed', isOurs).then((request) => request.failure()?.errorText ?? ''),
    ]);
    await page.evaluate(
      ({ origin, sandbox }) => {
        const frame = document.createElement('iframe');
        if (sandbox !== null) frame.setAttribute('sandbox', sandbox);
        frame.srcdoc = `<form method="post" enctype="text/plain" action="${origin}/v1/agent-sessions"><input name='{"a":"' value='"}'></form><script>document.forms[0].submit()</script>`;
        document.body.append(frame);
      },
      { origin: server.origin, sandbox },
    );
    expect(await refused, String(sandbox)).toMatch(/^403$|ERR_BLOCKED_BY_RESPONSE/);
  }
  expect(await list()).toBe(before);
});

test('rel-X12: our pages do not let themselves be framed', async () => {
  const page = await lureOwner();
  const [response] = await Promise.all([
    page.waitForResponse((each) => each.url() === `${server.origin}/`),
    page.evaluate((origin) => {
      const frame = document.createElement('iframe');
      frame.src = `${origin}/`;
      document.body.append(frame);
    }, server.origin),
  ]);
  expect(response.headers()['content-security-policy']).toContain("frame-ancestors 'none'");
  await expect.poll(() => page.frames().filter((frame) => frame.url().startsWith(server.origin)).length).toBe(0);
});
