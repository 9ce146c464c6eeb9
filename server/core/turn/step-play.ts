import { type NumberSettings, planNumbers } from '@/server/core/budget/numbers';
import { aLog, type LogBuilder } from '@/server/core/projection/log-builder';
import { projectView, untrimmedConversationBytes } from '@/server/core/projection/model-view';
import { composePrompt } from '@/server/core/prompt/compose';
import { collectReply, NO_REPLY, type PartialReply } from './collect-reply';
import type { ReplyEnd, ReplyPart, StepRetry, Trouble, TroubleKind } from './model-call';
import { startTurn, stepTurn } from './step';
import type {
  ToolPolicy,
  ToolReturn,
  TurnCommand,
  TurnJob,
  TurnMachine,
  TurnOutcome,
  TurnScene,
  TurnStep,
} from './step-shape';

/* Plays a turn for tests, against a built log: word-like outcomes in, commands and lines out. */

export const near = { provider: 'near', model: 'small-1' };
export const far = { provider: 'far', model: 'big-2' };
export const usage = { input: 90, output: 8, cachedRead: null, cachedWrite: null, reasoning: null };
export const settings: NumberSettings = {
  preset: 'roomy',
  triggerRatio: 0.85,
  tailRatio: 0.2,
  lowMarkRatio: 0.6,
  carryBoundBytes: 4_096,
  resultCapBytes: 16_384,
};
export const prompt = composePrompt({ application: 'Be useful.', agent: null, skills: [], memories: [], tools: [] });

/** The real order of things without a clock: three tries for network and rate limit, then the next model. */
export const retry: StepRetry = (position, { kind }) => {
  const model = position.chain[position.index] ?? near;
  const next = position.chain[position.index + 1];
  const again = kind === 'network' || kind === 'rate_limit';
  if (again && position.triesUsed < 3) {
    return { state: { ...position, triesUsed: position.triesUsed + 1 }, command: { do: 'wait', model, waitMs: 1_000 } };
  }
  const advances = again || kind === 'auth' || kind === 'overload';
  if (!advances || next === undefined) return { state: position, command: { do: 'give_up', why: 'exhausted' } };
  const state = { ...position, index: position.index + 1, triesUsed: 1 };
  return { state, command: { do: 'advance', from: model, model: next } };
};

export const allow: ToolPolicy = { approval: 'allow', effects: false };
export const ask: ToolPolicy = { approval: 'ask', effects: true };

export interface Play {
  readonly log: LogBuilder;
  machine: TurnMachine;
  readonly commands: TurnCommand[];
  readonly budget: () => number;
}

/** A turn played against a real log: what the machine appends is appended, `look` is answered, the rest is told. */
export function begin(log: LogBuilder, fields: Partial<TurnJob> = {}, budget: number | (() => number) = 100_000): Play {
  const job: TurnJob = {
    turnId: '01J000000000000000000000T0',
    messageId: log.state().queue[0]?.id ?? null,
    why: 'message',
    chain: [near, far],
    prompt,
    promptEventId: '01J000000000000000000000P0',
    tools: new Map([
      ['read_file', allow],
      ['write_file', ask],
    ]),
    maxSteps: 50,
    autoCompaction: true,
    defersAfterFailure: true,
    retry,
    ...fields,
  };
  const budgetOf = typeof budget === 'number' ? () => budget : budget;
  const first = startTurn(job, sceneOf(log, near, 'entry', budgetOf()));
  const play: Play = { log, machine: first.state, commands: [], budget: budgetOf };
  run(play, first);
  return play;
}

/** What the machine sees of this log. */
export function sceneOf(
  log: LogBuilder,
  model: TurnMachine['model'],
  moment: 'entry' | 'step',
  budgetBytes: number,
): TurnScene {
  const state = log.state();
  const view = projectView({ state, prompt: state.keptPrompt ?? prompt, model, moment });
  const numbers = planNumbers({ budgetBytes, floor: view.floor, settings, thriftyTriggerBytes: null });
  let given = state.path.length * 100;
  const nextId = () => {
    given += 1;
    return `01M${String(given).padStart(23, '0')}`;
  };
  return { state, view, numbers, untrimmedBytes: untrimmedConversationBytes({ state, model }), nextId };
}

/** Does what a step commands: appends, and keeps the commands. */
export function run(play: Play, step: TurnStep): void {
  play.machine = step.state;
  for (const command of step.commands) {
    play.commands.push(command);
    if (command.do === 'append') for (const event of command.events) play.log.appends(event);
    if (command.do === 'look') tell(play, { type: 'looked' });
  }
}

/** Tells the machine an outcome and does what follows. */
export function tell(play: Play, outcome: TurnOutcome): Play {
  const { log, machine } = play;
  run(play, stepTurn(machine, outcome, sceneOf(log, machine.model, machine.moment, play.budget())));
  return play;
}

/** A natural end. */
export function end(fields: Partial<ReplyEnd> = {}): ReplyEnd {
  return {
    type: 'end',
    end: 'stop',
    rawEnd: 'stop',
    natural: true,
    usage,
    requestBytes: 500,
    ceiling: null,
    trouble: null,
    ...fields,
  };
}

/** A trouble of this kind. */
export function trouble(kind: TroubleKind, fields: Partial<Trouble> = {}): Trouble {
  const nothing = { status: null, code: null, requestId: null, retryAfterMs: null };
  return { kind, text: '', ...nothing, reportedWindowTokens: null, reportedMaxOutputTokens: null, ...fields };
}

/** Parts as the reply they make. */
export const collect = (parts: readonly ReplyPart[]): PartialReply => parts.reduce(collectReply, NO_REPLY);
/** A whole reply. */
export const says = (text: string, fields: Partial<ReplyEnd> = {}): TurnOutcome => ({
  type: 'replied',
  reply: collect([{ type: 'text', part: 0, text }, end(fields)]),
  ms: 40,
});
/** A reply that broke off. */
export const breaks = (kind: TroubleKind, text = 'half', fields: Partial<Trouble> = {}) =>
  says(text, { end: 'error', natural: false, rawEnd: null, trouble: trouble(kind, fields) });
/** A reply that calls tools, ids c1, c2 and on; a pair is a name and what is wrong with its arguments. */
export const calls = (...names: readonly (string | readonly [string, string])[]): TurnOutcome => {
  const parts = names.map((named, part): ReplyPart => {
    const [name, argsError] = typeof named === 'string' ? [named, null] : named;
    return { type: 'tool_call', part, callId: `c${part + 1}`, name, args: { n: part }, argsError };
  });
  return {
    type: 'replied',
    reply: collect([...parts, end({ end: 'tool_calls', rawEnd: 'tool_calls', natural: false })]),
    ms: 40,
  };
};
/** What a tool brings. */
export const result = (text: string, fields: Partial<ToolReturn> = {}): ToolReturn => ({
  parts: [{ type: 'text', text }],
  isError: false,
  why: 'ran',
  observed: [],
  events: [],
  ...fields,
});
/** A tool has run. */
export const ran = (callId: string, text = 'done', fields: Partial<ToolReturn> = {}): TurnOutcome => ({
  type: 'ran',
  callId,
  result: result(text, fields),
  ms: 7,
});

/** The newest command. */
export const last = (play: Play) => play.commands.at(-1);
/** Types of the lines after the newest one of a type. */
export const types = (play: Play, from: string): readonly string[] => {
  const all: readonly string[] = play.log.events().map((event) => event.type);
  return all.slice(all.lastIndexOf(from) + 1);
};
/** A conversation in which one message waits. */
export const waiting = (text = 'hello') => aLog().session().queues(text);

/** A conversation of about `kilo` thousand bytes with a message that waits. */
export function longTalk(kilo: number): LogBuilder {
  const log = aLog();
  for (let turn = 0; turn < kilo / 2; turn += 1) log.says('q'.repeat(820)).replies('a'.repeat(820));
  return log.queues('go on');
}
