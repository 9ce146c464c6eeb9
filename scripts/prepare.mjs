// Installs what is missing and builds what is old, in as few words as possible. Plain Node.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashSources, hasNativeModule, isBuilt, isInstalled, stampBuild } from './freshness.mjs';

const MIN_NODE = [20, 19, 0];

/** Null when this Node will do, else what to do about it. */
export function judgeNode(version) {
  const parts = version.split('.').map(Number);
  const differs = MIN_NODE.findIndex((least, index) => parts[index] !== least);
  if (differs === -1 || parts[differs] > MIN_NODE[differs]) return null;
  return `Tidemark needs Node ${MIN_NODE.join('.')} or newer; this is ${version}. Get one from https://nodejs.org or your version manager.`;
}

const COMPILER_REMEDY = [
  'The database module better-sqlite3 could not be built: no prebuilt file could be fetched, and the tools to compile it are missing.',
  'Install python3, make and a C++ compiler, then run npm start again:',
  '  Debian, Ubuntu   sudo apt-get install python3 make g++',
  '  Fedora           sudo dnf install python3 make gcc-c++',
  '  macOS            xcode-select --install',
  '  Windows          winget install Microsoft.VisualStudio.2022.BuildTools (with "Desktop development with C++"), and Python',
].join('\n');

/** What to say about a failed install, from what npm printed. */
export function explainInstall(output) {
  if (/better-sqlite3|node-gyp|gyp ERR/.test(output)) return COMPILER_REMEDY;
  if (/ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|network/i.test(output)) {
    return 'The packages could not be fetched: the npm registry cannot be reached. Check the network or the proxy, then run npm start again.';
  }
  if (/ENOSPC/.test(output))
    return 'The disk is full: the packages need about 1 GB. Make room, then run npm start again.';
  if (/EACCES|EPERM/.test(output))
    return 'The folder may not be written by this user. Check who owns it, then run npm start again.';
  return 'Installing failed; what npm said is above.';
}

/** How often a long step says that it goes on, in milliseconds. */
const TELL_EVERY_MS = 20_000;

/** What npm is at, from what it printed so far at its `info` level. */
export function describeInstall(output) {
  const fetched = new Set(output.match(/^npm http (?:fetch GET 200|cache) \S+\.tgz/gm)).size;
  const runs = [...output.matchAll(/^npm info run (\S+)@\S+ \w*install (?!.*\{ code).*$/gm)];
  const last = runs.at(-1)?.[1];
  if (last !== undefined && !output.includes(`npm info run ${last}@`, runs.at(-1).index + 1))
    return `setting up ${last}`;
  return fetched === 0 ? 'reading the list of packages' : `${fetched} packages fetched or unpacked`;
}

/** What npm said without its narration, which names every package and would look like trouble with each of them. */
export function dropNarration(output) {
  return output.replace(/^npm (http|info) .*\n?/gm, '');
}

/** Runs a command quietly. Resolves with its code and everything it printed; `onTick` hears of it meanwhile. */
export function run(command, args, { cwd, env = process.env, echo = false, onTick }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    let output = '';
    const started = Date.now();
    const tick = () => onTick?.(output, Math.round((Date.now() - started) / 1000));
    const ticking = onTick === undefined ? undefined : setInterval(tick, TELL_EVERY_MS);
    const take = (chunk) => {
      output += chunk;
      if (echo) process.stderr.write(chunk);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    const end = (answer) => {
      clearInterval(ticking);
      resolve(answer);
    };
    child.on('error', (error) => end({ code: 1, output: `${output}${error.message}\n` }));
    child.on('close', (code) => end({ code: code ?? 1, output }));
  });
}

/** A step that failed in a way a person can mend. */
export class PrepareError extends Error {}

const tell = (line) => process.stderr.write(`${line}\n`);

/** Installs from the lock when anything it names is missing or other than it says. */
export async function ensureInstalled(root) {
  if (!isInstalled(root)) {
    tell('Installing packages (some minutes, the first time) …');
    const onTick = (soFar, seconds) => tell(`  ${seconds} s: ${describeInstall(soFar)} …`);
    const args = ['ci', '--no-audit', '--no-fund', '--loglevel=info'];
    const { code, output: said } = await run('npm', args, { cwd: root, onTick });
    const output = dropNarration(said);
    if (code !== 0) {
      tell(output.trim().split('\n').slice(-25).join('\n'));
      throw new PrepareError(explainInstall(output));
    }
  }
  if (hasNativeModule(root)) return;
  const { code, output } = await run('npm', ['rebuild', 'better-sqlite3'], { cwd: root });
  if (code === 0 && hasNativeModule(root)) return;
  tell(output.trim().split('\n').slice(-25).join('\n'));
  throw new PrepareError(COMPILER_REMEDY);
}

/** Builds when the sources are other than those of the last build. */
export async function ensureBuilt(root) {
  if (isBuilt(root)) return;
  tell('Building (half a minute, after each change) …');
  const hash = hashSources(root);
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' };
  const { code, output } = await run(process.execPath, ['node_modules/next/dist/bin/next', 'build'], {
    cwd: root,
    env,
    onTick: (_, seconds) => tell(`  ${seconds} s: still building …`),
  });
  mkdirSync(join(root, '.next'), { recursive: true });
  writeFileSync(join(root, '.next/tidemark-build.log'), output);
  if (code !== 0) {
    tell(output.trim());
    throw new PrepareError('Building failed; what Next said is above.');
  }
  stampBuild(root, hash);
}
