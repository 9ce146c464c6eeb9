import { agentContentSchema } from '@/server/contract/agent';
import { AppError, toErrorBody } from '@/server/contract/error';
import type { CreateProvider } from '@/server/contract/provider';
import { skillContentSchema } from '@/server/contract/skill';
import { createJobRunner } from '@/server/jobs/runner';
import { CLOSED, isPassedOver, type judgeHealth, stepBreaker } from '@/server/model/breaker';
import type { FetchLike } from '@/server/model/guarded-fetch';
import { createSdkModel } from '@/server/model/sdk-model';
import type { StartTimer } from '@/server/model/stall-guard';
import type { Clock, Ids } from '@/server/ports/clock';
import type { EventBus } from '@/server/ports/event-bus';
import type { JobStore } from '@/server/ports/job-store';
import type { ModelCatalog } from '@/server/ports/model-catalog';
import type { SearchIndex } from '@/server/ports/search-index';
import type { SessionIndex } from '@/server/ports/session-index';
import type { SessionLog } from '@/server/ports/session-log';
import type {
  DismissalStore,
  DocumentStore,
  DraftStore,
  ModelFactStore,
  ProviderStore,
  RunningPartStore,
  SettingsStore,
} from '@/server/ports/stores';
import type { Workspace } from '@/server/ports/workspace';
import { AGENT_TEXTS, createAgentsUse, createSkillsUse, defaultAgentId, SKILL_TEXTS } from './agents';
import { createSessionWriter } from './append-events';
import { createApprovals } from './approvals';
import { createCompactionRequests } from './compaction-requests';
import { createCompactions } from './compactions';
import { createExports } from './exports';
import { type Followed, type FollowRequest, follow, planFollow, type StreamSink } from './follow';
import { createImports } from './imports';
import { createLibrary } from './library';
import { createMessages } from './messages';
import { createModelLearning } from './model-learning';
import { createModelRegistry } from './model-registry';
import { OWNER } from './owner';
import { createProviders } from './providers';
import { createPublisher } from './publish';
import { createReindex } from './reindex';
import { createRunningText } from './running-text';
import { createSecretBox } from './secret-box';
import { seedLibrary } from './seeds';
import { createServerInfo } from './server-info';
import { readContext, viewNow } from './session-context';
import { createSessionJobs } from './session-jobs';
import { promptUseOf, summariseSession, summaryOf } from './session-summary';
import { createJobHandlers } from './session-work';
import { createSessions } from './sessions';
import { createSettings } from './settings';
import { createSmallChanges } from './small-changes';
import { createTrash } from './trash';
import { createTravel } from './travel';

/** Everything the application is handed: drivers, time, chance and the outside world. */
export interface Drivers {
  readonly sessionLog: SessionLog;
  readonly index: SessionIndex;
  readonly search: SearchIndex;
  readonly jobs: JobStore;
  readonly documents: DocumentStore;
  readonly settings: SettingsStore;
  readonly providers: ProviderStore;
  readonly facts: ModelFactStore;
  readonly running: RunningPartStore;
  readonly drafts: DraftStore;
  readonly dismissals: DismissalStore;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly elapsedMs: () => number;
  readonly jitter: () => number;
  readonly startTimer: StartTimer;
  readonly fetch: FetchLike;
  readonly embeddedFetch: FetchLike;
  readonly catalog: ModelCatalog;
  readonly workspace: Workspace;
  readonly readSample: () => Uint8Array;
  readonly secret: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly envProviders: readonly CreateProvider[];
  readonly version: string;
  readonly report: (line: string) => void;
}

/** Lease of a job; the one process that holds the directory renews it, so it only matters after a kill. */
const LEASE_MS = 60_000;
const JOBS_AT_ONCE = 64;
const KEPT_LOGS = 64;
/** `contract.md` 20: exit within 2 s. */
const STOP_GRACE_MS = 1_500;

/** Puts the use cases together. Nothing runs before `start`. */
export function createApplication(drivers: Drivers) {
  const { clock, ids, bus, index, search, sessionLog, report } = drivers;
  const app = `tidemark ${drivers.version}`;
  const settings = createSettings(drivers.settings, () => []);
  const health = new Map<string, typeof CLOSED>();
  const isPaused = (id: string) =>
    isPassedOver(health.get(id) ?? CLOSED, { nowMs: clock.now(), chosenByPerson: false });
  const registry = createModelRegistry({
    store: drivers.providers,
    box: createSecretBox(drivers.secret),
    env: drivers.env,
    fromEnv: drivers.envProviders,
    isPaused,
    settings: settings.current,
  });
  const learning = createModelLearning(drivers.facts);
  const model = createSdkModel({
    connection: registry.connection,
    memory: learning,
    fetch: drivers.fetch,
    embeddedFetch: drivers.embeddedFetch,
    startTimer: drivers.startTimer,
    nowMs: clock.now,
    stallMs: () => settings.current().turns.stall_seconds * 1000,
  });

  const onLibraryChanged = () => reindex.refreshBehind();
  const library = { store: drivers.documents, clock, ids, onChanged: onLibraryChanged };
  const agents = createLibrary({ ...library, kind: 'agent', schema: agentContentSchema, texts: AGENT_TEXTS });
  const skills = createLibrary({ ...library, kind: 'skill', schema: skillContentSchema, texts: SKILL_TEXTS });
  const context = { settings, registry, model, learning, agents, skills };

  const requests = createCompactionRequests();
  const logOf = (sessionId: string) => index.get(sessionId)?.logId ?? null;
  const summarise = (
    ...[session, log]: Parameters<typeof summariseSession> extends [unknown, ...infer R] ? R : never
  ) => summariseSession(context, session, log);
  const telling = { bus, index, search, summarise, requestOf: requests.requestOf, report };
  const writer = createSessionWriter({
    sessionLog,
    clock,
    ids,
    logOf,
    onAppended: createPublisher(telling),
    keptLogs: KEPT_LOGS,
  });
  const reindex = createReindex({ ...telling, sessionLog, writer, context });
  const running = createRunningText(bus, drivers.running);

  const sessionJobs = createSessionJobs({ store: drivers.jobs, runner: () => runner, clock, ids });
  const work = {
    ...context,
    writer,
    bus,
    ids,
    clock,
    requests,
    running,
    jobs: sessionJobs,
    workspace: drivers.workspace,
    elapsedMs: drivers.elapsedMs,
    jitter: drivers.jitter,
    isPaused,
    onAnswered: (provider: string, said: ReturnType<typeof judgeHealth>) => {
      if (said === null) return;
      const seen = { ok: said === 'well', nowMs: clock.now() };
      health.set(provider, stepBreaker(health.get(provider) ?? CLOSED, seen));
    },
  };
  const runner = createJobRunner({
    store: drivers.jobs,
    handlers: createJobHandlers(work),
    clock,
    ids,
    concurrency: JOBS_AT_ONCE,
    leaseMs: LEASE_MS,
    codeOf: (error) => toErrorBody(error).body.error.code,
    onFailure: (job, error) =>
      drivers.report(`${job.kind} failed: ${error instanceof AppError ? error.code : String(error)}`),
  });

  const promptUses = () => index.all().flatMap((session) => promptUseOf(session) ?? []);
  const catalogue = { agents, skills, promptUses, owner: OWNER };
  const numbersFor = (session: Parameters<typeof viewNow>[1]) =>
    viewNow(readContext(context, session), session).numbers;
  const followDeps = { ...telling, writer, running };

  return {
    agents: createAgentsUse(catalogue),
    skills: createSkillsUse(catalogue),
    settings,
    registry,
    providers: createProviders({
      registry,
      catalog: drivers.catalog,
      model,
      settings: settings.current,
      env: drivers.env,
      elapsedMs: drivers.elapsedMs,
    }),
    sessions: createSessions({
      ...context,
      writer,
      index,
      search,
      report,
      drafts: drivers.drafts,
      dismissals: drivers.dismissals,
      clock,
      ids,
      app,
    }),
    messages: createMessages({ writer, ids, jobs: sessionJobs }),
    compactions: createCompactions({ ...context, writer, jobs: sessionJobs, requests, bus, ids }),
    travel: createTravel({ ...context, writer, jobs: sessionJobs, ids }),
    trash: createTrash({ ...context, writer, index, jobs: sessionJobs }),
    approvals: createApprovals({ writer, jobs: sessionJobs }),
    small: createSmallChanges({ writer, carryBoundOf: (session) => numbersFor(session).carryBoundBytes }),
    imports: createImports({
      writer,
      clock,
      ids,
      app,
      defaultAgent: () => defaultAgentId(agents),
      knowsAgent: (id) => agents.published(id, 'latest') !== null,
      resultCapBytes: () => settings.current().tools.result_cap_bytes,
      summaryOf: (id) => {
        const indexed = index.get(id);
        return indexed ? summaryOf(indexed) : null;
      },
      readSample: drivers.readSample,
    }),
    exports: createExports({ writer, sessionLog, logOf }),
    stream: {
      plan: (request: FollowRequest) => planFollow(followDeps, request),
      follow: (followed: Followed, sink: StreamSink) => follow(followDeps, followed, sink),
    },
    server: createServerInfo({
      jobs: drivers.jobs,
      version: drivers.version,
      checks: [
        { name: 'store', run: () => void index.get('') },
        { name: 'queue', run: () => void drivers.jobs.list('running', 1) },
      ],
    }),
    /** Recovers what an earlier process left, then takes work (L1, T4). */
    start: async (isFresh: boolean) => {
      seedLibrary({ agents, skills }, isFresh);
      drivers.jobs.abandonRunning(clock.now());
      await reindex.recover({ running: drivers.running, jobs: sessionJobs });
      runner.start();
    },
    /** Lists every conversation anew from the logs (L1); how many there are. */
    rebuildIndex: () => reindex.rebuild(),
    /** No new work, running turns marked interrupted, sizes noted so that the next start is quick. */
    stop: async () => {
      await runner.stop(STOP_GRACE_MS);
      running.stop();
      await reindex.noteSizes();
      await search.close().catch(() => undefined);
      await sessionLog.close();
    },
  };
}

export type Application = ReturnType<typeof createApplication>;
