import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { startTestServer } from '../test-server';

const GUIDE = join(import.meta.dirname, '../../docs/api.md');

/** The commands of the guide: those of blocks without a name one after another, or those of the block of that name. */
async function readCommands(name = ''): Promise<string> {
  const text = await readFile(GUIDE, 'utf8');
  const blocks = [...text.matchAll(/^```sh ?([a-z-]*)\n([\s\S]*?)^```$/gm)];
  return blocks.flatMap(([, label, body]) => (label === name ? [body] : [])).join('\n');
}

/** Runs commands as a person would type them; the first that fails ends it. */
function run(commands: string, cwd: string): Promise<{ readonly code: number | null; readonly out: string }> {
  const child = spawn('bash', ['-euc', `curl() { command curl -S "$@"; echo; }\n${commands}`], {
    cwd,
  });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      out += String(chunk);
    });
  }
  return new Promise((resolve) => child.once('exit', (code) => resolve({ code, out })));
}

let folder = '';
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidemark-tour-'));
});
test.afterEach(() => rm(folder, { recursive: true, force: true }));

test('the tour of docs/api.md runs word for word, and answers what it says', async () => {
  const server = await startTestServer({ env: { TIDEMARK_AUTH: 'none' } });
  const { code, out } = await run((await readCommands()).replaceAll('http://127.0.0.1:3000', server.origin), folder);
  await server.stop();
  expect(code, out).toBe(0);
  const codes = [...out.matchAll(/"error":\{"code":"(\w+)"/g)].map((match) => match[1]);
  expect(
    codes.filter((each) => each !== 'nothing_to_do'),
    out,
  ).toEqual([]);
  const answers = ['"status":"ok"', '"ready":true', '"role":"assistant"', 'event: chat.turn', '"outcome":"committed"'];
  for (const answer of [...answers, '"role":"summary"', '"current":false', '"format":"tidemark"', '"archived":true']) {
    expect(out).toContain(answer);
  }
  const posted = out.split('\n').filter((line) => line.startsWith('{"messageId"'));
  expect(JSON.parse(posted[0] ?? '{}').messageId).toBe(JSON.parse(posted[1] ?? '{}').messageId);
});

test('its way of signing in works with the address that the server prints', async () => {
  const server = await startTestServer();
  const commands = (await readCommands('sign-in'))
    .replace('http://127.0.0.1:3000/?launch=THE_PRINTED_TOKEN', server.launchUrl)
    .replaceAll('http://127.0.0.1:3000', server.origin);
  const { code, out } = await run(commands, folder);
  await server.stop();
  expect(code, out).toBe(0);
  expect(out).toContain('{"sessions":[]');
  expect(out).toContain('"title":"From the terminal"');
});
