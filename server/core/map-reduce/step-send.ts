import type { SegmentTally } from '@/server/contract/session';
import { toAttempt } from '@/server/core/compaction/attempt';
import type { CompactionCommand, CompactionOutcome, LastFailure } from '@/server/core/compaction/step-job';
import type { NewEvent } from '@/server/core/log/new-event';
import { endOf } from '@/server/core/turn/collect-reply';
import { startOfChain } from '@/server/core/turn/model-call';
import { reserveTokens, type SizingWindow, toSizingWindow } from './bounds';
import type { Asking } from './requests';
import { applyStaging } from './staging';
import type { InFlight, MapReduceExit, MapReduceMachine, MapReducePhase, Tries } from './step-shape';

export type Replied = Extract<CompactionOutcome, { type: 'replied' }>;

/** What an outcome came to: `stay` waits for what is under way, else the machine looks for the next thing to do. */
export interface Handled {
  readonly machine: MapReduceMachine;
  readonly commands: readonly CompactionCommand[];
  readonly exit: MapReduceExit | null;
  readonly stay: boolean;
}

const FIRST: Tries = { made: 0, rejection: null, withoutCeiling: false };

/** Content tries of one request so far. */
export function triesOf({ tries }: MapReduceMachine, key: string): Tries {
  return tries.get(key) ?? FIRST;
}

/** The window that requests to the model in turn are sized by. */
export function windowOf({ facts, go }: MapReduceMachine): SizingWindow {
  return toSizingWindow(facts, go.numbers.budgetBytes);
}

/** With what is known of the model now: a provider may have corrected its window. */
export function withFactsNow(machine: MapReduceMachine): MapReduceMachine {
  return { ...machine, facts: machine.job.factsOf(machine.model) };
}

/** What every request of this run is told; the cap and the reason of a rejection are its own. */
export function askingFor({ job }: MapReduceMachine, own: Pick<Asking, 'capBytes' | 'rejection'>): Asking {
  return { focus: job.focus, installation: job.instructions, ...own };
}

/** The ceiling of R11; none where this request has run into it before. */
export function reservedCeiling(machine: MapReduceMachine, key: string): number | null {
  return triesOf(machine, key).withoutCeiling ? null : reserveTokens(windowOf(machine).tokens);
}

/** Sends a request: it is under way from now on, and everybody is told how far the segments are. */
export function send(
  machine: MapReduceMachine,
  phase: MapReducePhase,
  wanted: Omit<InFlight, 'call'>,
): { readonly machine: MapReduceMachine; readonly command: CompactionCommand } {
  const call = machine.attempts + 1;
  const { model } = machine;
  const next = { ...machine, phase, attempts: call, inFlight: [...machine.inFlight, { ...wanted, call }] };
  return {
    machine: next,
    command: { do: 'call', call, model, request: wanted.request, ceilingTokens: wanted.ceilingTokens },
  };
}

/** `chat.compacting`: stage, model and place in the chain, segments, and which of them are being read. */
export function tell(machine: MapReduceMachine, stage: InFlight['stage']): CompactionCommand {
  const { model, index, job, after } = machine;
  return {
    do: 'say',
    stage,
    model,
    attempt: { n: index + 1, of: job.chain.length, after },
    segments: tallyOf(machine),
    reading: readingOf(machine),
  };
}

function readingOf({ inFlight }: MapReduceMachine): readonly number[] {
  return inFlight.flatMap(({ segment }) => (segment === null ? [] : [segment.n]));
}

function tallyOf({ segments, staging, inFlight, failed }: MapReduceMachine): SegmentTally {
  const running = new Set(inFlight.flatMap(({ segment }) => segment?.fingerprint ?? []));
  const isDone = (print: string) => staging.maps.has(print) && !running.has(print);
  const prints = segments.map(({ fingerprint }) => fingerprint);
  return {
    done: prints.filter(isDone).length,
    running: running.size,
    failed: prints.filter((print) => failed.has(print) && !isDone(print) && !running.has(print)).length,
    total: prints.length,
  };
}

/** The ledger's line on a request that ended. */
export function bookAttempt(
  { job, model }: MapReduceMachine,
  flight: InFlight,
  { reply, ms }: Pick<Replied, 'reply' | 'ms'>,
  said: Pick<Parameters<typeof toAttempt>[0], 'outcome' | 'reason' | 'detail'>,
): NewEvent {
  const segment = flight.segment?.n ?? null;
  const measureBytes = flight.request.measureBytes;
  return toAttempt({
    ...{ job, model, n: flight.call, stage: flight.stage, segment, measureBytes },
    end: endOf(reply),
    ms,
    ...said,
  });
}

/** Lines to append, and the machine that already counts with those of the staging. */
export function append(
  machine: MapReduceMachine,
  events: readonly NewEvent[],
): { readonly machine: MapReduceMachine; readonly command: CompactionCommand } {
  const staging = events.reduce(applyStaging, machine.staging);
  return { machine: { ...machine, staging }, command: { do: 'append', events } };
}

/** The next request begins with all its transport tries. */
export function withFreshPosition(machine: MapReduceMachine): MapReduceMachine {
  return { ...machine, position: startOfChain([machine.model]) };
}

export interface Rejection {
  readonly flight: InFlight;
  readonly outcome: Replied;
  readonly reason: string;
  readonly most: number;
}

/** A text that may not stand: once more with the reason named, then the model is left (`contract.md` 11). */
export function rejectText(machine: MapReduceMachine, { flight, outcome, reason, most }: Rejection): Handled {
  const before = triesOf(machine, flight.key);
  const ranIntoCeiling = reason === 'incomplete:length' && flight.ceilingTokens !== null;
  const tried: Tries = {
    made: before.made + 1,
    rejection: reason,
    withoutCeiling: before.withoutCeiling || ranIntoCeiling,
  };
  const event = bookAttempt(machine, flight, outcome, { outcome: 'rejected', reason, detail: null });
  const noted = append({ ...machine, tries: new Map(machine.tries).set(flight.key, tried) }, [event]);
  const failure: LastFailure = { outcome: 'rejected', reason, detail: null };
  const isSpent = tried.made >= most;
  return {
    machine: withFreshPosition(noted.machine),
    commands: [noted.command, { do: 'reset' }],
    exit: isSpent ? { kind: 'failed', failure, advance: true } : null,
    stay: false,
  };
}

/** The run cannot go on. `advance`: another model might. */
export function failed(
  machine: MapReduceMachine,
  reason: string,
  { advance, commands = [] }: { readonly advance: boolean; readonly commands?: readonly CompactionCommand[] },
): Handled {
  const failure: LastFailure = { outcome: 'failed', reason, detail: null };
  return { machine, commands, exit: { kind: 'failed', failure, advance }, stay: false };
}
