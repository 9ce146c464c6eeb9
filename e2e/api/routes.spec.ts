import { expect, test } from '@playwright/test';
import { z } from 'zod';
import { errorBodySchema } from '../../server/contract/error';
import { routeTable } from '../../server/contract/route-table';
import { type Answer, type Api, aTalk, startApi, startProvider } from './api-server';

let api: Api;
let provider: Awaited<ReturnType<typeof startProvider>>;
test.beforeAll(async () => {
  provider = await startProvider();
  api = await startApi({ providers: [provider.provider] });
});
test.afterAll(async () => {
  await api.kill();
  await provider.close();
});

/** What a route without a handler answers: our own words for an address that is not there, or Next's 405. */
function isUnbuilt({ status, body }: Answer): boolean {
  const parsed = errorBodySchema.safeParse(body);
  return status === 405 || (parsed.success && parsed.data.error.message.startsWith('There is no /v1/'));
}

const codeOf = ({ body }: Answer) => errorBodySchema.safeParse(body).data?.error.code ?? null;

test('every route of the table that is said to be built has a handler', async () => {
  const session = await aTalk(api, provider.model);
  const missing: string[] = [];
  const names: Readonly<Record<string, string>> = { sessionId: session, providerId: 'fake', callId: 'call_1' };
  for (const [name, route] of routeTable) {
    if (!route.built || name === 'streamEvents') continue;
    const path = route.path.replace(/\{(\w+)\}/g, (_, param: string) => names[param] ?? '01ARZ3NDEKTSV4RRFFQ69G5FAV');
    // An empty body suits no route that takes one: what is asked is whether somebody is there, nothing is changed.
    const answer = await api.call(route.method, path, route.method === 'GET' ? undefined : { nobody: 'asks this' });
    if (isUnbuilt(answer)) missing.push(`${route.method} ${route.path}`);
    expect(answer.status, `${route.method} ${path}`).not.toBe(500);
  }
  expect(missing).toEqual([]);
});

test('what a use case refuses arrives with its own code and sentence, not as a fault of the server', async () => {
  const session = await aTalk(api, provider.model);
  const calls = [
    ['GET', '/agents/01ARZ3NDEKTSV4RRFFQ69G5FAV', undefined, 404, 'not_found'],
    ['GET', '/agent-sessions/01ARZ3NDEKTSV4RRFFQ69G5FAV', undefined, 404, 'not_found'],
    ['POST', `/agent-sessions/${session}/cancel`, {}, 409, 'nothing_to_do'],
    ['POST', `/agent-sessions/${session}/continue`, {}, 409, 'nothing_to_do'],
    ['POST', '/agent-sessions', { model: { provider: 'nobody', model: 'm' } }, 409, 'unknown_model'],
    ['PATCH', '/settings', { revision: 999, settings: {} }, 409, 'conflict'],
    ['POST', '/import', { no: 'conversation' }, 400, 'invalid_import'],
  ] as const;
  for (const [method, path, body, status, code] of calls) {
    const answer = await api.call(method, path, body);
    expect([method, path, answer.status, codeOf(answer)]).toEqual([method, path, status, code]);
  }
});

test('what is not built says so in the words of the contract', async () => {
  for (const [method, path] of [
    ['GET', '/nothing'],
    ['DELETE', '/health'],
    ['POST', '/agent-sessions/x/y/z'],
  ] as const) {
    const answer = await api.call(method, path, method === 'POST' ? {} : undefined);
    expect([404, 405]).toContain(answer.status);
  }
});

const documentSchema = z.object({
  openapi: z.string(),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
});

test('openapi.json is served from the schemas and names every route', async () => {
  const { openapi, paths } = documentSchema.parse(await api.get('/openapi.json'));
  expect(openapi).toMatch(/^3\.1/);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/^\/v1/, '')}`),
  );
  const built = [...routeTable.values()].filter((route) => route.built).map((route) => `${route.method} ${route.path}`);
  expect(built.filter((route) => !operations.includes(route))).toEqual([]);
});
