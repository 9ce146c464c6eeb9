import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from '@playwright/test';
import { type Api, startApi, startProvider } from './api-server';

/** A data directory of one test, its provider, and servers that come and go on it; all ended after the test. */
export interface OneDirectory {
  readonly dataDir: string;
  readonly provider: Awaited<ReturnType<typeof startProvider>>;
  /** The next server on the same directory. */
  readonly start: (env?: Readonly<Record<string, string>>) => Promise<Api>;
}

/** Registers the hooks of a spec; what it gives is that of the test that runs. */
export function manageOneDirectory(): OneDirectory {
  let current: OneDirectory | null = null;
  const servers: Api[] = [];
  test.beforeEach(async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'tidemark-api-'));
    const provider = await startProvider();
    const start: OneDirectory['start'] = async (env = {}) => {
      const api = await startApi({ dataDir, providers: [provider.provider], env });
      servers.push(api);
      return api;
    };
    current = { dataDir, provider, start };
  });
  test.afterEach(async () => {
    for (const server of servers.splice(0)) await server.kill();
    await current?.provider.close();
    if (current !== null) await rm(current.dataDir, { recursive: true, force: true });
  });
  const now = (): OneDirectory => {
    if (current === null) throw new Error('asked for outside a test');
    return current;
  };
  return {
    get dataDir() {
      return now().dataDir;
    },
    get provider() {
      return now().provider;
    },
    start: (env) => now().start(env),
  };
}
