import { startCompaction, stepCompaction } from '@/server/core/compaction/step';
import type {
  CompactionCommand,
  CompactionDone,
  CompactionJob,
  CompactionOutcome,
  CompactionScene,
} from '@/server/core/compaction/step-job';
import { breaks, jobOf, other, says, sceneOf, textOfCall, whole } from '@/server/core/compaction/step-play';
import type { CompactionStep } from '@/server/core/compaction/step-shape';
import type { NewEvent } from '@/server/core/log/new-event';
import { aLog, type LogBuilder } from '@/server/core/projection/log-builder';

/* Plays compactions in segments for tests: what is appended stands in the log at once, several calls may be open. */

export type Call = Extract<CompactionCommand, { do: 'call' }>;

/** A window that takes about four of the messages of `longTalk` a segment, and all their notes in one reduction. */
export const SMALL_WINDOW = 4_000;
/** Notes that cost little. */
export const NOTES = '## Constraints\n- "the port is 7443" (item 3)';

/** A conversation of `turns` exchanges of about 1,400 bytes. */
export function longTalk(turns = 18, log = aLog()): LogBuilder {
  for (let turn = 1; turn <= turns; turn += 1)
    log.says(`question ${turn} ${'q'.repeat(600)}`).replies(`answer ${turn} ${'a'.repeat(600)}`);
  return log;
}

/** Facts of a summariser with this window, in tokens of two bytes. */
export const windowed = (windowTokens: number | null): CompactionJob['factsOf'] => {
  const facts = { windowTokens, bytesPerToken: 2, ceilingTokens: () => null, prices: null };
  return () => facts;
};

/** A job of a summariser that is not the agent's model. */
export function segmentsJob(fields: Partial<CompactionJob> = {}): CompactionJob {
  return jobOf({ chain: [other], factsOf: windowed(SMALL_WINDOW), ...fields });
}

/** Each attempt has ids of its own, as the application gives them. */
function withOwnIds(job: CompactionJob, log: LogBuilder): CompactionJob {
  const id = (kind: string) => `01K0000000000000000${kind}${String(log.log().newestSeq).padStart(5, '0')}`;
  return { ...job, compactionId: id('CC'), checkpointId: id('CH'), promptEventId: id('PR') };
}

/** Which stage a call asks for. */
export const stageOf = (call: Call): string => /^TASK (\w+) 1/.exec(textOfCall(call))?.[1] ?? '';

/** Answers as an obliging model does. */
export function oblige(call: Call): CompactionOutcome {
  const stage = stageOf(call);
  if (stage === 'audit') return says('PASS');
  return says(stage === 'map' || isInner(call) ? NOTES : whole);
}

/** A reduction in between. */
export const isInner = (call: Call): boolean => textOfCall(call).includes('Write the notes that will stand');

/** Answers by stage, an obliging one where nothing is said; each answer may look at the call and how many of it came. */
export function answering(
  answers: Partial<Record<string, (call: Call, nth: number) => CompactionOutcome | null>>,
): (call: Call) => CompactionOutcome {
  const counts = new Map<string, number>();
  return (call) => {
    const stage = stageOf(call);
    const nth = (counts.get(stage) ?? 0) + 1;
    counts.set(stage, nth);
    return answers[stage]?.(call, nth) ?? oblige(call);
  };
}

export interface SegmentsPlay {
  readonly calls: readonly Call[];
  readonly events: readonly NewEvent[];
  readonly commands: readonly CompactionCommand[];
  readonly done: CompactionDone | null;
  readonly step: CompactionStep;
  /** Most calls open at one moment. */
  readonly mostOpen: number;
}

export interface PlayOptions {
  readonly job?: CompactionJob;
  readonly respond?: (call: Call) => CompactionOutcome;
  readonly budgetBytes?: number;
  /** Which of the open calls is answered next, by index; the oldest where nothing is said. */
  readonly pick?: (open: readonly Call[]) => number;
  /** Stops before the step after which it holds: the server was killed there. */
  readonly until?: (step: CompactionStep, events: readonly NewEvent[]) => boolean;
  /** The server is killed right after the line with which it holds, in the middle of a batch too. */
  readonly dies?: (events: readonly NewEvent[]) => boolean;
}

/** Plays one compaction on a log, which grows by what is appended. */
export function playSegments(log: LogBuilder, options: PlayOptions = {}): SegmentsPlay {
  const { respond = oblige, budgetBytes = 60_000, pick = () => 0, until = () => false, dies = () => false } = options;
  const scene = () => sceneOf(log, budgetBytes);
  const commands: CompactionCommand[] = [];
  const events: NewEvent[] = [];
  const calls: Call[] = [];
  const open: Call[] = [];
  let mostOpen = 0;
  const job = withOwnIds(options.job ?? segmentsJob(), log);
  let step = startCompaction(job, scene());
  for (let turn = 0; turn < 2_000; turn += 1) {
    for (const command of step.commands) {
      commands.push(command);
      if (command.do === 'append') {
        for (const event of command.events) {
          log.appends(event);
          events.push(event);
          if (dies(events)) return { calls, events, commands, done: null, step, mostOpen };
        }
      }
      if (command.do === 'call') open.push(command);
      if (command.do === 'call') calls.push(command);
    }
    mostOpen = Math.max(mostOpen, open.length);
    const done = step.commands.find((command): command is CompactionDone => command.do === 'done') ?? null;
    if (done !== null || until(step, events)) return { calls, events, commands, done, step, mostOpen };
    const waits = step.commands.some((command) => command.do === 'wait');
    const [call] = waits ? [] : open.splice(pick(open), 1);
    const outcome: CompactionOutcome = call === undefined ? { type: 'waited' } : { ...respond(call), ...at(call) };
    step = stepCompaction(step.state, outcome, scene());
  }
  throw new RangeError('a compaction that never ends');
}

const at = ({ call }: Call) => ({ call });

/** Ends what a killed server left open, as recovery does. */
export function recovers(log: LogBuilder): LogBuilder {
  const open = log.state().openCompaction;
  if (open === null) return log;
  const { compactionId } = open;
  return log.appends({ type: 'compaction.ended', compactionId, outcome: 'failed', reason: 'interrupted' });
}

/** The provider says that the request is larger than it takes. */
export const overflow = () => breaks('context');
/** How many calls of each stage were made. */
export function countStages(calls: readonly Call[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const call of calls) counts[stageOf(call)] = (counts[stageOf(call)] ?? 0) + 1;
  return counts;
}

/** The events of one type, in order. */
export function eventsOf<T extends NewEvent['type']>(
  events: readonly NewEvent[],
  type: T,
): readonly Extract<NewEvent, { readonly type: T }>[] {
  return events.filter((event): event is Extract<NewEvent, { readonly type: T }> => event.type === type);
}

/**
 * A whole compaction around instant replies, for the bench of perf-F5: what the machine itself costs, requests rendered and
 * staging folded, without a disk. `scene` is that of a conversation whose segments the window of the job makes. Gives the
 * number of requests by stage.
 */
export function orchestrate(job: CompactionJob, scene: CompactionScene): Readonly<Record<string, number>> {
  const calls: Call[] = [];
  let open: readonly Call[] = [];
  let step = startCompaction(job, scene);
  while (!step.commands.some(({ do: what }) => what === 'done')) {
    const made = step.commands.filter((command) => command.do === 'call');
    calls.push(...made);
    const [call, ...rest] = [...open, ...made];
    if (call === undefined) throw new RangeError('a compaction stood still');
    open = rest;
    step = stepCompaction(step.state, { ...oblige(call), ...at(call) }, scene);
  }
  return countStages(calls);
}
