import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { createEventBus } from '@/db/memory/event-bus';
import { createMemoryImportDesk } from '@/db/memory/import-desk';
import { createMemorySessionLog } from '@/db/memory/session-log';
import { createDocumentStore } from '@/db/sqlite/document-store';
import { createJobStore } from '@/db/sqlite/job-store';
import { openMemorySqlite } from '@/db/sqlite/open';
import { openMemorySearch } from '@/db/sqlite/search-index';
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
import type { StreamData, StreamEventName } from '@/server/contract/stream';
import { COMPACTION_POLICY } from '@/server/core/compaction/policy';
import { createIds } from '@/server/core/ids';
import { createCatalog } from '@/server/model/catalog';
import type { FetchLike } from '@/server/model/guarded-fetch';
import { createPracticeFetch } from '@/server/model/practice/practice-fetch';
import type { Published } from '@/server/ports/event-bus';
import type { SessionLog } from '@/server/ports/session-log';
import { createWorkspace } from '@/server/tools/workspace';
import { createApplication } from '../application';
import type { Drivers } from '../drivers';

/** Where the tables of a database in memory come from. */
export const MIGRATIONS = fileURLToPath(new URL('../../../db/migrations', import.meta.url));
const WORKSPACE = fileURLToPath(new URL('../../../samples/workspace', import.meta.url));

/** The whole application over drivers in memory and the practice model, for tests that tell a story. */
export interface TestApp {
  readonly app: ReturnType<typeof createApplication>;
  readonly sessionLog: SessionLog;
  readonly told: readonly Published[];
  /** Resolves with the first event of this name that passes, told already or yet to come. */
  until<N extends StreamEventName>(name: N, passes?: (data: StreamData<N>) => boolean): Promise<StreamData<N>>;
  /** The same, of what is told after the first `skip` events. */
  untilNew<N extends StreamEventName>(
    skip: number,
    name: N,
    passes?: (data: StreamData<N>) => boolean,
  ): Promise<StreamData<N>>;
  /** Sends a message and waits for the end of its turn. */
  say(sessionId: string, text: string): Promise<StreamData<'chat.turn'>>;
  stop(): Promise<void>;
}

export async function anApp(change: Partial<Drivers> = {}): Promise<TestApp> {
  const sqlite = openMemorySqlite(MIGRATIONS);
  const sessionLog = change.sessionLog ?? createMemorySessionLog();
  const made = { ...toDrivers(sqlite.db, sessionLog), ...change };
  const { fetch, embeddedFetch, startTimer, clock } = made;
  const catalog = change.catalog ?? createCatalog({ fetch, embeddedFetch, startTimer, nowMs: clock.now });
  const drivers = { ...made, catalog };
  const told: Published[] = [];
  const waiting = new Set<(published: Published) => void>();
  drivers.bus.subscribe((published) => {
    told.push(published);
    for (const hear of [...waiting]) hear(published);
  });
  const app = createApplication(drivers);
  await app.start(true);

  const untilNew: TestApp['untilNew'] = (skip, name, passes = () => true) =>
    waitForEvent({ told: told.slice(skip), waiting }, name, passes);
  const until: TestApp['until'] = (name, passes) => untilNew(0, name, passes);
  return {
    app,
    sessionLog,
    told,
    until,
    untilNew,
    say: async (sessionId, text) => {
      const clientMessageId = `say-${told.length}`;
      const { turnId } = await app.messages.post(sessionId, { text, clientMessageId }, 'owner');
      return until('chat.turn', (turn) => turn.turnId === turnId && turn.state !== 'started');
    },
    stop: async () => {
      await app.stop();
      sqlite.close();
    },
  };
}

interface Heard {
  readonly told: readonly Published[];
  readonly waiting: Set<(published: Published) => void>;
}

interface Named<N extends StreamEventName> {
  readonly event: { readonly event: N; readonly data: StreamData<N> };
}

function isNamed<N extends StreamEventName>(published: Published, name: N): published is Published & Named<N> {
  return published.event.event === name;
}

async function waitForEvent<N extends StreamEventName>(
  { told, waiting }: Heard,
  name: N,
  passes: (data: StreamData<N>) => boolean,
): Promise<StreamData<N>> {
  const found = await new Promise<Named<N>>((resolve) => {
    const hear = (published: Published): boolean => {
      if (!isNamed(published, name)) return false;
      const named: Named<N> = published;
      if (!passes(named.event.data)) return false;
      waiting.delete(hear);
      resolve(named);
      return true;
    };
    if (!told.some(hear)) waiting.add(hear);
  });
  return found.event.data;
}

const noNetwork: FetchLike = () => Promise.reject(new TypeError('no network in this test'));

function toDrivers(db: ReturnType<typeof openMemorySqlite>['db'], sessionLog: SessionLog): Drivers {
  let ms = Date.parse('2026-01-01T00:00:00.000Z');
  const clock = { now: () => (ms += 1) };
  const startTimer = (after: number, act: () => void) => {
    const timer = setTimeout(act, after);
    return () => clearTimeout(timer);
  };
  const embeddedFetch = createPracticeFetch();
  const ids = createIds({ clock, drawBytes: randomBytes });
  return {
    sessionLog,
    importDesk: createMemoryImportDesk(sessionLog, ids),
    documents: createDocumentStore(db),
    index: createSessionIndex(db),
    search: openMemorySearch(),
    jobs: createJobStore(db),
    settings: createSettingsStore(db),
    providers: createProviderStore(db),
    facts: createModelFactStore(db),
    running: createRunningPartStore(db),
    drafts: createDraftStore(db),
    dismissals: createDismissalStore(db),
    leftovers: createLeftoverStore(db),
    bus: createEventBus(() => undefined),
    clock,
    ids,
    elapsedMs: () => performance.now(),
    jitter: () => 0.5,
    startTimer,
    fetch: noNetwork,
    embeddedFetch,
    catalog: createCatalog({ fetch: noNetwork, embeddedFetch, startTimer, nowMs: clock.now }),
    workspace: createWorkspace({ roots: [{ name: 'workspace', folder: WORKSPACE }], now: () => performance.now() }),
    readSample: () => new Uint8Array(),
    secret: 'a secret of the test',
    policy: COMPACTION_POLICY,
    env: {},
    envProviders: [],
    version: '0.0.0',
    freezeStates: true,
    report: () => undefined,
  };
}
