import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { sessionOf } from '../sessions/session-files';

/** Never dependencies: fetched into a scratch folder when somebody asks for them, without running what they bring. */
const PEERS = ['@mariozechner/pi-coding-agent@0.73.1', '@langchain/core@1.4.0'];
const PROGRAM = fileURLToPath(new URL('measure-peers.mjs', import.meta.url));
const SIZES = [1000, 10_000];

const numbers = z.record(z.string(), z.union([z.number(), z.string()]));
const resultSchema = z.object({ items: z.number(), pi: numbers, langchain: numbers });

/** Installs the peers and has them open and cut the same conversations; gives lines for a terminal. */
export function runPeers(folder: string): readonly string[] {
  const scratch = join(folder, 'peers');
  mkdirSync(scratch, { recursive: true });
  writeFileSync(join(scratch, 'package.json'), '{"private":true,"type":"module"}');
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...PEERS];
  const installed = spawnSync('npm', install, { cwd: scratch, encoding: 'utf8' });
  if (installed.status !== 0) return [`The peers could not be installed: ${installed.stderr.trim().slice(-300)}`];
  copyFileSync(PROGRAM, join(scratch, 'measure.mjs'));
  return SIZES.flatMap((items) => {
    const { path } = sessionOf(items, folder);
    const ran = spawnSync(process.execPath, ['measure.mjs', path], { cwd: scratch, encoding: 'utf8' });
    const line = ran.stdout.trim().split('\n').at(-1) ?? '';
    if (!line.startsWith('{')) return [`${items} items: ${ran.stderr.slice(-300)}`];
    const { pi, langchain } = resultSchema.parse(JSON.parse(line));
    return [`${items} items, pi: ${say(pi)}`, `${items} items, langchain: ${say(langchain)}`];
  });
}

function say(values: z.infer<typeof numbers>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${typeof value === 'number' ? value.toFixed(1) : value}`)
    .join(', ');
}
