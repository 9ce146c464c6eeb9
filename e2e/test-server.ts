import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const READY = /Tidemark is ready: (\S+)/;

/** A real server, started as a person starts it, with a data directory of its own. */
export interface TestServer {
  /** The printed address with its one-time token. */
  readonly launchUrl: string;
  readonly origin: string;
  readonly dataDir: string;
  readonly pid: number;
  /** Settles when it has ended, however that came. */
  readonly ended: Promise<number | null>;
  /** Everything the server wrote to standard error so far. */
  readonly errors: () => string;
  /** Sends SIGTERM and waits for the exit; gives its code and how long it took. */
  readonly stop: () => Promise<{ readonly code: number | null; readonly tookMs: number }>;
  /** Ends it without warning, as a power cut would. */
  readonly kill: () => Promise<void>;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Start again on this directory instead of a new one; it is then the caller's to remove. */
  readonly dataDir?: string;
}

function waitForReady(child: ChildProcess, errors: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk) => {
      text += String(chunk);
      const url = READY.exec(text)?.[1];
      if (url !== undefined) resolve(url);
    });
    child.once('exit', (code) =>
      reject(new Error(`the server ended with ${code} before it was ready:\n${text}${errors()}`)),
    );
  });
}

/** Starts `npm start`'s own script on a free port. Keys in the environment are not handed on. */
export async function startTestServer({ env = {}, dataDir: given }: StartOptions = {}): Promise<TestServer> {
  const dataDir = given ?? (await mkdtemp(join(tmpdir(), 'tidemark-e2e-')));
  const kept = Object.entries(process.env).filter(
    ([name]) => !/(_API_KEY|^TIDEMARK_|^NODE_OPTIONS|^NODE_ENV)$/.test(name),
  );
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: ROOT,
    env: { ...Object.fromEntries(kept), NODE_ENV: 'production', PORT: '0', TIDEMARK_DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errorText = '';
  child.stderr.on('data', (chunk) => {
    errorText += String(chunk);
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
  });
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    const code = await ended;
    if (given === undefined) await rm(dataDir, { recursive: true, force: true });
    return code;
  };
  const launchUrl = await waitForReady(child, () => errorText);
  return {
    launchUrl,
    origin: new URL(launchUrl).origin,
    dataDir,
    pid: child.pid ?? 0,
    ended,
    errors: () => errorText,
    async stop() {
      const from = performance.now();
      return { code: await end('SIGTERM'), tookMs: performance.now() - from };
    },
    async kill() {
      await end('SIGKILL');
    },
  };
}
