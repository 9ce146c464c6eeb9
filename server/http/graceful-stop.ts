import type { Server } from 'node:http';

export interface StopParts {
  readonly server: Pick<Server, 'close' | 'closeAllConnections'>;
  /** Ends the work of the process: no new jobs, running turns marked interrupted, streams closed, locks freed. */
  readonly stopWork: () => Promise<void>;
  readonly exit: (code: number) => void;
  readonly log: (line: string) => void;
  /** Resolves after so many milliseconds. */
  readonly wait: (ms: number) => Promise<void>;
}

/** A slow disk may hold the stop up this long (contract 20: exit within 2 s, within 5 s when the disk is slow). */
const MAX_WORK_MS = 4_500;
/** Answers under way may leave before their connections are closed. */
const LAST_ANSWERS_MS = 200;

/** The stop of a serving process, to be called for each signal: the first stops in order, the second exits at once. */
export function createGracefulStop({
  server,
  stopWork,
  exit,
  log,
  wait,
}: StopParts): (signal: string) => Promise<void> {
  let signals = 0;
  return async (signal) => {
    signals += 1;
    if (signals > 1) return exit(1);
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const failed = (error: unknown): void =>
      log(`stopping after ${signal}: ${error instanceof Error ? error.message : error}`);
    await Promise.race([stopWork().catch(failed), wait(MAX_WORK_MS)]);
    await Promise.race([closed, wait(LAST_ANSWERS_MS)]);
    server.closeAllConnections();
    exit(0);
  };
}
