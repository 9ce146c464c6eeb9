import type { Model } from '@/server/contract/shapes';
import { isOverflow, isTransport, nameTransport } from '@/server/core/compaction/attempt';
import type { CompactionGo } from '@/server/core/compaction/plan';
import type {
  CompactionCommand,
  CompactionJob,
  CompactionOutcome,
  CompactionScene,
  LastFailure,
} from '@/server/core/compaction/step-job';
import { endOf } from '@/server/core/turn/collect-reply';
import { startOfChain, toDetail } from '@/server/core/turn/model-call';
import { MOST_REPARTITIONS } from './bounds';
import type { Staging } from './staging';
import { sendAudit, takeAudit, takeCorrection } from './step-audit';
import { missingMaps, planRun, scheduleMaps, settleTroubles, takeMap } from './step-map';
import { nextReduction, sendReduction, takeReduction } from './step-reduce';
import {
  append,
  bookAttempt,
  failed,
  type Handled,
  type Replied,
  tell,
  triesOf,
  withFactsNow,
  withFreshPosition,
} from './step-send';
import type { Candidate, InFlight, MapReduceMachine, MapReducePhase, MapReduceStep } from './step-shape';

/*
 * A summary in segments (R1–R11), one model of the chain at a time:
 *
 *   start ── item that fits no request ──────────────────────────────► over (failed, next model)
 *     │
 *     ▼   up to four at once                    overflow: smaller segments (three times)
 *   mapping ── trouble ──► draining ── none under way ──┬──► mapping
 *     │                                                 └──► waiting ──► mapping, one at a time
 *     ▼   all maps there
 *   reducing ── level by level, at most eight ──► reducing
 *     │  └── REREAD ──► rereading (once a reduction)
 *     ▼   the summary stands
 *   auditing ── every batch ──► pass ─────────────────────────────────► over (candidate)
 *     ▲  └── findings ──► correcting (twice) ──┐
 *     └────────────────────────────────────────┘
 *   waiting: a broken request, after the retry policy's pause the same again
 *
 * What is accepted is appended at once, so any later attempt on this branch finds it again; where the machine stands
 * follows from the staging alone. It never changes the committed view (C8).
 */

export interface MapReduceStart {
  readonly job: CompactionJob;
  readonly go: CompactionGo;
  readonly index: number;
  readonly model: Model;
  readonly staging: Staging;
  /** Requests of this compaction so far. */
  readonly attempts: number;
  /** Why the model before was left; null for the first. */
  readonly after: string | null;
}

/** Plans the segments with whatever stands accepted, and asks for the first that are missing. */
export function startMapReduce(start: MapReduceStart, scene: CompactionScene): MapReduceStep {
  const machine: MapReduceMachine = {
    ...{ job: start.job, go: start.go, index: start.index, model: start.model, after: start.after },
    attempts: start.attempts,
    facts: start.job.factsOf(start.model),
    phase: 'mapping',
    pieces: [],
    segments: [],
    staging: takeUp(start),
    inFlight: [],
    position: startOfChain([start.model]),
    troubles: [],
    tries: new Map(),
    failed: new Set(),
    limitBytes: null,
    squeezes: 0,
    reread: null,
    candidate: passedBefore(start),
    usage: null,
  };
  const { round, targetBytes } = machine.staging;
  return finish(planRun(machine, scene, { round, targetBytes: round === 0 ? null : targetBytes }), scene);
}

/** A summary that had passed when the server stopped is audited again: a commit needs a request of its own attempt. */
function passedBefore({ staging, job }: MapReduceStart): Candidate | null {
  const last = staging.audits.at(-1);
  if (last?.verdict !== 'pass' || job.rewrite !== null) return null;
  return { text: last.candidate, round: last.round, audited: 0, batch: 0, findings: [] };
}

/** One segment may be wanted anew (X6): then nothing that was made from it counts. */
function takeUp({ staging, job }: MapReduceStart): Staging {
  const audits = staging.audits.at(-1)?.verdict === 'pass' ? staging.audits.slice(0, -1) : staging.audits;
  if (job.rewrite === null || !staging.maps.has(job.rewrite)) return { ...staging, audits };
  const maps = new Map([...staging.maps].filter(([fingerprint]) => fingerprint !== job.rewrite));
  return { ...staging, maps, reductions: new Map(), audits: [] };
}

/** One outcome, with the session as it is now. Cancelling is the caller's: `cancelMapReduce` says what was under way. */
export function stepMapReduce(
  machine: MapReduceMachine,
  outcome: CompactionOutcome,
  scene: CompactionScene,
): MapReduceStep {
  if (machine.phase === 'over' || outcome.type === 'cancelled') return { state: machine, commands: [], exit: null };
  if (outcome.type === 'waited') {
    if (machine.phase !== 'waiting') return { state: machine, commands: [], exit: null };
    return finish({ machine, commands: [], exit: null, stay: false }, scene);
  }
  const flight = machine.inFlight.find(({ call }) => call === (outcome.call ?? machine.inFlight[0]?.call));
  if (flight === undefined) return { state: machine, commands: [], exit: null };
  const inFlight = machine.inFlight.filter((other) => other !== flight);
  return finish(take({ ...machine, inFlight }, { flight, outcome, scene }), scene);
}

/** The ledger's lines on the requests that were under way when it was stopped; `reply` is what came of one of them. */
export function cancelMapReduce(
  machine: MapReduceMachine,
  outcome: Extract<CompactionOutcome, { type: 'cancelled' }> | Replied,
) {
  const own = outcome.call ?? machine.inFlight[0]?.call;
  const nothing = { reply: { parts: [], calls: [], artifacts: [], end: null }, ms: outcome.ms };
  const said = { outcome: 'cancelled', reason: 'cancelled', detail: null } as const;
  const events = machine.inFlight.map((flight) => {
    const came = flight.call === own && outcome.reply !== null ? { reply: outcome.reply, ms: outcome.ms } : nothing;
    return bookAttempt(machine, flight, came, said);
  });
  const over: MapReduceMachine = { ...machine, phase: 'over', inFlight: [] };
  return { machine: over, events };
}

/** The checks of `contract.md` 11 turned down what the audit had passed: written anew with the reason, then the next model. */
export function refuseMapReduce(machine: MapReduceMachine, reason: string, scene: CompactionScene): MapReduceStep {
  const found = nextReduction(machine);
  if (found.kind !== 'done') return finish({ machine, commands: [], exit: null, stay: false }, scene);
  const before = triesOf(machine, found.key);
  const tries = new Map(machine.tries).set(found.key, { ...before, made: before.made + 1, rejection: reason });
  const reductions = new Map([...machine.staging.reductions].filter(([key]) => key !== found.key));
  const next: MapReduceMachine = {
    ...withFreshPosition(machine),
    phase: 'reducing',
    tries,
    staging: { ...machine.staging, reductions, audits: [] },
    candidate: null,
  };
  const failure: LastFailure = { outcome: 'rejected', reason, detail: null };
  const isSpent = before.made + 1 >= machine.job.contentTries;
  const exit = isSpent ? ({ kind: 'failed', failure, advance: true } as const) : null;
  return finish({ machine: next, commands: [], exit, stay: false }, scene);
}

interface Taking {
  readonly flight: InFlight;
  readonly outcome: Replied;
  readonly scene: CompactionScene;
}

function take(machine: MapReduceMachine, taking: Taking): Handled {
  const { flight, outcome } = taking;
  if (flight.stage === 'map') return takeMap(machine, flight, outcome);
  if (isTransport(endOf(outcome.reply).trouble)) return failRequest(machine, flight, outcome);
  switch (flight.stage) {
    case 'reduce':
      return takeReduction(machine, taking);
    case 'audit':
      return takeAudit(machine, flight, outcome);
    case 'correct':
      return takeCorrection(machine, taking);
  }
}

/** A broken reduction, audit or correction: the retry policy, or after an overflow smaller requests; never the same again. */
function failRequest(machine: MapReduceMachine, flight: InFlight, outcome: Replied): Handled {
  const { trouble } = endOf(outcome.reply);
  if (trouble === null) return { machine, commands: [], exit: null, stay: false };
  const reason = nameTransport(trouble);
  const detail = toDetail(trouble);
  const noted = append(machine, [bookAttempt(machine, flight, outcome, { outcome: 'failed', reason, detail })]);
  const commands: CompactionCommand[] = [noted.command, { do: 'reset' }];
  if (isOverflow(trouble)) return squeeze(noted.machine, flight, commands);
  const decided = machine.job.retry(machine.position, trouble);
  if (decided.command.do === 'wait') {
    const waiting: MapReduceMachine = { ...noted.machine, phase: 'waiting', position: decided.state };
    return {
      machine: waiting,
      commands: [...commands, { do: 'wait', ms: decided.command.waitMs }],
      exit: null,
      stay: true,
    };
  }
  const failure: LastFailure = { outcome: 'failed', reason, detail };
  return { machine: noted.machine, commands, exit: { kind: 'failed', failure, advance: true }, stay: false };
}

/** Later requests stay under half of what was refused; as often as maps may be repartitioned. */
function squeeze(machine: MapReduceMachine, flight: InFlight, commands: readonly CompactionCommand[]): Handled {
  if (machine.squeezes >= MOST_REPARTITIONS) return failed(machine, 'repartitions_spent', { advance: true, commands });
  const limitBytes = Math.floor(flight.request.measureBytes / 2);
  const candidate = machine.candidate === null ? null : { ...machine.candidate, batch: 0 };
  const next = { ...withFactsNow(machine), limitBytes, squeezes: machine.squeezes + 1, reread: null, candidate };
  return { machine: next, commands, exit: null, stay: false };
}

/** Goes on until something is under way, or the segments have come to an end. */
function finish(handled: Handled, scene: CompactionScene): MapReduceStep {
  let { machine, commands, exit, stay } = handled;
  while (exit === null && !stay) {
    const next = proceed(machine, scene);
    machine = next.machine;
    commands = [...commands, ...next.commands];
    ({ exit, stay } = next);
  }
  const phase: MapReducePhase = exit === null ? machine.phase : 'over';
  return { state: { ...machine, phase }, commands, exit };
}

/** The next thing to do, read off the staging alone. */
function proceed(machine: MapReduceMachine, scene: CompactionScene): Handled {
  if (machine.troubles.length > 0) return settleTroubles(machine, scene);
  if (missingMaps(machine).length > 0) return scheduleMaps(machine);
  if (machine.inFlight.length > 0) return { machine, commands: [tell(machine, 'map')], exit: null, stay: true };
  const found = nextReduction(machine);
  if (found.kind === 'failed') return failed(machine, found.reason, { advance: found.reason === 'notes_too_large' });
  return found.kind === 'done' ? sendAudit(machine, found.text) : sendReduction(machine, found);
}
