import { type AppError, toErrorBody } from '@/server/contract/error';
import type { Model } from '@/server/contract/shapes';
import type { NewEvent } from '@/server/core/log/new-event';
import type { SessionState } from '@/server/core/projection/state-shape';
import type { TurnJob } from '@/server/core/turn/step-shape';
import type { JobHandler } from '@/server/jobs/runner';
import type { Job } from '@/server/ports/job-store';
import { BUILT_IN_TOOLS, pickTools } from '@/server/tools/toolbox';
import { retryWith } from './call-model';
import { tellUnstarted } from './compactions';
import { createPatientHandler } from './patient-work';
import { composeNow } from './prompt-sources';
import { recoverHere } from './recover';
import { runCompaction } from './run-compaction';
import { runTurn, type TurnDeps } from './run-turn';
import { agentContentOf, readContext, type SessionContext } from './session-context';
import { COMPACT_JOB, compactPayloadSchema, type SessionJobs, TURN_JOB, turnPayloadSchema } from './session-jobs';

export interface WorkDeps extends TurnDeps {
  readonly jobs: SessionJobs;
}

/** The handlers of session jobs; payloads are parsed here, at the shore. Whatever throws is ended with its reason (T3). */
export function createJobHandlers(deps: WorkDeps): Readonly<Record<string, JobHandler>> {
  return {
    [TURN_JOB]: createPatientHandler(deps, (job, signal) => workTurn(deps, job, signal)),
    [COMPACT_JOB]: createPatientHandler(deps, (job, signal) => workCompaction(deps, job, signal)),
  };
}

async function workTurn(deps: WorkDeps, job: Job, signal: AbortSignal): Promise<void> {
  const sessionId = job.serialKey;
  const payload = turnPayloadSchema.parse(job.payload);
  // Under this key nothing runs but this job: a turn still open was left by a failed append, and is ended first.
  await recoverHere(deps, { sessionId });
  const { session } = await deps.writer.load(sessionId);
  const asked = toAsked(session, payload);
  if (asked === null) return;
  // Messages that waited behind a parked turn, or whose jobs were never made, go on after this one.
  deps.jobs.fillQueue(session, asked.why === 'message' ? 1 : 0);
  const prepared = prepareTurn(deps, session, asked);
  if (prepared.ok) await runTurn(deps, { sessionId, job: prepared.job, signal });
  else await deps.writer.append(sessionId, () => ({ events: prepared.events, result: undefined }));
}

interface Said {
  readonly sessionId: string;
  readonly code: string;
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

function say({ bus }: WorkDeps, { sessionId, code, text, data }: Said): void {
  const notice = { sessionId, level: 'error' as const, code, text, data };
  bus.publish({ event: { event: 'chat.notice', data: notice }, sessionId, seq: null });
}

interface AskedTurn {
  readonly turnId: string;
  readonly messageId: string | null;
  readonly why: TurnJob['why'];
}

/** What this job is to answer; null where there is nothing: the message was taken back, or a parked turn waits first. */
function toAsked(
  session: SessionState,
  payload: { readonly turnId?: string | undefined; readonly resume?: boolean | undefined },
): AskedTurn | null {
  if (session.deleted) return null;
  const { parked, openTurn } = session;
  if (payload.resume) {
    if (parked === null || parked.turnId !== payload.turnId) return null;
    return { turnId: parked.turnId, messageId: openTurn?.messageId ?? null, why: 'approval' };
  }
  if (parked !== null) return null;
  if (payload.turnId !== undefined) return { turnId: payload.turnId, messageId: null, why: 'continue' };
  const next = session.queue[0];
  return next ? { turnId: next.turnId ?? next.id, messageId: next.id, why: 'message' } : null;
}

type Prepared =
  | { readonly ok: true; readonly job: TurnJob }
  | { readonly ok: false; readonly events: readonly NewEvent[] };

/** Without a model that could answer, the turn is begun and ended at once with the reason, so that it is not lost. */
function prepareTurn(deps: WorkDeps, session: SessionState, asked: AskedTurn): Prepared {
  const promptEventId = deps.ids.next();
  try {
    const context = readContext(deps, session);
    return { ok: true, job: toTurnJob(deps, { session, context, asked, promptEventId }) };
  } catch (error) {
    return { ok: false, events: toUnanswered(deps, { session, asked, promptEventId, error }) };
  }
}

interface JobInput {
  readonly session: SessionState;
  readonly context: SessionContext;
  readonly asked: AskedTurn;
  readonly promptEventId: string;
}

function toTurnJob(deps: WorkDeps, { session, context, asked, promptEventId }: JobInput): TurnJob {
  const { settings, agent, choice } = context;
  const content = agentContentOf(agent);
  const tools = content === null ? BUILT_IN_TOOLS : pickTools(content.tools);
  return {
    ...asked,
    chain: passOver(deps, choice),
    prompt: context.wouldBe ?? session.keptPrompt ?? composeNowBare(deps),
    promptEventId,
    tools: new Map(
      tools.map((tool) => [
        tool.schema.name,
        { approval: content?.settings.approvals?.[tool.schema.name] ?? tool.approval, effects: tool.effects },
      ]),
    ),
    maxSteps: settings.turns.max_steps,
    autoCompaction: settings.compaction.auto,
    defersAfterFailure: deps.policy.defersAfterFailure,
    retry: retryWith(settings, deps.jitter),
  };
}

/**
 * A paused provider is passed over, never the one a person chose (G4): it stands behind the others, so that it is asked
 * before the turn gives up (rel-R2).
 */
function passOver(deps: WorkDeps, { chain, byPerson }: SessionContext['choice']): readonly Model[] {
  const paused = new Set(chain.filter((model, index) => !(byPerson && index === 0) && deps.isPaused(model.provider)));
  return [...chain.filter((model) => !paused.has(model)), ...paused];
}

/** The agent was deleted before the conversation had a prompt of its own: the application's text alone. */
const composeNowBare = (deps: WorkDeps) => {
  const prompt = composeNow(deps, { kind: 'none' });
  if (prompt === null) throw new Error('a conversation without an agent always has a prompt');
  return prompt;
};

interface UnansweredInput extends Omit<JobInput, 'context'> {
  readonly error: unknown;
}

function toUnanswered(deps: WorkDeps, { session, asked, promptEventId, error }: UnansweredInput): readonly NewEvent[] {
  const { code, message } = toErrorBody(error satisfies unknown | AppError).body.error;
  const kept = session.keptPrompt;
  const model = session.model ?? { provider: 'none', model: 'none' };
  const first: readonly NewEvent[] =
    kept === null ? [{ type: 'prompt.kept', id: promptEventId, ...composeNowBare(deps), why: 'first' }] : [];
  return [
    ...first,
    { type: 'turn.started', ...asked, model, promptId: kept?.id ?? promptEventId },
    { type: 'turn.ended', turnId: asked.turnId, outcome: 'failed', code, text: message, steps: 0 },
  ];
}

async function workCompaction(deps: WorkDeps, job: Job, signal: AbortSignal): Promise<void> {
  const sessionId = job.serialKey;
  const payload = compactPayloadSchema.parse(job.payload);
  await recoverHere(deps, { sessionId });
  try {
    await runCompaction(deps, {
      sessionId,
      jobId: job.id,
      trigger: 'manual',
      turnId: null,
      turnModel: null,
      by: payload.by,
      focus: payload.focus ?? null,
      upToItemId: payload.upToItemId ?? null,
      keepTail: payload.keepTail ?? false,
      clientRequestId: payload.clientRequestId ?? null,
      rewrite: payload.rewrite ?? null,
      signal,
    });
  } catch (error) {
    const { code, message: text } = toErrorBody(error).body.error;
    say(deps, { sessionId, code, text, data: { clientRequestId: payload.clientRequestId } });
    deps.requests.endUnstarted(job.id);
    tellUnstarted(deps, { sessionId, outcome: 'failed', reason: code });
    throw error;
  }
}
