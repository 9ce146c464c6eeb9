import { fileURLToPath } from 'node:url';
import { openApplication } from '@/server/container';
import { parseEnvironment } from '@/server/container-environment';
import { timeUntil } from '../clock';
import type { MadeSession } from '../sessions/session-files';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const environmentOf = (dataDir: string) =>
  parseEnvironment({ NODE_ENV: 'production', TIDEMARK_DATA_DIR: dataDir, PATH: process.env.PATH }, ROOT);

/** Lists the conversation and leaves whatever a server that ran before would have left. Not measured. */
export async function prepareOpen({ dataDir, logId }: MadeSession) {
  const { container, stop, isFresh } = await openApplication(environmentOf(dataDir));
  await container.start(isFresh);
  await container.sessions.context(logId, false);
  await stop();
  return {};
}

/** perf-A2, perf-A4: from a server that just started to a view that could be sent, with the memory that took. */
export async function runOpen({ dataDir, logId }: MadeSession) {
  const { container, stop } = await openApplication(environmentOf(dataDir));
  // The code is warm, as it is in a server; the conversation is not.
  await container.sessions.context('01K00000000000000000000000', false).catch(() => undefined);
  collect();
  const before = process.memoryUsage.rss();
  const ms = await timeUntil(() => container.sessions.context(logId, false));
  collect();
  const moreMb = (process.memoryUsage.rss() - before) / 1024 / 1024;
  await stop();
  return { ms, moreMb };
}

/** The process is started with `--expose-gc`. */
function collect(): void {
  globalThis.gc?.();
}
