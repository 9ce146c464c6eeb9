import type { SessionState } from '@/server/core/projection/state-shape';
import { createAgentsUse, createSkillsUse, defaultAgentId } from './agents';
import { createEngine, type Engine } from './application-engine';
import { createApprovals } from './approvals';
import { createCompactions } from './compactions';
import { createDiskRoom } from './disk-room';
import type { Drivers } from './drivers';
import { createExports } from './exports';
import { type Followed, type FollowRequest, follow, planFollow, type StreamSink } from './follow';
import { createFound } from './found';
import { createImports } from './imports';
import { createMessages } from './messages';
import { OWNER } from './owner';
import { createProviders } from './providers';
import { requeueContinues } from './requeue-continues';
import { seedLibrary } from './seeds';
import { createServerInfo } from './server-info';
import { readContext, viewNow } from './session-context';
import { promptUseOf, summaryOf } from './session-summary';
import { createSessions } from './sessions';
import { createSmallChanges } from './small-changes';
import { createSummariserTest } from './summariser-test';
import { createTrash } from './trash';
import { createTrashKeeper } from './trash-keeper';
import { createTravel } from './travel';

/** `contract.md` 20: exit within 2 s. */
const STOP_GRACE_MS = 1_500;

/** Puts the use cases together. Nothing runs before `start`. */
export function createApplication(drivers: Drivers) {
  const engine = createEngine(drivers);
  const { context, writer, jobs, runner, reindex, running } = engine;
  const trashKeeper = createTrashKeeper({
    ...drivers,
    writer,
    keepDays: () => context.settings.current().trash.keep_days,
  });
  return {
    ...createLibraryUses(drivers, engine),
    ...createSessionUses(drivers, engine),
    server: createServerInfo({
      jobs: drivers.jobs,
      version: drivers.version,
      checks: [
        { name: 'store', run: () => void drivers.index.get(''), notice: () => drivers.storeNotice ?? null },
        { name: 'disk', run: () => undefined, notice: () => roomOf(drivers).notice() },
        { name: 'queue', run: () => void drivers.jobs.list('running', 1) },
      ],
    }),
    /** Recovers what an earlier process left, then takes work (L1, T4). */
    start: async (isFresh: boolean) => {
      seedLibrary(context, isFresh);
      const abandoned = drivers.jobs.abandonRunning(drivers.clock.now());
      await reindex.recover({ running: drivers.running, jobs });
      await requeueContinues({ writer, jobs, report: drivers.report }, abandoned);
      runner.start();
      trashKeeper.start();
    },
    /** Removes for good what is past its time in the trash; the ids of what went. */
    sweepTrash: () => trashKeeper.sweep(),
    /** Lists every conversation anew from the logs (L1); how many there are. */
    rebuildIndex: () => reindex.rebuild(),
    /** No new work, running turns marked interrupted, sizes noted so that the next start is quick. */
    stop: async () => {
      await runner.stop(STOP_GRACE_MS);
      await trashKeeper.stop();
      running.stop();
      await reindex.noteSizes();
      await drivers.search.close().catch(() => undefined);
      await engine.writer.settled();
      await drivers.sessionLog.close();
    },
  };
}

const roomOf = ({ freeBytes = () => null }: Drivers) => createDiskRoom(freeBytes);

/** Agents, skills, providers, settings: what is not history. */
function createLibraryUses(drivers: Drivers, { context }: Engine) {
  const { agents, skills, settings, registry, model, learning } = context;
  const promptUses = () => drivers.index.all().flatMap((session) => promptUseOf(session) ?? []);
  const catalogue = { agents, skills, promptUses, owner: OWNER };
  const { catalog, env, elapsedMs, jitter, startTimer } = drivers;
  return {
    agents: createAgentsUse(catalogue),
    skills: createSkillsUse(catalogue),
    settings,
    registry,
    summariserTest: createSummariserTest({ ...context, elapsedMs, jitter, startTimer }),
    providers: createProviders({ registry, catalog, model, learning, settings: settings.current, env, elapsedMs }),
  };
}

/** Conversations, and everything that is done in one. */
function createSessionUses(
  drivers: Drivers,
  { context, writer, jobs, owed, requests, running, reindex, telling, logOf }: Engine,
) {
  const { clock, ids, bus, index, search, sessionLog, report } = drivers;
  const app = `tidemark ${drivers.version}`;
  const carryBoundOf = (session: SessionState) =>
    viewNow(readContext(context, session), session).numbers.carryBoundBytes;
  const followed = { ...telling, writer, running, texts: new WeakMap<object, string>() };
  const { drafts, dismissals } = drivers;
  return {
    sessions: createSessions({
      ...context,
      writer,
      index,
      search,
      report,
      drafts,
      dismissals,
      clock,
      ids,
      app,
      jobs,
      requests,
    }),
    found: createFound({ writer, index, search }),
    messages: createMessages({ writer, ids, jobs, owed }),
    compactions: createCompactions({ ...context, writer, jobs, requests, bus, ids, room: roomOf(drivers) }),
    travel: createTravel({ ...context, writer, jobs, requests, ids }),
    trash: createTrash({ ...context, writer, index, jobs, requests }),
    approvals: createApprovals({ writer, jobs, owed }),
    small: createSmallChanges({ writer, carryBoundOf }),
    imports: createImports({
      desk: drivers.importDesk,
      clock,
      app,
      defaultAgent: () => defaultAgentId(context.agents),
      agentIds: () => {
        const ids = drivers.documents.list('agent').map(({ id }) => id);
        return ids.filter((id) => context.agents.published(id, 'latest') !== null);
      },
      adopt: reindex.adopt,
      resultCapBytes: () => context.settings.current().tools.result_cap_bytes,
      summaryOf: (id) => {
        const indexed = index.get(id);
        return indexed ? summaryOf(indexed) : null;
      },
      readSample: drivers.readSample,
    }),
    exports: createExports({ writer, sessionLog, logOf }),
    stream: {
      plan: (request: FollowRequest) => planFollow(followed, request),
      follow: (asked: Followed, sink: StreamSink) => follow(followed, asked, sink),
    },
  };
}

export type Application = ReturnType<typeof createApplication>;
