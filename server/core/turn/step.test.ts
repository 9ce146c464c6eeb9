import { describe, expect, it } from 'vitest';
import { type NumberSettings, planNumbers } from '@/server/core/budget/numbers';
import type { NewEvent } from '@/server/core/log/new-event';
import { aLog, type LogBuilder } from '@/server/core/projection/log-builder';
import { projectView, untrimmedConversationBytes } from '@/server/core/projection/model-view';
import { composePrompt } from '@/server/core/prompt/compose';
import { STEP_LIMIT_TEXT } from '@/server/core/prompt/wording';
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

const near = { provider: 'near', model: 'small-1' };
const far = { provider: 'far', model: 'big-2' };
const usage = { input: 90, output: 8, cachedRead: null, cachedWrite: null, reasoning: null };
const settings: NumberSettings = {
  preset: 'roomy',
  triggerRatio: 0.85,
  tailRatio: 0.2,
  lowMarkRatio: 0.6,
  carryBoundBytes: 4_096,
  resultCapBytes: 16_384,
};
const prompt = composePrompt({ application: 'Be useful.', agent: null, skills: [], memories: [], tools: [] });

/** The real order of things without a clock: three tries for network and rate limit, then the next model. */
const retry: StepRetry = (position, { kind }) => {
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

const allow: ToolPolicy = { approval: 'allow', effects: false };
const ask: ToolPolicy = { approval: 'ask', effects: true };

interface Play {
  readonly log: LogBuilder;
  machine: TurnMachine;
  readonly commands: TurnCommand[];
  readonly budget: () => number;
}

/** A turn played against a real log: what the machine appends is appended, `look` is answered, the rest is told. */
function begin(log: LogBuilder, fields: Partial<TurnJob> = {}, budget: number | (() => number) = 100_000): Play {
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
    retry,
    ...fields,
  };
  const budgetOf = typeof budget === 'number' ? () => budget : budget;
  const first = startTurn(job, sceneOf(log, near, 'entry', budgetOf()));
  const play: Play = { log, machine: first.state, commands: [], budget: budgetOf };
  run(play, first);
  return play;
}

let ids = 0;

function sceneOf(
  log: LogBuilder,
  model: TurnMachine['model'],
  moment: 'entry' | 'step',
  budgetBytes: number,
): TurnScene {
  const state = log.state();
  const view = projectView({ state, prompt: state.keptPrompt ?? prompt, model, moment });
  const numbers = planNumbers({ budgetBytes, floor: view.floor, settings, thriftyTriggerBytes: null });
  const nextId = () => {
    ids += 1;
    return `01M${String(ids).padStart(23, '0')}`;
  };
  return { state, view, numbers, untrimmedBytes: untrimmedConversationBytes({ state, model }), nextId };
}

function run(play: Play, step: TurnStep): void {
  play.machine = step.state;
  for (const command of step.commands) {
    play.commands.push(command);
    if (command.do === 'append') for (const event of command.events) append(play.log, event);
    if (command.do === 'look') tell(play, { type: 'looked' });
  }
}

function append(log: LogBuilder, { type, ...fields }: NewEvent): void {
  log.append(type, fields as never);
}

function tell(play: Play, outcome: TurnOutcome): Play {
  const { log, machine } = play;
  run(play, stepTurn(machine, outcome, sceneOf(log, machine.model, machine.moment, play.budget())));
  return play;
}

function end(fields: Partial<ReplyEnd> = {}): ReplyEnd {
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

function trouble(kind: TroubleKind, fields: Partial<Trouble> = {}): Trouble {
  const nothing = { status: null, code: null, requestId: null, retryAfterMs: null };
  return { kind, text: '', ...nothing, reportedWindowTokens: null, reportedMaxOutputTokens: null, ...fields };
}

const collect = (parts: readonly ReplyPart[]): PartialReply => parts.reduce(collectReply, NO_REPLY);
const says = (text: string, fields: Partial<ReplyEnd> = {}): TurnOutcome => ({
  type: 'replied',
  reply: collect([{ type: 'text', part: 0, text }, end(fields)]),
  ms: 40,
});
const breaks = (kind: TroubleKind, text = 'half', fields: Partial<Trouble> = {}) =>
  says(text, { end: 'error', natural: false, rawEnd: null, trouble: trouble(kind, fields) });
const calls = (...names: readonly (string | readonly [string, string])[]): TurnOutcome => {
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
const result = (text: string, fields: Partial<ToolReturn> = {}): ToolReturn => ({
  parts: [{ type: 'text', text }],
  isError: false,
  why: 'ran',
  observed: [],
  events: [],
  ...fields,
});
const ran = (callId: string, text = 'done', fields: Partial<ToolReturn> = {}): TurnOutcome => ({
  type: 'ran',
  callId,
  result: result(text, fields),
  ms: 7,
});

const last = (play: Play) => play.commands.at(-1);
const types = (play: Play, from: string) => {
  const all = play.log.events().map((event) => event.type);
  return all.slice(all.lastIndexOf(from as never) + 1);
};
const waiting = (text = 'hello') => aLog().session().queues(text);

/** A conversation of about `kilo` thousand bytes with a message that waits. */
function longTalk(kilo: number): LogBuilder {
  const log = aLog();
  for (let turn = 0; turn < kilo / 2; turn += 1) log.says('q'.repeat(820)).replies('a'.repeat(820));
  return log.queues('go on');
}

describe('a turn', () => {
  it('contract 15: the first one keeps the prompt just before it starts', () => {
    const play = begin(waiting());
    expect(types(play, 'message.user')).toEqual(['prompt.kept', 'turn.started']);
    const second = begin(tell(play, says('Hi.')).log.queues('more'), { turnId: '01J000000000000000000000T1' });
    expect(types(second, 'message.user')).toEqual(['turn.started']);
  });

  it('T3: a whole reply is appended under the id it streamed with, then the turn ends', () => {
    const play = begin(waiting());
    const call = last(play);
    tell(play, says('Hi.'));
    const [reply, ended] = play.log.events().slice(-2);
    expect(call?.do === 'call' && call.messageId).toBe(reply?.id);
    expect(reply).toMatchObject({
      type: 'message.assistant',
      parts: [{ type: 'text', text: 'Hi.' }],
      end: 'stop',
      usage,
      step: 0,
    });
    expect(ended).toMatchObject({ type: 'turn.ended', outcome: 'finished', code: null, steps: 1 });
    expect(last(play)).toEqual({ do: 'done', outcome: 'finished' });
    expect(play.log.log().violations).toEqual([]);
  });

  it('case-B04: an end without a word is a failure that says so, never an empty message', () => {
    const play = begin(waiting());
    tell(play, says(' ', { natural: false, trouble: trouble('incomplete', { code: 'empty' }) }));
    expect(types(play, 'turn.started')).toEqual(['turn.ended']);
    expect(play.log.events().at(-1)).toMatchObject({ outcome: 'failed', code: 'provider_incomplete' });
  });

  it('case-D09: a real output limit is cut off, not an overflow', () => {
    const play = begin(waiting());
    tell(play, says('Half a', { end: 'length', rawEnd: 'length', natural: false }));
    expect(play.log.events().at(-2)).toMatchObject({ type: 'message.assistant', end: 'length' });
    expect(play.log.events().at(-1)).toMatchObject({ outcome: 'failed', code: 'provider_incomplete' });
  });

  it('case-D02: the text of a reply that broke off is kept, its calls are neither run nor stored', () => {
    const play = begin(waiting(), { chain: [near] });
    const half: ReplyPart[] = [
      { type: 'text', part: 0, text: 'The port is 74' },
      { type: 'tool_call', part: 1, callId: 'c1', name: 'read_file', args: {}, argsError: null },
      end({ end: 'error', rawEnd: 'weird', natural: false, trouble: trouble('incomplete') }),
    ];
    tell(play, { type: 'replied', reply: collect(half), ms: 1 });
    expect(play.log.events().at(-2)).toMatchObject({ end: 'error', parts: [{ type: 'text', text: 'The port is 74' }] });
    expect(play.log.log().violations).toEqual([]);
  });

  it('T3: the step limit withdraws the tools and asks for one last reply', () => {
    const play = begin(waiting(), { maxSteps: 1 });
    tell(play, calls('read_file'));
    tell(play, ran('c1'));
    const call = last(play);
    expect(call?.do === 'call' && call.request.tools).toEqual([]);
    expect(JSON.stringify(call)).toContain(STEP_LIMIT_TEXT);
    tell(play, says('So far so good.'));
    expect(play.log.events().at(-1)).toMatchObject({ outcome: 'finished', code: 'step_limit', steps: 2 });
  });
});

describe('tools of a turn', () => {
  it('contract 4: results stand in the order of the calls, each as soon as all before it are there', () => {
    const play = begin(waiting());
    tell(play, calls('read_file', 'read_file', 'read_file'));
    expect(last(play)).toMatchObject({ do: 'run', calls: [{ callId: 'c1' }, { callId: 'c2' }, { callId: 'c3' }] });
    tell(play, ran('c2', 'two'));
    expect(types(play, 'message.assistant')).toEqual([]);
    tell(play, ran('c1', 'one'));
    expect(types(play, 'message.assistant')).toEqual(['tool.result', 'tool.result']);
    tell(play, ran('c3', 'three'));
    const results = play.log.events().flatMap((event) => (event.type === 'tool.result' ? [event.parts] : []));
    expect(results.flat()).toMatchObject([{ text: 'one' }, { text: 'two' }, { text: 'three' }]);
    expect(last(play)?.do).toBe('call');
    expect(play.log.log().violations).toEqual([]);
  });

  it('L5: a plan set by a tool stands before its result and after the newest item', () => {
    const play = begin(waiting());
    tell(play, calls('read_file', 'read_file'));
    const plan: NewEvent = {
      type: 'plan.set',
      items: [{ id: '1', text: 'a', status: 'active' }],
      by: 'model',
      callId: 'c2',
    };
    tell(play, ran('c2', 'planned', { events: [plan] }));
    tell(play, ran('c1'));
    expect(types(play, 'message.assistant')).toEqual(['tool.result', 'plan.set', 'tool.result']);
    const [first, set] = play.log.events().slice(-3);
    expect(set).toMatchObject({ type: 'plan.set', after: first?.id });
    expect(play.log.log().violations).toEqual([]);
  });

  it('M4: a long result is capped for the view from its first appearance; the log keeps it whole', () => {
    const play = begin(waiting(), {}, 20_000);
    tell(play, calls('read_file'));
    tell(play, ran('c1', 'x'.repeat(9_000)));
    const event = play.log.events().findLast((line) => line.type === 'tool.result');
    expect(event).toMatchObject({ parts: [{ text: 'x'.repeat(9_000) }] });
    expect(event?.type === 'tool.result' && event.cap).toMatchObject({ headBytes: expect.any(Number) });
    expect(event?.type === 'tool.result' && (event.viewBytes ?? 0)).toBeLessThan(3_600);
  });

  it('T3: unknown tools and broken arguments are answered, not run, and end nothing', () => {
    const play = begin(waiting());
    tell(play, calls('no_such_tool', ['read_file', 'Unexpected end.']));
    const results = play.log.events().flatMap((event) => (event.type === 'tool.result' ? [event] : []));
    expect(results.map((event) => [event.why, event.isError])).toEqual([
      ['unknown_tool', true],
      ['invalid_arguments', true],
    ]);
    expect(last(play)?.do).toBe('call');
  });

  it('T2: a tool that asks parks the turn; the yes takes it up where it stood', () => {
    const play = begin(waiting());
    tell(play, calls('read_file', 'write_file', 'read_file'));
    expect(last(play)).toMatchObject({ do: 'run', calls: [{ callId: 'c1' }] });
    tell(play, ran('c1'));
    expect(types(play, 'message.assistant')).toEqual(['approval.asked', 'tool.result', 'turn.parked']);
    expect(last(play)).toEqual({ do: 'done', outcome: 'parked' });

    const asked = play.log.events().findLast((event) => event.type === 'approval.asked');
    if (asked?.type !== 'approval.asked') throw new TypeError('not asked');
    play.log.append('approval.decided', { callId: 'c2', argsHash: asked.argsHash, decision: 'approve', by: 'ada' });
    const resumed = begin(play.log, { why: 'approval', messageId: null });
    expect(last(resumed)).toMatchObject({ do: 'run', calls: [{ callId: 'c2' }, { callId: 'c3' }] });
    expect(types(resumed, 'turn.started')).toEqual(['tool.started']);
    tell(resumed, ran('c3'));
    tell(resumed, ran('c2'));
    expect(last(resumed)?.do).toBe('call');
    expect(resumed.log.log().violations).toEqual([]);
  });

  it('T2: a no is a result, and a yes for the conversation is not asked again', () => {
    const play = begin(waiting());
    tell(play, calls('write_file'));
    const asked = play.log.events().findLast((event) => event.type === 'approval.asked');
    if (asked?.type !== 'approval.asked') throw new TypeError('not asked');
    const decided = { callId: 'c1', argsHash: asked.argsHash, by: 'ada' } as const;
    play.log.append('approval.decided', { ...decided, decision: 'deny' });
    const resumed = begin(play.log, { why: 'approval', messageId: null });
    const denied = play.log.events().findLast((event) => event.type === 'tool.result');
    expect(denied).toMatchObject({ why: 'denied', parts: [{ text: 'The person did not allow this.' }] });

    tell(resumed, calls('write_file'));
    const again = play.log.events().findLast((event) => event.type === 'approval.asked');
    if (again?.type !== 'approval.asked') throw new TypeError('not asked');
    play.log.append('approval.decided', {
      ...decided,
      argsHash: again.argsHash,
      decision: 'approve',
      scope: 'conversation',
    });
    const third = begin(play.log, { why: 'approval', messageId: null });
    tell(third, ran('c1'));
    tell(third, calls('write_file'));
    expect(last(third)).toMatchObject({ do: 'run', calls: [{ callId: 'c1' }] });
  });
});

describe('troubles of a model call', () => {
  it('contract 10, C9: tried again with the partial text dropped, then the next model, said in the transcript (G2)', () => {
    const play = begin(waiting());
    for (let tries = 0; tries < 2; tries += 1) {
      tell(play, breaks('rate_limit'));
      expect(last(play)).toEqual({ do: 'wait', ms: 1_000 });
      tell(play, { type: 'waited' });
    }
    tell(play, breaks('rate_limit'));
    const call = last(play);
    expect(call?.do === 'call' && call.model).toEqual(far);
    tell(play, says('Hi from far.'));
    expect(types(play, 'turn.started')).toEqual(['note', 'note', 'note', 'message.assistant', 'turn.ended']);
    expect(play.log.events().findLast((event) => event.type === 'note')).toMatchObject({
      kind: 'failover',
      text: 'near is limiting requests. Continuing with big-2.',
    });
    expect(play.log.events().at(-2)).toMatchObject({ model: far });
    expect(play.commands.filter((command) => command.do === 'reset')).toHaveLength(3);
  });

  it('contract 10: a refusal ends the turn; the last partial of a spent chain is kept', () => {
    const refused = begin(waiting());
    tell(refused, says('', { end: 'refusal', rawEnd: 'refusal', natural: false, trouble: trouble('refusal') }));
    expect(refused.log.events().at(-1)).toMatchObject({ outcome: 'failed', code: 'provider_refusal' });
    const spent = begin(waiting(), { chain: [near] });
    tell(spent, breaks('auth', 'part of it', { status: 401 }));
    expect(spent.log.events().at(-2)).toMatchObject({ end: 'error', parts: [{ text: 'part of it' }] });
    expect(spent.log.events().at(-1)).toMatchObject({ code: 'provider_auth', detail: { status: 401 } });
  });

  it('T3: stop keeps what was said, answers what ran, and ends the turn from anywhere', () => {
    const speaking = begin(waiting());
    tell(speaking, {
      type: 'stopped',
      why: 'cancelled',
      reply: collect([{ type: 'text', part: 0, text: 'I was' }]),
      ms: 9,
    });
    expect(speaking.log.events().at(-2)).toMatchObject({ end: 'cancelled', parts: [{ text: 'I was' }] });
    expect(speaking.log.events().at(-1)).toMatchObject({ outcome: 'cancelled', code: 'cancelled' });

    const running = begin(waiting());
    tell(running, calls('read_file', 'read_file'));
    tell(running, ran('c2', 'two'));
    tell(running, { type: 'stopped', why: 'interrupted', reply: null, ms: 0 });
    const results = running.log.events().flatMap((event) => (event.type === 'tool.result' ? [event.why] : []));
    expect(results).toEqual(['interrupted', 'ran']);
    expect(running.log.log().violations).toEqual([]);
    expect(stepTurn(running.machine, { type: 'waited' }, sceneOf(running.log, near, 'step', 9_000)).commands).toEqual(
      [],
    );
  });
});

describe('before a model call', () => {
  const commits = (play: Play, covers: number) => {
    play.log.compacts({ covers, trigger: 'auto' });
    tell(play, { type: 'compacted', outcome: 'committed', reason: null });
  };

  it('C1: over the trigger it compacts first, the message being answered counted', () => {
    const play = begin(longTalk(18), {}, 20_000);
    expect(last(play)).toEqual({ do: 'compact', trigger: 'auto' });
    commits(play, 16);
    expect(last(play)?.do).toBe('call');
    expect(begin(longTalk(14), {}, 20_000).commands.at(-1)?.do).toBe('call');
  });

  it('C10: after a failed one the trim serves, and no other is tried in this turn', () => {
    const play = begin(longTalk(24), {}, 20_000);
    play.log.triesToCompact('failed', 'auto');
    tell(play, { type: 'compacted', outcome: 'failed', reason: 'auth' });
    expect(types(play, 'compaction.ended')).toEqual(['view.trimmed']);
    expect(last(play)?.do).toBe('call');
    tell(play, calls('read_file'));
    tell(play, ran('c1', 'y'.repeat(4_000)));
    expect(play.commands.filter((command) => command.do === 'compact')).toHaveLength(1);
    expect(last(play)?.do).toBe('call');

    const next = begin(tell(play, says('Done.')).log.queues('more'), { turnId: '01J000000000000000000000T1' }, 20_000);
    expect(last(next)).toEqual({ do: 'compact', trigger: 'auto' });
  });

  it('C1: with automatic compaction off only the room trims (B4)', () => {
    const play = begin(longTalk(24), { autoCompaction: false }, 20_000);
    expect(play.commands.filter((command) => command.do === 'compact')).toEqual([]);
    expect(types(play, 'turn.started')).toEqual(['view.trimmed']);
    const call = last(play);
    expect(call?.do === 'call' && call.request.measureBytes).toBeLessThanOrEqual(20_000);
  });

  it('C10: the third refill in a row ends automatic compaction for the turn and says why', () => {
    let budget = 20_000;
    const play = begin(longTalk(18), {}, () => budget);
    for (let round = 1; round <= 3; round += 1) {
      expect(last(play)).toEqual({ do: 'compact', trigger: 'auto' });
      budget = 200_000;
      commits(play, play.log.state().items.length - 1);
      tell(play, calls('read_file'));
      budget = 3_000;
      tell(play, ran('c1', 'z'.repeat(4_000)));
    }
    expect(play.log.events().some((event) => event.type === 'note' && event.kind === 'refill_stop')).toBe(true);
    expect(last(play)?.do).toBe('call');
    expect(play.commands.filter((command) => command.do === 'compact')).toHaveLength(3);
  });

  it('B2: nothing to compact against a floor too big is said once, with its parts', () => {
    const play = begin(longTalk(18), {}, 20_000);
    tell(play, { type: 'compacted', outcome: 'nothing', reason: 'floor_too_big' });
    tell(play, calls('read_file'));
    tell(play, ran('c1', 'y'.repeat(3_000)));
    const notices = play.commands.filter((command) => command.do === 'notice');
    expect(notices).toMatchObject([{ code: 'floor_too_large', data: { parts: expect.any(Array) } }]);
    expect(play.commands.filter((command) => command.do === 'compact')).toHaveLength(1);
  });

  it('C10: a real overflow compacts once a turn, then trims to the low mark for one more call, then fails', () => {
    const play = begin(longTalk(10), {}, 100_000);
    tell(play, breaks('context', '', { reportedWindowTokens: 4_096 }));
    expect(last(play)).toEqual({ do: 'compact', trigger: 'overflow' });
    play.log.triesToCompact('failed', 'manual');
    tell(play, { type: 'compacted', outcome: 'failed', reason: 'network' });
    expect(play.log.events().at(-1)?.type).toBe('view.trimmed');
    expect(last(play)?.do).toBe('call');
    tell(play, breaks('context', ''));
    expect(play.log.events().at(-1)).toMatchObject({ outcome: 'failed', code: 'provider_context' });
    expect(play.log.events().some((event) => event.type === 'note' && event.kind === 'window')).toBe(true);
  });

  it('case-D09: after a successful recovery the same call is made once more', () => {
    const play = begin(longTalk(10), {}, 100_000);
    tell(play, breaks('context', ''));
    commits(play, 8);
    expect(last(play)?.do).toBe('call');
    tell(play, says('There.'));
    expect(play.log.events().at(-1)).toMatchObject({ outcome: 'finished' });
  });

  it('contract 11: a trim is lifted at turn entry when the model changed and all fits again', () => {
    const log = longTalk(8);
    log.trims({ 1: 'drop' });
    const same = begin(log, { chain: [{ provider: 'practice', model: 'rules-1' }] });
    expect(types(same, 'turn.started')).toEqual([]);
    const changed = begin(tell(same, says('ok')).log.queues('again'), { turnId: '01J000000000000000000000T1' });
    expect(types(changed, 'turn.started')).toEqual(['view.untrimmed']);
    expect(last(changed)?.do).toBe('call');
  });
});
