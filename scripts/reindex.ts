import { fileURLToPath } from 'node:url';
import { openApplication } from '@/server/container';
import { parseEnvironment } from '@/server/container-environment';
import { AppError } from '@/server/contract/error';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * `npm run reindex`: lists every conversation anew from the logs (L1). The logs are read, never written; a server that
 * runs on the same data directory has to be stopped first (L7).
 */
async function main(): Promise<number> {
  try {
    const { container, stop } = await openApplication(parseEnvironment(process.env, ROOT));
    const count = await container.rebuildIndex();
    await stop();
    console.log(`${count} ${count === 1 ? 'conversation' : 'conversations'} listed from the logs.`);
    return 0;
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    console.error(thrown.message);
    return 1;
  }
}

process.exitCode = await main();
