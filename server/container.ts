import { randomBytes } from 'node:crypto';
import { basename, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { takeDirectoryLock } from '@/db/files/directory-lock';
import { freeBytesOf } from '@/db/files/free-bytes';
import { openImportDesk } from '@/db/files/import-desk';
import { placeSampleWorkspace, readSampleConversation } from '@/db/files/sample-files';
import { readSecretFile } from '@/db/files/secret-file';
import { openFilesSessionLog } from '@/db/files/session-log';
import { createEventBus } from '@/db/memory/event-bus';
import { createDocumentStore } from '@/db/sqlite/document-store';
import { createHeldSessionIndex } from '@/db/sqlite/held-session-index';
import { createJobStore } from '@/db/sqlite/job-store';
import { keepCopy } from '@/db/sqlite/keep-copy';
import { openSqlite, type Sqlite } from '@/db/sqlite/open';
import type { Rescue } from '@/db/sqlite/rescue';
import { sayStorageErrors } from '@/db/sqlite/say-storage-errors';
import { openSearchInThread } from '@/db/sqlite/search-in-thread';
import { createSessionIndex } from '@/db/sqlite/session-index';
import {
  createDismissalStore,
  createDraftStore,
  createLeftoverStore,
  createModelFactStore,
  createProviderStore,
  createRunningPartStore,
  createSettingsStore,
} from '@/db/sqlite/small-stores';
import { type Environment, parseEnvironment } from '@/server/container-environment';
import { AppError } from '@/server/contract/error';
import { COMPACTION_POLICY } from '@/server/core/compaction/policy';
import { createIds } from '@/server/core/ids';
import { createCatalog } from '@/server/model/catalog';
import { createPracticeFetch } from '@/server/model/practice/practice-fetch';
import { type Application, createApplication } from '@/server/session/application';
import { isFreshLibrary } from '@/server/session/seeds';
import { createWorkspace } from '@/server/tools/workspace';
import packageJson from '../package.json';

/** Everything a process has, put together once; the use cases are `server/session/application`. */
export type Container = Application;

interface Started {
  readonly container: Container;
  readonly stop: () => Promise<void>;
}

/**
 * Next compiles instrumentation and route handlers apart, so what a process shares lives under one global symbol.
 * `STOP` is what the serving process calls when it is told to end.
 */
const KEY = Symbol.for('tidemark.container');
const STOP = Symbol.for('tidemark.stop');
const shared: typeof globalThis & { [KEY]?: Promise<Started>; [STOP]?: () => Promise<void> } = globalThis;
const READY = Symbol.for('tidemark.container.ready');
const ready: typeof globalThis & { [READY]?: Container } = globalThis;

/** Starts the process's container once; later calls give the same one. */
export async function startContainer(): Promise<Container> {
  shared[KEY] ??= build();
  const { container, stop } = await shared[KEY];
  shared[STOP] = stop;
  ready[READY] = container;
  return container;
}

/** The started container. Throws before `startContainer` has ended. */
export function getContainer(): Container {
  const container = ready[READY];
  if (container === undefined) throw new AppError('unavailable', 'The server is still starting.');
  return container;
}

/** Also what is wrong with the environment is kept under the symbol, for the serving process to say. */
async function build(): Promise<Started> {
  const { container, stop, isFresh } = await openApplication(parseEnvironment(process.env, process.cwd()));
  await container.start(isFresh);
  return { container, stop };
}

/**
 * Takes the data directory and puts everything together, without starting any work: what a command at the terminal
 * needs. `isFresh`: nothing was ever kept here. Throws `storage_locked` where a server holds the directory (L7).
 */
export async function openApplication(environment: Environment): Promise<Started & { readonly isFresh: boolean }> {
  const { dataDir } = environment;
  // Whatever is kept is this user's alone, side files of the database too (rel-S30).
  process.umask(0o077);
  const clock = { now: () => Date.now() };
  const lock = takeDirectoryLock({ dataDir, now: clock.now });
  const ids = createIds({ clock, drawBytes: randomBytes });
  const sqlite = openSqlite({
    path: join(dataDir, 'main.sqlite'),
    copy: join(dataDir, 'backup', 'main.sqlite'),
    migrations: environment.migrationsDir,
    now: clock.now(),
  });
  const storeNotice = sayRescue(sqlite);
  if (storeNotice !== null) report(storeNotice);
  const sessionLog = await openFilesSessionLog({ dataDir, ids, clock, lock });
  const documents = sayStorageErrors(createDocumentStore(sqlite.db));
  const isFresh = isFreshLibrary(documents);
  const embeddedFetch = createPracticeFetch(() => pause(PRACTICE_PACE_MS));
  const container = createApplication({
    sessionLog,
    importDesk: openImportDesk({ dataDir, worker: environment.importWorker, ids }),
    side: sessionLog.side,
    search: openSearchInThread({ path: join(dataDir, 'search.sqlite'), worker: environment.searchWorker, report }),
    documents,
    ...storesOf(sqlite.db),
    bus: createEventBus((error) => report(`a listener failed: ${String(error)}`)),
    clock,
    ids,
    elapsedMs: () => performance.now(),
    jitter: Math.random,
    startTimer,
    fetch,
    embeddedFetch,
    catalog: createCatalog({ fetch, embeddedFetch, startTimer, nowMs: clock.now }),
    workspace: createWorkspace({
      roots: [{ name: 'workspace', folder: placeSampleWorkspace(dataDir, environment.samplesDir) }],
      now: () => performance.now(),
    }),
    readSample: () => readSampleConversation(environment.samplesDir),
    secret: environment.secret ?? readSecretFile(dataDir),
    policy: COMPACTION_POLICY,
    env: environment.vars,
    envProviders: environment.providers,
    version: packageJson.version,
    storeNotice,
    freeBytes: () => freeBytesOf(dataDir),
    freezeStates: environment.vars.NODE_ENV !== 'production',
    report,
  });
  const copy = keepCopy({
    client: sqlite.db.$client,
    path: join(dataDir, 'backup', 'main.sqlite'),
    startTimer,
    nextName: ids.next,
    report,
  });
  const stop = async () => {
    await container.stop();
    await copy.stop();
    sqlite.close();
  };
  return { container, stop, isFresh };
}

/** What a person must know of a database that could not be opened as it was; null where there is nothing to say. */
function sayRescue({ setAside, restored }: Rescue): string | null {
  const copied = 'agents, skills, settings and keys are those of the copy kept in backup/, the conversations are whole';
  if (setAside !== null) {
    const what = `The database was damaged and is set aside as ${basename(setAside)}`;
    return restored ? `${what}; ${copied}.` : `${what}; there was no copy of agents, skills, settings and keys.`;
  }
  return restored ? `There was no database; ${copied}.` : null;
}

function storesOf(db: Sqlite) {
  return {
    index: createHeldSessionIndex(sayStorageErrors(createSessionIndex(db))),
    jobs: sayStorageErrors(createJobStore(db)),
    settings: sayStorageErrors(createSettingsStore(db)),
    providers: sayStorageErrors(createProviderStore(db)),
    facts: sayStorageErrors(createModelFactStore(db)),
    running: sayStorageErrors(createRunningPartStore(db)),
    drafts: sayStorageErrors(createDraftStore(db)),
    dismissals: sayStorageErrors(createDismissalStore(db)),
    leftovers: createLeftoverStore(db),
  };
}

/** How fast the practice model speaks: like somebody who types well, so that streaming can be seen. */
const PRACTICE_PACE_MS = 12;

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

function startTimer(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
}

const report = (line: string): void => console.error(line);
