import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'vite';
import type { Asked, Told } from './log-child-talk';
import { SCRATCH } from './means';

const ROOT = join(import.meta.dirname, '../..');

export interface LogChild {
  readonly pid: number;
  readonly ask: (asked: Asked) => void;
  /** The next thing it tells; null once it is dead and everything it told was taken. */
  readonly next: () => Promise<Told | null>;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Settles when it is gone. */
  readonly gone: Promise<unknown>;
}

/** Puts `log-child.ts` and what it needs into one file, so that a thousand of them start in little time. Gives its path. */
export async function buildLogChild(): Promise<string> {
  const outDir = join(SCRATCH, `log-child-${process.pid}`);
  await build({
    configFile: false,
    logLevel: 'error',
    root: ROOT,
    resolve: { alias: { '@': ROOT } },
    ssr: { noExternal: true, external: ['better-sqlite3'] },
    build: { ssr: join(import.meta.dirname, 'log-child.ts'), outDir, emptyOutDir: true, copyPublicDir: false },
  });
  return join(outDir, 'log-child.js');
}

export interface LogChildOptions {
  readonly script: string;
  readonly dataDir: string;
  /** Where it notes what it acknowledged. */
  readonly recordPath?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export function startLogChild({ script, dataDir, recordPath, env = {} }: LogChildOptions): LogChild {
  const child = spawn(process.execPath, [script, dataDir, ...(recordPath === undefined ? [] : [recordPath])], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  // It may be dead already when it is asked.
  child.stdin.on('error', () => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    pid: child.pid ?? 0,
    ask: (asked) => void child.stdin.write(`${JSON.stringify(asked)}\n`),
    next: async () => {
      const { value, done } = await lines.next();
      return done ? null : JSON.parse(value);
    },
    signal: (signal) => void child.kill(signal),
    gone,
  };
}
