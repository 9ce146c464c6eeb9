import { toErrorBody } from '@/server/contract/error';
import type { Model } from '@/server/contract/shapes';
import { projectView, untrimmedConversationBytes } from '@/server/core/projection/model-view';
import type { SessionState } from '@/server/core/projection/state-shape';
import { startTurn, stepTurn } from '@/server/core/turn/step';
import type {
  RunCall,
  TurnCommand,
  TurnJob,
  TurnMachine,
  TurnOutcome,
  TurnScene,
  TurnStep,
} from '@/server/core/turn/step-shape';
import { isStopping } from '@/server/jobs/runner';
import { judgeHealth } from '@/server/model/breaker';
import type { ModelPart } from '@/server/ports/model';
import { findTool } from '@/server/tools/toolbox';
import type { LoadedSession } from './append-events';
import { callModel, waitFor } from './call-model';
import { createInbox, type Inbox } from './inbox';
import { type CompactionDeps, runCompaction } from './run-compaction';
import type { RunningText } from './running-text';
import { numbersOf, readContext } from './session-context';

export interface TurnDeps extends CompactionDeps {
  readonly running: RunningText;
}

export interface TurnRun {
  readonly sessionId: string;
  readonly job: TurnJob;
  readonly signal: AbortSignal;
}

/**
 * Runs one turn to its end, or until a person has to decide (house, "A message"). Every reply and result is appended
 * before anything rests on it; whatever fails ends the turn with a reason (T3). Throws where a line could not be appended:
 * what was received then stays in `running`, for recovery.
 */
export async function runTurn(deps: TurnDeps, run: TurnRun): Promise<Extract<TurnCommand, { do: 'done' }>['outcome']> {
  const inbox = createInbox<TurnOutcome>();
  const effects = toEffects(deps, run, inbox);
  const first = startTurn(run.job, await sceneOf(deps, run, null));
  try {
    const outcome = await runMachine({ deps, run, inbox, perform: effects }, first);
    deps.running.closeTurn(run.job.turnId);
    return outcome;
  } finally {
    effects.end();
  }
}

interface Perform {
  (command: TurnCommand, machine: TurnMachine): Promise<void>;
  end(): void;
}

interface Loop {
  readonly deps: TurnDeps;
  readonly run: TurnRun;
  readonly inbox: Inbox<TurnOutcome>;
  readonly perform: Perform;
}

/** The loop: step ⇄ effect. */
async function runMachine(
  { deps, run, inbox, perform }: Loop,
  first: TurnStep,
): Promise<Extract<TurnCommand, { do: 'done' }>['outcome']> {
  let step = first;
  for (;;) {
    for (const command of step.commands) {
      if (command.do === 'done') return command.outcome;
      await perform(command, step.state);
    }
    const outcome = await inbox.take();
    step = stepTurn(step.state, outcome, await sceneOf(deps, run, step.state));
  }
}

/** The session as it is now, for the machine's model and moment. */
async function sceneOf(deps: TurnDeps, { sessionId, job }: TurnRun, machine: TurnMachine | null): Promise<TurnScene> {
  const { session } = await deps.writer.load(sessionId);
  const model = machine?.model ?? job.chain[0] ?? null;
  const prompt = session.keptPrompt ?? job.prompt;
  const cache = deps.renders;
  const view = projectView({ state: session, prompt, model, moment: machine?.moment ?? 'entry', cache });
  const numbers = numbersOf(readContext(deps, session), session, view.floor);
  const untrimmedBytes = untrimmedConversationBytes({ state: session, model, cache });
  return { state: session, view, numbers, untrimmedBytes, nextId: deps.ids.next };
}

function toEffects(deps: TurnDeps, run: TurnRun, inbox: Inbox<TurnOutcome>): Perform {
  const { sessionId, signal } = run;
  let streaming: string | null = null;
  let compacting = false;
  let toldToStop = false;
  const why = () => (isStopping(signal) ? ('interrupted' as const) : ('cancelled' as const));
  const onAbort = () => {
    // A reply that streams and a compaction that runs say it themselves, once all they append is appended.
    if (streaming !== null || compacting) return;
    toldToStop = true;
    inbox.put({ type: 'stopped', why: why(), reply: null, ms: 0 });
  };
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });

  const call = async (command: Extract<TurnCommand, { do: 'call' }>, machine: TurnMachine) => {
    const { messageId, model, request } = command;
    streaming = messageId;
    deps.running.open({ sessionId, turnId: run.job.turnId, messageId });
    const { log } = await deps.writer.load(sessionId);
    const answer = await callModel(deps, {
      model,
      asked: request,
      log,
      signal,
      onPart: (part) => showPart(deps.running, messageId, part),
    });
    streaming = null;
    deps.onAnswered(machine.model.provider, judgeHealth(answer.reply.end?.trouble ?? null));
    inbox.put(signal.aborted ? { type: 'stopped', why: why(), ...answer } : { type: 'replied', ...answer });
  };

  const perform = async (command: TurnCommand, machine: TurnMachine): Promise<void> => {
    // A stop that came while an append before it was on its way: nothing more begins.
    if (toldToStop && BEGINS.has(command.do)) return;
    switch (command.do) {
      case 'append':
        await deps.writer.append(sessionId, () => ({ events: command.events, result: undefined }));
        for (const event of command.events)
          if (event.type === 'message.assistant' && event.id) deps.running.close(event.id);
        return;
      case 'look':
        return inbox.put({ type: 'looked' });
      case 'call':
        return inbox.follow(call(command, machine));
      case 'reset':
        return deps.running.reset(command.messageId);
      case 'wait':
        return inbox.follow(
          waitFor(command.ms, { startTimer: deps.startTimer, signal }).then(() =>
            signal.aborted ? undefined : inbox.put({ type: 'waited' }),
          ),
        );
      case 'compact':
        compacting = true;
        return inbox.follow(
          compact(deps, { run, trigger: command.trigger, model: machine.model }).then((outcome) => {
            compacting = false;
            inbox.put(signal.aborted ? { type: 'stopped', why: why(), reply: null, ms: 0 } : outcome);
          }),
        );
      case 'run':
        for (const each of command.calls) inbox.follow(runTool(deps, run, each).then(inbox.put));
        return;
      case 'notice':
        return notice(deps, sessionId, command);
      case 'done':
        return;
    }
  };
  const end = () => {
    signal.removeEventListener('abort', onAbort);
  };
  return Object.assign(perform, { end });
}

const BEGINS: ReadonlySet<TurnCommand['do']> = new Set(['call', 'compact', 'run']);

function showPart(running: RunningText, messageId: string, part: ModelPart): void {
  if (part.type === 'text' || part.type === 'reasoning') {
    running.add(messageId, { part: part.part, kind: part.type, text: part.text });
  }
  if (part.type === 'tool_call') {
    const { callId, name } = part;
    running.add(messageId, {
      part: part.part,
      kind: 'tool_call',
      text: JSON.stringify(part.args ?? {}),
      call: { callId, name },
    });
  }
}

interface CompactInTurn {
  readonly run: TurnRun;
  readonly trigger: 'auto' | 'overflow';
  readonly model: Model;
}

/** A compaction that could not even start must not cost the turn: it counts as failed and the trim serves. */
async function compact(deps: TurnDeps, { run, trigger, model }: CompactInTurn): Promise<TurnOutcome> {
  const asked = {
    sessionId: run.sessionId,
    jobId: null,
    trigger,
    turnId: run.job.turnId,
    turnModel: model,
    by: null,
    focus: null,
    upToItemId: null,
    keepTail: false,
    clientRequestId: null,
    signal: run.signal,
  };
  try {
    const { outcome, reason } = await runCompaction(deps, asked);
    return { type: 'compacted', outcome, reason };
  } catch (error) {
    return { type: 'compacted', outcome: 'failed', reason: toErrorBody(error).body.error.code };
  }
}

async function runTool(deps: TurnDeps, run: TurnRun, call: RunCall): Promise<TurnOutcome> {
  const started = deps.elapsedMs();
  const loaded = await deps.writer.load(run.sessionId);
  const result = await answerCall(deps, { run, call, loaded });
  return { type: 'ran', callId: call.callId, result, ms: deps.elapsedMs() - started };
}

interface Calling {
  readonly run: TurnRun;
  readonly call: RunCall;
  readonly loaded: LoadedSession;
}

/** A tool that fails is a result, not the end of the turn (T3). */
async function answerCall(deps: TurnDeps, { run, call, loaded }: Calling) {
  const tool = findTool(call.name);
  const failed = (text: string) => ({
    parts: [{ type: 'text' as const, text }],
    isError: true,
    why: 'ran' as const,
    observed: [],
    events: [],
  });
  if (tool === null) return failed(`There is no tool called ${call.name}.`);
  try {
    return await tool.run(call.args, {
      state: loaded.session,
      callId: call.callId,
      workspace: deps.workspace,
      recallCapBytes: recallCap(deps, loaded.session),
      signal: run.signal,
    });
  } catch {
    return failed(`${call.name} failed unexpectedly. Nothing is known of what it did.`);
  }
}

/** Never above the result cap, so that what is read back is not cut again. */
function recallCap(deps: TurnDeps, session: SessionState): number {
  const context = readContext(deps, session);
  const prompt = session.keptPrompt ?? NO_BYTES;
  const view = projectView({ state: session, prompt, model: null, moment: 'step', cache: deps.renders });
  return Math.min(context.settings.tools.recall_cap_bytes, numbersOf(context, session, view.floor).resultCapBytes);
}

const NO_BYTES = { text: '', tools: [], sections: [], bytes: 0, toolsBytes: 0 };

function notice(deps: TurnDeps, sessionId: string, { code, text, data }: Extract<TurnCommand, { do: 'notice' }>): void {
  const said = { sessionId, level: 'warn' as const, code, text, data: { ...data } };
  deps.bus.publish({ event: { event: 'chat.notice', data: said }, sessionId, seq: null });
}
