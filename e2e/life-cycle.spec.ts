import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { startTestServer } from './test-server';

const ROOT = join(import.meta.dirname, '..');

test('rel-R11: SIGTERM ends an idle server within 2 s, with 0', async () => {
  const server = await startTestServer();
  const { code, tookMs } = await server.stop();
  expect(code).toBe(0);
  expect(tookMs).toBeLessThan(2_000);
});

test('N1: a second start takes seconds, and a restart signs nobody out', async ({ browser }) => {
  const dataDir = test.info().outputPath('data');
  const first = await startTestServer({ dataDir });
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(first.launchUrl);
  expect(page.url()).toBe(`${first.origin}/`);
  await first.stop();
  const from = performance.now();
  const again = await startTestServer({ dataDir });
  expect(performance.now() - from).toBeLessThan(10_000);
  // The cookie's name carries the port; its value is what the restarted server knows.
  const [cookie] = await context.cookies();
  const name = `tidemark_${new URL(again.origin).port}`;
  await context.addCookies([{ name, value: cookie?.value ?? '', url: again.origin }]);
  const answer = await page.goto(again.origin);
  expect(answer?.status()).toBe(200);
  await context.close();
  await again.stop();
});

test('rel-R12: a closed terminal does not end the server, a second signal ends it at once', async () => {
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: ROOT,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: '0',
      TIDEMARK_AUTH: 'none',
      TIDEMARK_DATA_DIR: test.info().outputPath('data'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const origin = await new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk) => {
      const url = /ready: (\S+)/.exec(String(chunk))?.[1];
      if (url !== undefined) resolve(url);
    });
  });
  child.stdout.destroy();
  child.stderr.destroy();
  for (let count = 0; count < 5; count += 1) expect((await fetch(`${origin}v1/nothing`)).status).toBe(404);
  const ended = new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
  });
  child.kill('SIGINT');
  child.kill('SIGTERM');
  expect([0, 1]).toContain(await ended);
});

test('N1: a taken port is named with its remedy', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => {
    taken.once('listening', resolve);
  });
  const address = taken.address();
  const port = typeof address === 'object' ? address?.port : 0;
  await expect(startTestServer({ env: { PORT: String(port) } })).rejects.toThrow(`Port ${port} is taken. Set PORT`);
  taken.close();
});
