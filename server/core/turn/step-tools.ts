import { createHash } from 'node:crypto';
import type { FieldsOf } from '@/server/contract/events/event';
import { isRecord } from '@/server/contract/is-record';
import { toJson } from '@/server/core/budget/json-bytes';
import { measureItem, planResultCap } from '@/server/core/budget/measure-item';
import type { NewEvent } from '@/server/core/log/new-event';
import { isAssistantItem } from '@/server/core/projection/model-view-groups';
import type { SessionState } from '@/server/core/projection/state-shape';
import { decideApproval, toApprovalAsked } from './approvals';
import type { ReplyCall } from './model-call';
import type {
  FinishedCall,
  RunCall,
  ToolReturn,
  TurnCommand,
  TurnMachine,
  TurnOutcome,
  TurnScene,
  TurnStep,
} from './step-shape';

/** The calls of the turn's newest reply, and those of them that have results. */
export interface OpenBatch {
  readonly calls: readonly ReplyCall[];
  readonly answered: readonly string[];
}

/** The batch of a turn that still waits for results; null: there is none. */
export function findOpenBatch(state: SessionState, turnId: string): OpenBatch | null {
  const message = state.items.findLast(isAssistantItem);
  if (message === undefined || message.turnId !== turnId || message.event.end !== 'tool_calls') return null;
  const calls = message.event.parts.flatMap((part, index): readonly ReplyCall[] =>
    part.type === 'tool_call'
      ? [{ ...part, part: index, args: part.args ?? null, argsError: isRecord(part.args) ? null : '' }]
      : [],
  );
  const ids = new Set(calls.map((call) => call.callId));
  const answered = state.items.flatMap(({ number, event }) =>
    number > message.number && event.type === 'tool.result' && ids.has(event.callId) ? [event.callId] : [],
  );
  // By id, not by count: in an older log two calls may share one, and its result answers both.
  return calls.every(({ callId }) => answered.includes(callId)) ? null : { calls, answered };
}

/**
 * Begins a batch, or goes on with one: calls that cannot run are answered, those that may are run side by side up to
 * the first that waits for a person (results keep the order of the calls), and that person is asked at once.
 */
export function beginBatch(machine: TurnMachine, batch: OpenBatch, scene: TurnScene): TurnStep {
  const calls = batch.calls.map((call) => machine.calls.find((known) => known.callId === call.callId) ?? call);
  const finished = new Map(machine.finished);
  const run: RunCall[] = [];
  for (const call of calls) {
    if (batch.answered.includes(call.callId) || finished.has(call.callId)) continue;
    const answer = answerWithoutRunning(machine, call, scene);
    if (answer === 'ask') break;
    if (answer !== null) finished.set(call.callId, { result: answer, ms: 0 });
    else run.push({ callId: call.callId, name: call.name, args: call.args });
  }
  const running = run.map((call) => call.callId);
  const started: TurnMachine = { ...machine, phase: 'running', calls, running, finished, answered: batch.answered };
  const flushed = flush(started, scene);
  const asking = findAsking(flushed.state, scene);
  const asked = asking.flatMap((call) => toApprovalAsked(scene.state, call, hashArgs(call.args)));
  const events = [...toStarts(machine, run), ...flushed.events, ...asked];
  const append: readonly TurnCommand[] = events.length === 0 ? [] : [{ do: 'append', events }];
  if (run.length > 0) return { state: flushed.state, commands: [...append, { do: 'run', calls: run }] };
  return settle(flushed.state, append, scene);
}

function toStarts({ job }: TurnMachine, run: readonly RunCall[]): readonly NewEvent[] {
  const effective = run.filter((call) => job.tools.get(call.name)?.effects === true);
  return effective.map(({ callId, name }) => ({ type: 'tool.started', callId, name }));
}

/** Open calls that a person has not decided about. */
function findAsking(machine: TurnMachine, scene: TurnScene): readonly ReplyCall[] {
  const open = machine.calls.filter(
    ({ callId }) => !machine.answered.includes(callId) && !machine.finished.has(callId),
  );
  return open.filter((call) => answerWithoutRunning(machine, call, scene) === 'ask');
}

/** One call is done: its result waits for those before it, and all that can be appended is. */
export function finishCall(
  machine: TurnMachine,
  { callId, result, ms }: Extract<TurnOutcome, { type: 'ran' }>,
  scene: TurnScene,
): TurnStep {
  const isOpen = machine.calls.some((call) => call.callId === callId) && !machine.answered.includes(callId);
  if (!isOpen || machine.finished.has(callId)) return { state: machine, commands: [] };
  const finished = new Map(machine.finished).set(callId, { result, ms });
  const running = machine.running.filter((id) => id !== callId);
  const flushed = flush({ ...machine, finished, running }, scene);
  const append: readonly TurnCommand[] = flushed.events.length === 0 ? [] : [{ do: 'append', events: flushed.events }];
  return settle(flushed.state, append, scene);
}

/** Results for every open call of a turn that is stopped: finished ones as they are, the rest say what became of them. */
export function closeBatch(
  machine: TurnMachine,
  why: 'cancelled' | 'interrupted',
  scene: TurnScene,
): readonly NewEvent[] {
  const open = findOpenBatch(scene.state, machine.job.turnId);
  if (open === null) return [];
  const finished = new Map<string, FinishedCall>();
  for (const { callId, name } of open.calls) {
    const known = machine.finished.get(callId);
    finished.set(callId, known ?? { result: stoppedResult(scene.state, { callId, name, why }), ms: 0 });
  }
  return flush({ ...machine, calls: open.calls, finished, answered: open.answered }, scene).events;
}

/** What a call that was stopped answers; after `tool.started` nobody knows whether it did its work. */
export function stoppedResult(state: SessionState, { callId, name, why, what }: StoppedCall): ToolReturn {
  const started = state.path.some(
    (event) => !('unknown' in event) && event.type === 'tool.started' && event.callId === callId,
  );
  const rest = started ? 'It may have run; check before calling it again.' : 'It brought no result.';
  return toReturn(`${name} ${what ?? STOPPED[why]}. ${rest}`, why);
}

export interface StoppedCall {
  readonly callId: string;
  readonly name: string;
  readonly why: 'cancelled' | 'interrupted';
  /** What happened to it in other words than those of `why`. */
  readonly what?: string | undefined;
}

const STOPPED = {
  cancelled: 'was stopped by the person',
  interrupted: 'was interrupted: the server stopped',
} as const;

/** Results whose predecessors are all there, each after what belongs to it (`contract.md` 2, Point). */
function flush(
  machine: TurnMachine,
  scene: TurnScene,
): { readonly state: TurnMachine; readonly events: readonly NewEvent[] } {
  const answered = [...machine.answered];
  const events: NewEvent[] = [];
  for (const call of machine.calls) {
    if (answered.includes(call.callId)) continue;
    const done = machine.finished.get(call.callId);
    if (done === undefined) break;
    events.push(...bindPlans(done.result.events, scene, events), toResult(call, done, scene));
    answered.push(call.callId);
  }
  return { state: { ...machine, answered }, events };
}

/** `plan.set.after` is the newest item at its line: a result of this batch, or what stood there before (L5). */
function bindPlans(own: readonly NewEvent[], { state }: TurnScene, before: readonly NewEvent[]): readonly NewEvent[] {
  const result = before.findLast((event) => event.type === 'tool.result');
  const newest = result?.id ?? state.items.at(-1)?.id ?? null;
  return own.map((event) => (event.type === 'plan.set' ? { ...event, after: newest } : event));
}

function toResult({ callId, name }: ReplyCall, { result, ms }: FinishedCall, scene: TurnScene): NewEvent {
  const parts = [...result.parts];
  const cap = planResultCap({ parts }, scene.numbers.resultCapBytes);
  const { bytes, viewBytes } = measureItem({ type: 'tool.result', callId, name, parts, isError: result.isError, cap });
  return {
    type: 'tool.result',
    id: scene.nextId(),
    callId,
    name,
    parts,
    isError: result.isError,
    why: result.why,
    observed: [...result.observed],
    cap,
    ms: Math.max(0, Math.round(ms)),
    bytes,
    viewBytes,
  };
}

/**
 * All answered: the next model call is decided. Some still run: wait. None runs and the next one asks: park. The next
 * one was decided meanwhile: go on with the batch.
 */
function settle(machine: TurnMachine, commands: readonly TurnCommand[], scene: TurnScene): TurnStep {
  const [next] = machine.calls.filter((call) => !machine.answered.includes(call.callId));
  if (next === undefined) {
    const done = { phase: 'deciding', calls: [], running: [], finished: new Map(), answered: [] } as const;
    return { state: { ...machine, ...done }, commands: [...commands, { do: 'look' }] };
  }
  if (machine.running.length > 0) return { state: machine, commands };
  const asking = findAsking(machine, scene);
  if (asking.includes(next)) return park(machine, commands, asking);
  const step = beginBatch(machine, { calls: machine.calls, answered: machine.answered }, scene);
  return { state: step.state, commands: [...commands, ...step.commands] };
}

/** Frees the key, so that `/compact` works meanwhile; the wait survives reload and restart (T2, `contract.md` 14). */
function park(machine: TurnMachine, commands: readonly TurnCommand[], asking: readonly ReplyCall[]): TurnStep {
  const waiting = asking.map((call) => call.callId);
  const parked: NewEvent = { type: 'turn.parked', turnId: machine.job.turnId, waiting };
  const ended: readonly TurnCommand[] = [
    { do: 'append', events: [parked] },
    { do: 'done', outcome: 'parked' },
  ];
  return { state: { ...machine, phase: 'done' }, commands: [...commands, ...ended] };
}

/** Null: it may run now. `ask`: a person has not decided yet. Else the result that says why it does not run. */
function answerWithoutRunning(machine: TurnMachine, call: ReplyCall, { state }: TurnScene): ToolReturn | 'ask' | null {
  if (call.argsError !== null)
    return toReturn(`The arguments were no JSON object. ${call.argsError}`.trim(), 'invalid_arguments');
  const policy = machine.job.tools.get(call.name);
  if (policy === undefined) {
    const withdrawn = state.keptPrompt?.tools.some((tool) => tool.name === call.name) ?? false;
    const text = withdrawn ? 'is no longer available' : 'does not exist here';
    const names = [...machine.job.tools.keys()].join(', ');
    return toReturn(`The tool ${call.name} ${text}. There are: ${names === '' ? 'none' : names}.`, 'unknown_tool');
  }
  const decision = decideApproval(state, { call, policy, argsHash: hashArgs(call.args) });
  return decision === 'run' ? null : decision === 'ask' ? 'ask' : toReturn(DENIED, 'denied');
}

const DENIED = 'The person did not allow this.';

function toReturn(text: string, why: FieldsOf<'tool.result'>['why']): ToolReturn {
  return { parts: [{ type: 'text', text }], isError: true, why, observed: [], events: [] };
}

/** What exactly was asked for: a decision about other arguments is no decision. */
export function hashArgs(args: unknown): string {
  return createHash('sha256').update(toJson(args)).digest('hex');
}
