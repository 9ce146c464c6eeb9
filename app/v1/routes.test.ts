import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { routeTable } from '@/server/contract/route-table';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('route.ts'));

/** `METHOD /path name` of every handler: what the file exports, where it stands, and which route it parses by. */
const handlers = files.flatMap((file) => {
  const path = `/${file.replaceAll('\\', '/').replace(/\/?route\.ts$/, '')}`.replace(/\[(\w+)\]/g, '{$1}');
  const found = readFileSync(`${FOLDER}/${file}`, 'utf8').matchAll(/export const ([A-Z]+) = handle\('(\w+)'/g);
  return [...found].map(([, method, name]) => `${method} ${path} ${name}`);
});

const built = [...routeTable].filter(([, route]) => route.built);

it('every route that is said to be built has its handler, in its place, and no handler is without a route', () => {
  const wanted = built.map(([name, { method, path }]) => `${method} ${path} ${name}`);
  expect(handlers.sort()).toEqual(wanted.sort());
});
