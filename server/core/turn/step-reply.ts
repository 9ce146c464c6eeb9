import type { NewEvent } from '@/server/core/log/new-event';
import { endOf, textOf } from './collect-reply';
import { explainChange, explainTrouble } from './explain';
import { readTurnLedger } from './ledger';
import { type ReplyEnd, SMALLER_WINDOW, type Trouble, toDetail } from './model-call';
import { trimForOverflow } from './step-decide';
import { endTurn, toAssistant } from './step-end';
import type { TurnCommand, TurnMachine, TurnOutcome, TurnScene, TurnStep } from './step-shape';

type Replied = Extract<TurnOutcome, { type: 'replied' }>;

/** What follows a model call, by how it ended. Calls run only after a whole reply that ends in calls. */
export function judgeReply(machine: TurnMachine, replied: Replied, scene: TurnScene): TurnStep {
  const end = endOf(replied.reply);
  const { trouble } = end;
  if (trouble !== null && (trouble.kind === 'context' || trouble.kind === 'too_large')) {
    return recoverFromOverflow(machine, { ...replied, trouble }, scene);
  }
  switch (end.end) {
    case 'tool_calls':
      return machine.isLast ? finish(machine, replied) : takeCalls(machine, replied);
    case 'stop':
      return trouble === null ? finish(machine, replied) : fail(machine, replied, trouble);
    case 'length':
      return cutOff(machine, replied);
    default:
      return afterTrouble(machine, { ...replied, trouble: trouble ?? unexplained(end) });
  }
}

/** A reply without a reason is what an adapter should never hand on; it is said as it is. */
function unexplained({ end, rawEnd }: ReplyEnd): Trouble {
  const kind = end === 'refusal' ? 'refusal' : end === 'cancelled' ? 'cancelled' : 'unknown';
  const nothing = { status: null, requestId: null, retryAfterMs: null };
  return { kind, code: rawEnd, text: '', ...nothing, reportedWindowTokens: null, reportedMaxOutputTokens: null };
}

/** A whole reply, or the last one after the step limit. */
function finish(machine: TurnMachine, { reply, ms }: Replied): TurnStep {
  const spoken = toAssistant(machine, { reply, ms, end: 'stop' });
  const events = spoken === null ? [] : [spoken];
  if (!machine.isLast) return endTurn(machine, { outcome: 'finished', events });
  const text = `All ${machine.job.maxSteps} steps of this turn were used.`;
  return endTurn(machine, { outcome: 'finished', code: 'step_limit', text, events });
}

/** The reply is appended first; its calls are found again in the state, as those of a parked turn are. */
function takeCalls(machine: TurnMachine, { reply, ms }: Replied): TurnStep {
  const spoken = toAssistant(machine, { reply, ms, end: 'tool_calls' });
  const next: TurnMachine = {
    ...afterReply(machine),
    calls: reply.calls,
    running: [],
    finished: new Map(),
    answered: [],
  };
  const events = spoken === null ? [] : [spoken];
  return { state: next, commands: [{ do: 'append', events }, { do: 'look' }] };
}

/** A reply came: the chain starts anew at the model in use, and another compaction may be decided. */
function afterReply(machine: TurnMachine): TurnMachine {
  return {
    ...machine,
    phase: 'deciding',
    steps: machine.steps + 1,
    moment: 'step',
    triedToCompact: false,
    callsSinceCommit: machine.callsSinceCommit === null ? null : machine.callsSinceCommit + 1,
    overflow: machine.overflow === 'trimmed' ? 'compacted' : machine.overflow,
    position: { ...machine.position, triesUsed: 1 },
    messageId: null,
  };
}

/** The output limit was reached: no overflow, and no natural end either (case-D09). */
function cutOff(machine: TurnMachine, { reply, ms }: Replied): TurnStep {
  const spoken = toAssistant(machine, { reply, ms, end: 'length' });
  const text = 'The reply reached the output limit of the model and was cut off. Continue to go on from there.';
  return endTurn(machine, {
    outcome: 'failed',
    code: 'provider_incomplete',
    text,
    events: spoken === null ? [] : [spoken],
  });
}

type Troubled = Replied & { readonly trouble: Trouble };

/** Another try, the next model, or the end (`contract.md` 10). Partial text is dropped before each (C9). */
function afterTrouble(machine: TurnMachine, troubled: Troubled): TurnStep {
  const { trouble } = troubled;
  const { state: position, command } = machine.job.retry(machine.position, trouble);
  const reset = resetOf(machine);
  const provider = machine.model.provider;
  if (command.do === 'wait') {
    const seconds = Math.max(1, Math.round(command.waitMs / 1_000));
    const text = `${explainChange(trouble, provider)}. Trying again in ${seconds} s.`;
    const note: NewEvent = { type: 'note', kind: 'retry', text, data: { model: machine.model, reason: trouble.kind } };
    const next: TurnMachine = { ...machine, phase: 'waiting', position, messageId: null };
    return { state: next, commands: [...reset, { do: 'append', events: [note] }, { do: 'wait', ms: command.waitMs }] };
  }
  if (command.do === 'advance') {
    const { from, model } = command;
    const text = `${explainChange(trouble, provider)}. Continuing with ${model.model}.`;
    const note: NewEvent = { type: 'note', kind: 'failover', text, data: { from, to: model, reason: trouble.kind } };
    const next: TurnMachine = { ...machine, phase: 'deciding', position, model, messageId: null };
    return { state: next, commands: [...reset, { do: 'append', events: [note] }, { do: 'look' }] };
  }
  return fail(machine, troubled, trouble);
}

/** The last partial of an exhausted chain is kept (`contract.md` 10). */
function fail(machine: TurnMachine, { reply, ms }: Replied, trouble: Trouble): TurnStep {
  const end = trouble.kind === 'refusal' ? 'refusal' : 'error';
  const spoken = textOf(reply).trim() === '' ? null : toAssistant(machine, { reply, ms, end });
  const reset = spoken === null ? resetOf(machine) : [];
  const said = explainTrouble(trouble, machine.model.provider);
  const events = spoken === null ? [] : [spoken];
  const step = endTurn(machine, { outcome: 'failed', ...said, detail: toDetail(trouble), events });
  return { state: step.state, commands: [...reset, ...step.commands] };
}

/**
 * A real context-window error: compacted once a turn, also while threshold-triggered attempts are deferred; then
 * trimmed to the low mark for one more call; then the turn fails (C10, `contract.md` 11).
 */
function recoverFromOverflow(machine: TurnMachine, troubled: Troubled, scene: TurnScene): TurnStep {
  const { overflow, job } = machine;
  const reset = resetOf(machine);
  const noted: readonly TurnCommand[] = [...reset, ...noteWindow(machine, troubled.trouble)];
  const mayCompact = overflow === 'none' && job.autoCompaction && !readTurnLedger(scene.state).overflowUsed;
  if (mayCompact) {
    const doing = { phase: 'compacting', compacting: 'overflow', overflow: 'compacted', messageId: null } as const;
    const state: TurnMachine = { ...machine, ...doing };
    return { state, commands: [...noted, { do: 'compact', trigger: 'overflow' }] };
  }
  const trimmed = overflow === 'trimmed' ? null : trimForOverflow({ ...machine, messageId: null }, scene);
  if (trimmed !== null) return { state: trimmed.state, commands: [...noted, ...trimmed.commands] };
  const step = fail(machine, troubled, troubled.trouble);
  return { state: step.state, commands: step.commands };
}

/** B7: a window the provider named is remembered, and the transcript says so. */
function noteWindow({ model }: TurnMachine, { reportedWindowTokens, code }: Trouble): readonly TurnCommand[] {
  if (reportedWindowTokens === null) return [];
  const says = code === SMALLER_WINDOW ? 'seems to run with' : 'reports';
  const text = `${model.model} ${says} a window of ${reportedWindowTokens} tokens; it is used from now on.`;
  return [{ do: 'append', events: [{ type: 'note', kind: 'window', text, data: { model, reportedWindowTokens } }] }];
}

function resetOf({ messageId }: TurnMachine): readonly TurnCommand[] {
  return messageId === null ? [] : [{ do: 'reset', messageId }];
}
