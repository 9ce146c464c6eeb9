import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFilesSessionLog } from '../files/session-log';
import { createMemorySessionLog } from '../memory/session-log';
import { describeSessionLog } from './session-log-suite';

describeSessionLog('memory', async () => {
  const log = createMemorySessionLog();
  return { log, dispose: () => log.close() };
});

describeSessionLog('files', async ({ ids, clock }) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tidemark-log-'));
  const log = await openFilesSessionLog({ dataDir, ids, clock, lock: null });
  return {
    log,
    async dispose() {
      await log.close();
      await rm(dataDir, { recursive: true });
    },
  };
});
