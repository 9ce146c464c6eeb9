import { LEAST_ROOM_BYTES } from '@/server/core/budget/numbers';
import type { NewEvent } from '@/server/core/log/new-event';
import { toRequest, type ViewRequest } from '@/server/core/projection/model-view-request';
import { STEP_LIMIT_TEXT } from '@/server/core/prompt/wording';
import { trim } from '@/server/core/trim/trim';
import { isRefill, MOST_REFILLS } from './guards';
import { readTurnLedger } from './ledger';
import { isSameModel } from './model-call';
import type { TurnCommand, TurnMachine, TurnOutcome, TurnScene, TurnStep } from './step-shape';

/**
 * What comes before a model call, in order (`contract.md` 11): a trim that is needed no more is lifted, the trigger
 * compacts, the room trims, else the request is sent. Where something was appended, the machine asks for a fresh look.
 */
export function decide(machine: TurnMachine, scene: TurnScene): TurnStep {
  const lifted = liftTrims(machine, scene);
  if (lifted.length > 0) return lookAgain(machine, lifted);
  if (!machine.triedToCompact && scene.untrimmedBytes > scene.numbers.triggerBytes) {
    const compacting = decideCompaction(machine, scene);
    if (compacting !== null) return compacting;
  }
  const room = Math.max(scene.numbers.roomBytes, LEAST_ROOM_BYTES);
  if (scene.view.conversationBytes > room) {
    const trimmed = trimTo(machine, scene, { roomBytes: room, lowMarkBytes: scene.numbers.lowMarkBytes });
    if (trimmed !== null) return lookAgain({ ...machine, triedToCompact: true }, [trimmed]);
  }
  return send(machine, scene);
}

/** After a compaction of this turn, however it ended: the view is looked at anew, and this call asks for no second one. */
export function decideAfterCompaction(
  machine: TurnMachine,
  { outcome, reason }: Extract<TurnOutcome, { type: 'compacted' }>,
  scene: TurnScene,
): TurnStep {
  const committed = outcome === 'committed';
  const isRecovery = machine.compacting === 'overflow';
  const next: TurnMachine = {
    ...machine,
    phase: 'deciding',
    compacting: null,
    triedToCompact: true,
    autoStopped: machine.autoStopped || outcome === 'cancelled',
    callsSinceCommit: committed && !isRecovery ? 0 : machine.callsSinceCommit,
  };
  if (isRecovery && !committed) return trimForOverflow(next, scene) ?? send(next, scene);
  if (outcome !== 'nothing' || reason === null || machine.noticed.includes(reason)) return decide(next, scene);
  const noticed: TurnMachine = { ...next, noticed: [...machine.noticed, reason] };
  const step = decide(noticed, scene);
  return { state: step.state, commands: [...noticeFor(reason, scene), ...step.commands] };
}

/**
 * The cut a provider's overflow forces when compacting could not help: to the low mark, and well below what was just
 * refused, since its window is smaller than we know. Null: nothing is left to take.
 */
export function trimForOverflow(machine: TurnMachine, scene: TurnScene): TurnStep | null {
  const target = Math.min(scene.numbers.lowMarkBytes, Math.floor(scene.view.conversationBytes * 0.6));
  const trimmed = trimTo(machine, scene, { roomBytes: target, lowMarkBytes: target });
  return trimmed === null ? null : lookAgain({ ...machine, overflow: 'trimmed', triedToCompact: true }, [trimmed]);
}

/** Null: no compaction now, the trim serves. */
function decideCompaction(machine: TurnMachine, scene: TurnScene): TurnStep | null {
  const ledger = readTurnLedger(scene.state);
  const { autoStopped, callsSinceCommit, job } = machine;
  const deferred = ledger.deferred && job.defersAfterFailure;
  if (!job.autoCompaction || autoStopped || deferred || ledger.refillStopped) return null;
  if (machine.noticed.some((reason) => reason !== 'nothing')) return null;
  const refills = isRefill(callsSinceCommit) ? machine.refills + 1 : 0;
  if (refills >= MOST_REFILLS) {
    const text =
      'New content fills the context as fast as it is summarised. Automatic compaction rests until your next message; older parts are left out to fit.';
    return lookAgain({ ...machine, refills, autoStopped: true }, [{ type: 'note', kind: 'refill_stop', text }]);
  }
  const state: TurnMachine = { ...machine, phase: 'compacting', compacting: 'auto', refills };
  return { state, commands: [{ do: 'compact', trigger: 'auto' }] };
}

/** At turn entry, when the model changed and what was left out would fit again (`contract.md` 11). */
function liftTrims({ moment, steps, model, job }: TurnMachine, { state, untrimmedBytes, numbers }: TurnScene) {
  if (moment !== 'entry' || steps > 0 || untrimmedBytes > numbers.triggerBytes) return [];
  const before = state.turns.filter((turn) => turn.turnId !== job.turnId).at(-1)?.started.model;
  if (before === undefined || isSameModel(before, model)) return [];
  // Only what an earlier turn left out: a trim of this one was made because something did not fit.
  const earlier = state.trims.filter((trimmed) => trimmed.seq < (state.openTurn?.seq ?? 0));
  return earlier.map(({ id }): NewEvent => ({ type: 'view.untrimmed', trimId: id, why: 'room' }));
}

function trimTo(
  { model }: TurnMachine,
  { state, numbers }: TurnScene,
  bounds: { readonly roomBytes: number; readonly lowMarkBytes: number },
): NewEvent | null {
  const fields = trim({ state, model, ...bounds, firstMessageCapBytes: numbers.firstMessageCapBytes });
  return fields === null ? null : { type: 'view.trimmed', ...fields };
}

function send(machine: TurnMachine, scene: TurnScene): TurnStep {
  const isLast = machine.steps >= machine.job.maxSteps;
  const request = toRequest(scene.view);
  const messageId = scene.nextId();
  const next: TurnMachine = { ...machine, phase: 'calling', isLast, messageId };
  const { model } = machine;
  const sent = isLast ? withoutTools(request) : request;
  return { state: next, commands: [{ do: 'call', model, request: sent, messageId }] };
}

/**
 * The last reply after the step limit: tools withdrawn, and the wish for an answer inside the newest result, where a
 * message of its own would be refused by some servers (`contract.md` 9, 14).
 */
function withoutTools(request: ViewRequest): ViewRequest {
  const last = request.entries.at(-1);
  if (last?.role !== 'tool') {
    const asked = { role: 'user', parts: [{ type: 'text', text: STEP_LIMIT_TEXT }] } as const;
    return { ...request, toolChoice: 'none', entries: [...request.entries, asked] };
  }
  const results = last.results.map((result, index, all) =>
    index === all.length - 1 ? { ...result, text: `${result.text}\n${STEP_LIMIT_TEXT}` } : result,
  );
  return { ...request, toolChoice: 'none', entries: [...request.entries.slice(0, -1), { role: 'tool', results }] };
}

function lookAgain(machine: TurnMachine, events: readonly NewEvent[]): TurnStep {
  return { state: { ...machine, phase: 'deciding' }, commands: [{ do: 'append', events }, { do: 'look' }] };
}

/** Why nothing was compacted although the view is over the trigger; said once a turn (B2, `contract.md` 7). */
function noticeFor(reason: string, { view, numbers }: TurnScene): readonly TurnCommand[] {
  if (reason === 'floor_too_big') {
    const text = `The fixed part of the prompt takes ${numbers.floorBytes} of ${numbers.budgetBytes} bytes, so compacting cannot help. Shorten its largest part.`;
    return [{ do: 'notice', code: 'floor_too_large', text, data: { parts: view.floorParts } }];
  }
  if (reason !== 'no_room') return [];
  const text =
    'There is too little room for a summary. Older parts are left out to fit; nothing was written about them.';
  return [{ do: 'notice', code: 'no_room_for_summary', text, data: { roomBytes: numbers.roomBytes } }];
}
