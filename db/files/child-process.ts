import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A writer in a process of its own, and the lines it has said. */
export interface Child {
  readonly process: ChildProcess;
  /** The next line, or null once it is dead and everything it said has been taken. */
  readonly nextLine: () => Promise<string | null>;
  /** Ends it as a power switch would end the process; resolves when it is gone. */
  readonly kill: () => Promise<void>;
}

const script = fileURLToPath(new URL('./writer-child.ts', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));

/** Starts a writer in a process of its own; `args` are its data directory and log id. */
export function startChild(...args: readonly string[]): Child {
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...args], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    process: child,
    nextLine: async () => {
      const { value, done } = await lines.next();
      return done ? null : value;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await gone;
    },
  };
}
