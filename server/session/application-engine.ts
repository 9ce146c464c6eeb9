import { agentContentSchema } from '@/server/contract/agent';
import { AppError, toErrorBody } from '@/server/contract/error';
import { skillContentSchema } from '@/server/contract/skill';
import { deepFreeze } from '@/server/core/projection/deep-freeze';
import type { RenderCache } from '@/server/core/projection/model-view-entries';
import type { LogState, SessionState } from '@/server/core/projection/state-shape';
import { createJobRunner } from '@/server/jobs/runner';
import { AGENT_TEXTS, SKILL_TEXTS } from './agents';
import { createSessionWriter } from './append-events';
import { createModels } from './application-models';
import { createCompactionRequests } from './compaction-requests';
import type { Drivers } from './drivers';
import { createLibrary } from './library';
import { createOwedWork } from './owed-work';
import { createPublisher } from './publish';
import { createReindex } from './reindex';
import { createRunningText } from './running-text';
import { createSessionJobs } from './session-jobs';
import { summariseSession } from './session-summary';
import { createJobHandlers } from './session-work';

/** Lease of a job; the one process that holds the directory renews it, so it only matters after a kill. */
const LEASE_MS = 60_000;
const JOBS_AT_ONCE = 64;
const KEPT_LOGS = 64;

/** What all use cases stand on: the documents and models, the writer and what follows an append, and background work. */
export type Engine = ReturnType<typeof createEngine>;

/** Puts it together. Nothing runs before the runner is started. */
export function createEngine(drivers: Drivers) {
  const { clock, ids } = drivers;
  const { isPaused, onAnswered, ...models } = createModels(drivers);
  const library = { store: drivers.documents, clock, ids, onChanged: () => reindex.refreshBehind() };
  const agents = createLibrary({ ...library, kind: 'agent', schema: agentContentSchema, texts: AGENT_TEXTS });
  const skills = createLibrary({ ...library, kind: 'skill', schema: skillContentSchema, texts: SKILL_TEXTS });
  // One a process: what an item renders to is found again by every projection of every session that shows it (perf-B1).
  const renders: RenderCache = new WeakMap();
  const context = { ...models, agents, skills, renders };
  const written = createWriting(drivers, context);
  const { writer, telling, requests, logOf } = written;
  const reindex = createReindex({ ...telling, sessionLog: drivers.sessionLog, writer, context });
  const running = createRunningText(drivers.bus, drivers.running);
  const jobs = createSessionJobs({ store: drivers.jobs, runner: () => runner, clock, ids });
  const { bus, workspace, elapsedMs, jitter, startTimer, policy } = drivers;
  const wake = async (sessionId: string) => jobs.wakeQueue((await writer.load(sessionId)).session);
  const owed = createOwedWork({ startTimer, wake });
  const outside = { bus, ids, clock, workspace, elapsedMs, jitter, startTimer, policy };
  const work = { ...context, ...outside, writer, requests, running, jobs, isPaused, onAnswered };
  const runner = createRunner(drivers, createJobHandlers(work));
  return { context, writer, telling, requests, logOf, reindex, running, jobs, owed, runner };
}

type Context = Parameters<typeof summariseSession>[0];

/** The writer, and what is derived and told after each append. */
function createWriting(
  { clock, ids, bus, index, search, sessionLog, side, report, freezeStates }: Drivers,
  context: Context,
) {
  const requests = createCompactionRequests();
  const logOf = (sessionId: string) => index.get(sessionId)?.logId ?? null;
  const summarise = (session: SessionState, log: LogState) => summariseSession(context, session, log);
  const telling = { bus, index, search, summarise, requestOf: requests.requestOf, report };
  const writer = createSessionWriter({
    sessionLog,
    side: side ?? null,
    clock,
    ids,
    logOf,
    onAppended: createPublisher(telling),
    keptLogs: KEPT_LOGS,
    finish: freezeStates ? deepFreeze : (state) => state,
    report,
  });
  return { writer, telling, requests, logOf };
}

function createRunner({ jobs, clock, ids, report }: Drivers, handlers: ReturnType<typeof createJobHandlers>) {
  return createJobRunner({
    store: jobs,
    handlers,
    clock,
    ids,
    concurrency: JOBS_AT_ONCE,
    leaseMs: LEASE_MS,
    codeOf: (error) => toErrorBody(error).body.error.code,
    onFailure: (job, error) => report(`${job.kind} failed: ${error instanceof AppError ? error.code : String(error)}`),
  });
}
