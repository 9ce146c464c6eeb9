import { toErrorBody } from '@/server/contract/error';
import type { Model } from '@/server/contract/shapes';
import type { CompactionPolicy } from '@/server/core/compaction/policy';
import { observedPaths } from '@/server/core/compaction/stale';
import { startCompaction, stepCompaction } from '@/server/core/compaction/step';
import type {
  CompactionCommand,
  CompactionDone,
  CompactionJob,
  CompactionOutcome,
  CompactionScene,
} from '@/server/core/compaction/step-job';
import type { CompactionStep } from '@/server/core/compaction/step-shape';
import { projectView, untrimmedConversationBytes } from '@/server/core/projection/model-view';
import type { LogState, SessionState } from '@/server/core/projection/state-shape';
import type { ComposedPrompt } from '@/server/core/prompt/compose';
import { recoverCompaction } from '@/server/core/turn/recover';
import { judgeHealth } from '@/server/model/breaker';
import type { Clock, Ids } from '@/server/ports/clock';
import type { EventBus } from '@/server/ports/event-bus';
import type { Workspace } from '@/server/ports/workspace';
import type { SessionWriter } from './append-events';
import { tellAttempts } from './attempt-notices';
import { type CallDeps, callModel, retryWith, waitFor } from './call-model';
import type { CompactionRequests } from './compaction-requests';
import { type ContextDeps, numbersOf, readContext, type SessionContext } from './session-context';
import { chooseSummarisers } from './summarisers';

export interface CompactionDeps extends ContextDeps, CallDeps {
  readonly writer: SessionWriter;
  readonly bus: EventBus;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly requests: CompactionRequests;
  readonly workspace: Workspace | null;
  readonly policy: CompactionPolicy;
  /** Three failures in a row: passed over for a while (G4). */
  readonly isPaused: (provider: string) => boolean;
  /** Told after each call, so that a failing provider is passed over for a while (G4). */
  readonly onAnswered: (provider: string, health: ReturnType<typeof judgeHealth>) => void;
}

export interface CompactionRun {
  readonly sessionId: string;
  /** The job whose work it is; null: a turn's own. */
  readonly jobId: string | null;
  readonly trigger: CompactionJob['trigger'];
  readonly turnId: string | null;
  /** The model that answers in the turn it belongs to: it summarises where no list is chosen (S2, S3). */
  readonly turnModel: Model | null;
  readonly by: string | null;
  readonly focus: string | null;
  readonly upToItemId: string | null;
  readonly keepTail: boolean;
  readonly clientRequestId: string | null;
  /** Fingerprint of an accepted segment whose notes are to be written anew (X6); absent: none. */
  readonly rewrite?: string | null;
  readonly signal: AbortSignal;
}

/**
 * Runs one compaction to its end: load → plan → step ⇄ effect → append (house, "A compaction"). Whatever happens to the
 * summariser, the committed view changes in the commit batch alone (C8). Throws only where nothing could start.
 */
export async function runCompaction(deps: CompactionDeps, run: CompactionRun): Promise<CompactionDone> {
  const { session } = await deps.writer.load(run.sessionId);
  const context = readContext(deps, session);
  const job = await toJob(deps, run, { session, context });
  if (run.clientRequestId !== null) deps.requests.remember(job.compactionId, run.clientRequestId);
  const own = new AbortController();
  const begun = { sessionId: run.sessionId, jobId: run.jobId, compactionId: job.compactionId };
  const { signal, end } = deps.requests.begin(begun, AbortSignal.any([run.signal, own.signal]));
  try {
    const effects = toEffects(deps, { run: { ...run, signal }, job, context });
    return await runMachine(effects, startCompaction(job, await effects.scene()));
  } catch (error) {
    return await endBroken(deps, run.sessionId, error);
  } finally {
    end();
    // Whatever is still under way belongs to a compaction that is over.
    own.abort();
  }
}

/** A compaction that broke after it began is ended in the log, or it would show as running for ever; else it throws on. */
async function endBroken({ writer }: CompactionDeps, sessionId: string, error: unknown): Promise<CompactionDone> {
  const reason = toErrorBody(error).body.error.code;
  const began = await writer.append(sessionId, ({ log, session }) => {
    const events = recoverCompaction({ log, state: session }, reason);
    return { events, result: events.length > 0 };
  });
  if (!began) throw error;
  const nothing = { checkpointId: null, before: null, after: null, dropped: [], detail: null };
  return { do: 'done', outcome: 'failed', reason, ...nothing };
}

interface Effects {
  scene(): Promise<CompactionScene>;
  /** Runs a command; what will come of it, where the machine waits for that. */
  perform(command: CompactionCommand): Promise<Pending | null>;
}

/** A request or a wait under way. Several requests may be (R6). In an object, or awaiting the command would await it. */
interface Pending {
  readonly outcome: Promise<CompactionOutcome>;
}

/** The loop: step ⇄ effect. Whatever comes back first is stepped first; what was stopped settles by itself. */
async function runMachine(effects: Effects, first: CompactionStep): Promise<CompactionDone> {
  const pending = new Set<Pending>();
  let step = first;
  for (;;) {
    for (const command of step.commands) {
      if (command.do === 'done') return command;
      const started = await effects.perform(command);
      if (started !== null) pending.add(started);
    }
    if (pending.size === 0) throw new Error('a compaction stood still');
    const settled = [...pending].map(async (one) => ({ one, outcome: await one.outcome }));
    const { one, outcome } = await Promise.race(settled);
    pending.delete(one);
    step = stepCompaction(step.state, outcome, await effects.scene());
  }
}

interface EffectInput {
  readonly run: CompactionRun;
  readonly job: CompactionJob;
  readonly context: SessionContext;
}

function toEffects(deps: CompactionDeps, { run, job, context }: EffectInput): Effects {
  const { sessionId, signal } = run;
  const call = async (command: Extract<CompactionCommand, { do: 'call' }>): Promise<CompactionOutcome> => {
    const { log } = await deps.writer.load(sessionId);
    const asked = { ...command.request, turnFrom: null };
    const { model } = command;
    const ceilingTokens = command.ceilingTokens ?? deps.policy.oneShotCeilingTokens;
    const answer = await callModel(deps, { model, asked, log, signal, ceilingTokens, onPart: () => undefined });
    deps.onAnswered(model.provider, judgeHealth(answer.reply.end?.trouble ?? null));
    return { type: signal.aborted ? 'cancelled' : 'replied', call: command.call, ...answer };
  };
  const pause = async (ms: number): Promise<CompactionOutcome> => {
    await waitFor(ms, { startTimer: deps.startTimer, signal });
    return signal.aborted ? { type: 'cancelled', reply: null, ms: 0 } : { type: 'waited' };
  };
  return {
    scene: async () => sceneOf(await deps.writer.load(sessionId), { job, context }),
    perform: async (command) => {
      switch (command.do) {
        case 'append':
          await deps.writer.append(sessionId, () => ({ events: command.events, result: undefined }));
          tellAttempts(deps.bus, sessionId, command.events);
          return null;
        case 'say':
          announce(deps, { run, job, command });
          return null;
        case 'call':
          return { outcome: call(command) };
        case 'wait':
          return { outcome: pause(command.ms) };
        case 'notice':
          tellNotice(deps, sessionId, command);
          return null;
        default:
          return null;
      }
    },
  };
}

interface Loaded {
  readonly session: SessionState;
  readonly log: LogState;
}

function sceneOf({ session }: Loaded, { job, context }: Pick<EffectInput, 'job' | 'context'>): CompactionScene {
  const model = job.agentModel;
  const cache = context.renders;
  const view = projectView({ state: session, prompt: job.prompt, model, moment: 'entry', cache });
  return {
    state: session,
    view,
    numbers: numbersOf(context, session, view.floor),
    viewBytes: untrimmedConversationBytes({ state: session, model, cache }),
  };
}

/** `chat.compacting`, again as models advance (P7); ephemeral, since the ledger has every attempt. */
function announce(
  deps: CompactionDeps,
  said: {
    readonly run: CompactionRun;
    readonly job: CompactionJob;
    readonly command: Extract<CompactionCommand, { do: 'say' }>;
  },
): void {
  const { run, job, command } = said;
  const data = {
    sessionId: run.sessionId,
    compactionId: job.compactionId,
    trigger: run.trigger,
    model: command.model,
    stage: command.stage,
    since: new Date(deps.clock.now()).toISOString(),
    clientRequestId: run.clientRequestId,
    attempt: command.attempt,
    ...(command.segments === undefined ? {} : { segments: command.segments }),
    ...(command.reading === undefined ? {} : { reading: [...command.reading] }),
  };
  deps.requests.attempt(job.compactionId, data);
  deps.bus.publish({ event: { event: 'chat.compacting', data }, sessionId: run.sessionId, seq: null });
}

function tellNotice(
  { bus }: CompactionDeps,
  sessionId: string,
  { code, text }: Extract<CompactionCommand, { do: 'notice' }>,
): void {
  const data = { sessionId, level: 'info' as const, code, text };
  bus.publish({ event: { event: 'chat.notice', data }, sessionId, seq: null });
}

async function toJob(
  deps: CompactionDeps,
  run: CompactionRun,
  { session, context }: { readonly session: SessionState; readonly context: SessionContext },
): Promise<CompactionJob> {
  const { settings, choice } = context;
  return {
    compactionId: deps.ids.next(),
    checkpointId: deps.ids.next(),
    promptEventId: deps.ids.next(),
    trigger: run.trigger,
    turnId: run.turnId,
    by: run.by,
    focus: run.focus,
    upToItemId: run.upToItemId,
    keepTail: run.keepTail || settings.compaction.manual_keeps_tail,
    chain: chooseSummarisers(context, { ...run, isPaused: deps.isPaused }),
    agentModel: run.turnModel ?? choice.chain[0] ?? null,
    prompt: promptFor(session, context),
    settings: context.numberSettings,
    minSourceBytes: settings.compaction.min_source_bytes,
    contentTries: settings.compaction.content_tries,
    instructions: settings.compaction.instructions,
    disk: await readDisk(deps.workspace, session),
    rewrite: run.rewrite ?? null,
    factsOf: (model) => ({
      windowTokens: deps.model.describe(model)?.window ?? null,
      prices: deps.registry.prices(model),
      bytesPerToken: deps.learning.bytesPerToken(model),
      ceilingTokens: (measureBytes) =>
        deps.model.ceiling(model, {
          measureBytes,
          bytesPerToken: deps.learning.bytesPerToken(model),
          configured: null,
        }),
    }),
    retry: retryWith(settings, deps.jitter),
  };
}

/** The prompt composed anew; the kept copy where the agent was deleted (`contract.md` 15). */
function promptFor(session: SessionState, context: SessionContext): ComposedPrompt {
  const prompt = context.wouldBe ?? session.keptPrompt;
  if (prompt === null) throw new Error('a conversation without an agent has a prompt of its own');
  return prompt;
}

async function readDisk(workspace: Workspace | null, session: SessionState): Promise<CompactionJob['disk']> {
  if (workspace === null) return new Map();
  const hashes = observedPaths(session).map(async (path) => [path, await workspace.hash(path)] as const);
  return new Map(await Promise.all(hashes));
}
