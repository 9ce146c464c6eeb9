import { test as base, expect, type Page } from '@playwright/test';
import { startTestServer, type TestServer } from './test-server';
import { type Api, createApi } from './verbs/api';
import { type Boundary, createBoundary } from './verbs/boundary';
import { type Chat, createChat } from './verbs/chat';
import { createFakeModels, type FakeModels } from './verbs/fake-models';

interface WorkerFixtures {
  /** Specs that name one share a server that no other spec has touched: a first run, broken summarisers. */
  readonly serverFor: string;
  /** One server for the specs of a worker; specs make conversations of their own and do not meet. */
  readonly server: TestServer;
  /** The cookies of the owner, from spending the launch address once. */
  readonly ownerCookies: Awaited<ReturnType<ReturnType<Page['context']>['cookies']>>;
}

interface TestFixtures {
  /** What the browser said that it should not have; every test ends with these lists empty. */
  readonly watch: PageWatch;
  readonly api: Api;
  readonly fakes: FakeModels;
  readonly chat: Chat;
  readonly boundary: Boundary;
  /** Another tab of the same browser, with the same verbs. */
  readonly openTab: () => Promise<Tab>;
  /** Keeps a picture of the page with the test's results, under a name of its own. */
  readonly picture: (name: string, page?: Page) => Promise<void>;
}

export interface Tab {
  readonly page: Page;
  readonly chat: Chat;
  readonly boundary: Boundary;
}

/** Console errors, page errors, requests to other origins. A spec that expects one of them takes it out by `forgive`. */
export interface PageWatch {
  readonly forgive: (pattern: RegExp) => void;
}

/** The breaches of the page policy that browsers reported since the count was `before`. */
async function readCspReports(
  page: Page,
  before: number,
): Promise<{ readonly count: number; readonly fresh: readonly string[] }> {
  const answer = await page.request.get('/csp-report');
  const { count, reports }: { count: number; reports: readonly unknown[] } = await answer.json();
  const fresh =
    before === count ? [] : reports.slice(before - count).map((report) => `report: ${JSON.stringify(report)}`);
  return { count, fresh };
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  serverFor: ['all', { scope: 'worker', option: true }],
  server: [
    // Named, so that a spec with a server of its own gets a worker of its own.
    async ({ serverFor: _ }, use) => {
      const server = await startTestServer();
      await use(server);
      const { code } = await server.stop();
      expect(code, server.errors()).toBe(0);
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  ownerCookies: [
    async ({ browser, server }, use) => {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(server.launchUrl);
      await use(await context.cookies());
      await context.close();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, use) => use(server.origin),
  context: async ({ context, ownerCookies }, use) => {
    await context.addCookies(ownerCookies);
    await use(context);
  },
  watch: [
    async ({ context, page, server }, use) => {
      const seen: string[] = [];
      const forgiven: RegExp[] = [];
      context.on('console', (message) => {
        if (message.type() === 'error') seen.push(`console: ${message.text()}`);
      });
      context.on('weberror', (error) => seen.push(`page error: ${error.error().message}`));
      context.on('request', (request) => {
        const url = new URL(request.url());
        if (url.protocol.startsWith('http') && url.origin !== server.origin) seen.push(`left the origin: ${url.href}`);
      });
      const { count } = await readCspReports(page, 0);
      await use({ forgive: (pattern) => void forgiven.push(pattern) });
      const { fresh } = await readCspReports(page, count);
      const unforgiven = [...seen, ...fresh].filter((line) => !forgiven.some((pattern) => pattern.test(line)));
      expect(unforgiven, 'what the browser complained about').toEqual([]);
    },
    { auto: true },
  ],
  api: async ({ page, server }, use) => use(createApi(page.request, server.origin)),
  fakes: async ({ api }, use) => {
    const fakes = createFakeModels(api);
    await use(fakes);
    await fakes.close();
  },
  chat: async ({ page, api }, use) => use(createChat(page, api)),
  boundary: async ({ page }, use) => use(createBoundary(page)),
  openTab: async ({ context, api }, use) => {
    await use(async () => {
      const page = await context.newPage();
      return { page, chat: createChat(page, api), boundary: createBoundary(page) };
    });
  },
  picture: async ({ page }, use, testInfo) => {
    await use(async (name, of = page) => {
      const path = testInfo.outputPath(`${name}.png`);
      await of.screenshot({ path, animations: 'disabled' });
      await testInfo.attach(name, { path, contentType: 'image/png' });
    });
  },
});

export { expect };
