import type { FieldsOf } from '@/server/contract/events/event';
import type { TroubleDetail, Usage } from '@/server/contract/shapes';
import { measureItem } from '@/server/core/budget/measure-item';
import type { NewEvent } from '@/server/core/log/new-event';
import { isBlankReply, type PartialReply } from './collect-reply';
import type { TurnCommand, TurnMachine, TurnOutcome, TurnScene, TurnStep } from './step-shape';
import { closeBatch } from './step-tools';

export interface ReplyFacts {
  readonly reply: PartialReply;
  readonly ms: number;
  readonly end: FieldsOf<'message.assistant'>['end'];
}

/**
 * A reply as an item. Its calls are kept only where they will be answered: those of a reply that broke off are not
 * run and not stored (case-D02), and a reply that then says nothing is no item.
 */
export function toAssistant(machine: TurnMachine, { reply, ms, end }: ReplyFacts): NewEvent | null {
  const kept = reply.parts.flatMap((part, index) =>
    part.type === 'tool_call' && end !== 'tool_calls' ? [] : [{ part, index }],
  );
  const parts = kept.map(({ part }) => part);
  if (isBlankReply({ parts })) return null;
  const places = new Map(kept.map(({ index }, place) => [index, place]));
  const { model, messageId, steps } = machine;
  const artifacts = reply.artifacts.flatMap(({ part, kind, data }) => {
    const place = places.get(part);
    return place === undefined ? [] : [{ provider: model.provider, model: model.model, part: place, kind, data }];
  });
  const { bytes } = measureItem({ type: 'message.assistant', parts, model, end, artifacts });
  return {
    type: 'message.assistant',
    ...(messageId === null ? {} : { id: messageId }),
    step: steps,
    model,
    parts: [...parts],
    end,
    rawEnd: reply.end?.rawEnd ?? null,
    usage: usageOf(reply),
    ms: Math.max(0, Math.round(ms)),
    artifacts,
    bytes,
    ...(model.provider === PRACTICE_PROVIDER ? { simulated: true } : {}),
  };
}

/** The rule-based model marks what it wrote, everywhere (N2). */
const PRACTICE_PROVIDER = 'practice';

function usageOf({ end }: PartialReply): Usage | null {
  if (end === null || Object.values(end.usage).every((count) => count === null)) return null;
  return end.usage;
}

export interface TurnEnd {
  readonly outcome: FieldsOf<'turn.ended'>['outcome'];
  readonly code?: string | null;
  readonly text?: string | null;
  readonly detail?: TroubleDetail | null;
  /** What is appended before the end. */
  readonly events: readonly NewEvent[];
}

/** Appends what is left and ends the turn with a reason a person can read (T3). */
export function endTurn(machine: TurnMachine, { outcome, code, text, detail, events }: TurnEnd): TurnStep {
  const steps = machine.steps + events.filter((event) => event.type === 'message.assistant').length;
  const { turnId } = machine.job;
  const ended: NewEvent = {
    type: 'turn.ended',
    turnId,
    outcome,
    code: code ?? null,
    text: text ?? null,
    detail: detail ?? null,
    steps,
  };
  return {
    state: { ...machine, phase: 'done', steps },
    commands: [
      { do: 'append', events: [...events, ended] },
      { do: 'done', outcome },
    ],
  };
}

type Stopped = Extract<TurnOutcome, { type: 'stopped' }>;

const STOPS = {
  cancelled: { code: 'cancelled', text: 'Stopped.' },
  interrupted: { code: 'interrupted', text: 'The server stopped while this ran. What came so far is kept.' },
} as const;

/**
 * Stop, from anywhere (T3, `contract.md` 14): text so far is kept if it says something, calls get results that say
 * what became of them.
 */
export function stopTurn(machine: TurnMachine, { why, reply, ms }: Stopped, scene: TurnScene): TurnStep {
  const spoken = machine.phase === 'calling' && reply !== null ? toAssistant(machine, { reply, ms, end: why }) : null;
  const events = [...(spoken === null ? [] : [spoken]), ...closeBatch(machine, why, scene)];
  const step = endTurn(machine, { outcome: why, ...STOPS[why], events });
  const reset: readonly TurnCommand[] =
    spoken === null && machine.phase === 'calling' && machine.messageId !== null
      ? [{ do: 'reset', messageId: machine.messageId }]
      : [];
  return { state: step.state, commands: [...reset, ...step.commands] };
}
