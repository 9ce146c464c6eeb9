import type { NewEvent } from '@/server/core/log/new-event';
import { NO_GUARDS } from './guards';
import { readTurnLedger } from './ledger';
import { startOfChain } from './model-call';
import { decide, decideAfterCompaction } from './step-decide';
import { stopTurn } from './step-end';
import { judgeReply } from './step-reply';
import type { TurnJob, TurnMachine, TurnOutcome, TurnScene, TurnStep } from './step-shape';
import { beginBatch, findOpenBatch, finishCall } from './step-tools';

/*
 * A turn:
 *
 *   start ─► deciding ─┬─ over the trigger ──► compacting ─► deciding
 *      ▲        ▲      ├─ over the room ─────► trim appended ─► deciding
 *      │        │      └─ else ──────────────► calling
 *      │        │                                │
 *      │        │    text ──► done (finished)    │    trouble: waiting ─► deciding, next model ─► deciding,
 *      │        │                                │    overflow ─► compacting or trim ─► deciding, else done (failed)
 *      │        └── all results there ── running ◄── calls
 *      │                                    │
 *      └──────── person decides ◄── parked ─┘ a call waits for a yes
 *
 * `stopped` ends it from anywhere: what was said and what tools answered is kept. Every reply and every result is
 * appended before anything rests on it.
 */

/** The first step of a turn's job: opens the turn, or takes up a parked one where it stands. */
export function startTurn(job: TurnJob, scene: TurnScene): TurnStep {
  const [model] = job.chain;
  if (model === undefined) throw new RangeError('a turn needs a model');
  // A parked turn is taken up by another job, perhaps after a restart: its guards are what the lines say (C10).
  const guards = job.why === 'approval' ? readTurnLedger(scene.state) : NO_GUARDS;
  const opened: TurnMachine = {
    job,
    phase: 'deciding',
    steps: countSteps(scene, job.turnId),
    moment: job.why === 'approval' ? 'step' : 'entry',
    position: startOfChain(job.chain),
    model,
    messageId: null,
    isLast: false,
    triedToCompact: false,
    autoStopped: guards.stopped,
    callsSinceCommit: guards.repliesSinceCommit,
    refills: guards.refills,
    overflow: 'none',
    compacting: null,
    calls: [],
    running: [],
    finished: new Map(),
    answered: [],
    noticed: [],
  };
  return { state: opened, commands: [{ do: 'append', events: toOpening(job, scene) }, { do: 'look' }] };
}

/** One outcome of a command, with the session as it is now; the answer says what to do next. */
export function stepTurn(machine: TurnMachine, outcome: TurnOutcome, scene: TurnScene): TurnStep {
  if (machine.phase === 'done') return { state: machine, commands: [] };
  switch (outcome.type) {
    case 'stopped':
      return stopTurn(machine, outcome, scene);
    case 'looked':
      return machine.phase === 'deciding' ? goOn(machine, scene) : rest(machine);
    case 'waited':
      return machine.phase === 'waiting' ? decide({ ...machine, phase: 'deciding' }, scene) : rest(machine);
    case 'compacted':
      return machine.phase === 'compacting' ? decideAfterCompaction(machine, outcome, scene) : rest(machine);
    case 'replied':
      return machine.phase === 'calling' ? judgeReply(machine, outcome, scene) : rest(machine);
    case 'ran':
      return machine.phase === 'running' ? finishCall(machine, outcome, scene) : rest(machine);
  }
}

/** Calls without results come first: those of a parked turn, or of the reply just appended. */
function goOn(machine: TurnMachine, scene: TurnScene): TurnStep {
  const open = findOpenBatch(scene.state, machine.job.turnId);
  return open === null ? decide(machine, scene) : beginBatch(machine, open, scene);
}

function rest(machine: TurnMachine): TurnStep {
  return { state: machine, commands: [] };
}

/** `prompt.kept` just before the first turn's `turn.started`, never at creation (`contract.md` 15). */
function toOpening(job: TurnJob, { state }: TurnScene): readonly NewEvent[] {
  const { turnId, messageId, why, chain, prompt, promptEventId } = job;
  const kept = state.keptPrompt;
  const [model] = chain;
  if (model === undefined) return [];
  const first: readonly NewEvent[] =
    kept === null ? [{ type: 'prompt.kept', id: promptEventId, ...prompt, why: 'first' }] : [];
  const promptId = kept?.id ?? promptEventId;
  return [...first, { type: 'turn.started', turnId, messageId, why, model, chain: [...chain], promptId }];
}

/** Replies of this turn so far: a parked turn goes on counting where it stopped. */
function countSteps({ state }: TurnScene, turnId: string): number {
  return state.items.filter((item) => item.turnId === turnId && item.event.type === 'message.assistant').length;
}
