import type { NewEvent } from '@/server/core/log/new-event';
import { answerLegacy } from '@/server/core/map-reduce/legacy';
import { applyStaging, foldStaging } from '@/server/core/map-reduce/staging';
import { cancelMapReduce, refuseMapReduce, startMapReduce, stepMapReduce } from '@/server/core/map-reduce/step';
import type { MapReduceStep } from '@/server/core/map-reduce/step-shape';
import { endOf } from '@/server/core/turn/collect-reply';
import { isSameModel, type ReplyEnd, startOfChain, toDetail } from '@/server/core/turn/model-call';
import { type Acceptance, acceptSummary, type SummaryReply } from './accept';
import { isOverflow, isTransport, nameTransport, toAttempt, toSummaryReply } from './attempt';
import { fitsSummariser } from './fit';
import { planInstallation, toBounds } from './install';
import { type CompactionPlan, planCompaction } from './plan';
import { renderSummaryRequest, type SummaryRequest } from './render';
import { exhausted, nothing, prepend, skip } from './step-ends';
import { toCommit, toEnded, toStarted } from './step-events';
import type { CompactionCommand, CompactionJob, CompactionOutcome, CompactionScene, LastFailure } from './step-job';
import type { CompactionMachine, CompactionStep } from './step-shape';

/*
 * A compaction:
 *
 *   start ── nothing to do ──────────────────────────────────────────────► done (nothing | skipped)
 *     │
 *     ▼        transport: wait, same request
 *   calling ◄──────────────────────────────── waiting
 *     │  ▲──── rejected: same model, reason named (content tries) ┐
 *     │  ▲──── next model of the chain ───────────────────────────┤
 *     │  ▲──── over_commit: planned anew with a shorter tail ─────┤
 *     ▼                                                           │
 *   segments ── where this model takes no request of the whole source (R0), or said so itself
 *     ├── accepted, from either ──► prompt.kept?, checkpoint.committed, compaction.ended ──► done (committed)
 *     ├── chain spent ──────────────────────────────────────────────────────► done (failed | rejected)
 *     └── cancelled, from anywhere ─────────────────────────────────────────► done (cancelled)
 *
 * A candidate never changes the committed view before the commit batch (C8).
 */

const MOST_REPLANS = 2;

/** Plans and makes the first request. An automatic compaction that cannot cover anything leaves no line. */
export function startCompaction(job: CompactionJob, scene: CompactionScene): CompactionStep {
  const staging = foldStaging(scene.state.compactions);
  const machine: CompactionMachine = {
    job,
    phase: 'calling',
    segments: null,
    staging,
    go: null,
    index: 0,
    attempts: 0,
    contentTry: 1,
    position: startOfChain(job.chain.slice(0, 1)),
    rejection: null,
    isSerialised: false,
    replans: 0,
    request: null,
    last: null,
  };
  const plan = planFor(job, scene, null);
  if (plan.kind !== 'go')
    return job.trigger === 'manual' ? skip(machine, scene, plan.kind) : nothing(machine, plan.kind);
  const legacy = answerLegacy(staging, job.compactionId);
  const events: readonly NewEvent[] = [toStarted(job, scene, plan), ...legacy.events];
  const begun = { ...machine, go: plan, staging: events.reduce(applyStaging, staging) };
  return prepend([{ do: 'append', events }, ...legacy.notices], call(begun, scene));
}

/** One outcome of a command, with the session as it is now; the answer says what to do next. */
export function stepCompaction(
  machine: CompactionMachine,
  outcome: CompactionOutcome,
  scene: CompactionScene,
): CompactionStep {
  if (machine.phase === 'done') return { state: machine, commands: [] };
  const isStopped =
    outcome.type === 'cancelled' || (outcome.type === 'replied' && endOf(outcome.reply).end === 'cancelled');
  if (isStopped) return cancel(machine, outcome, scene);
  if (machine.phase === 'segments' && machine.segments !== null)
    return takeSegments(machine, stepMapReduce(machine.segments, outcome, scene), scene);
  if (outcome.type === 'waited')
    return machine.phase === 'waiting' ? call(machine, scene) : { state: machine, commands: [] };
  const end = endOf(outcome.reply);
  return isTransport(end.trouble) ? failTransport(machine, outcome, end, scene) : judge(machine, outcome, end, scene);
}

type Replied = Extract<CompactionOutcome, { type: 'replied' }>;

function planFor(job: CompactionJob, scene: CompactionScene, tailLimitBytes: number | null): CompactionPlan {
  const { trigger, upToItemId, keepTail, settings, minSourceBytes, agentModel, disk } = job;
  const request = { trigger, upToItemId, keepTail, settings, minSourceBytes, model: agentModel, disk, tailLimitBytes };
  return planCompaction(scene.state, scene.numbers, request);
}

/** The request for the model in turn, or segments where it takes none of the whole source (R0). */
function call(machine: CompactionMachine, scene: CompactionScene): CompactionStep {
  const { job, go, index } = machine;
  const model = job.chain[index];
  if (go === null || model === undefined) return exhausted(machine, scene);
  const requests = formsFor(machine, model, scene).map((form) => requestFor(machine, form, scene));
  const request = requests.find(({ measureBytes }) =>
    fitsSummariser(measureBytes, job.factsOf(model), scene.numbers.budgetBytes),
  );
  if (request === undefined) return beginSegments(machine, scene);
  const attempts = machine.attempts + 1;
  const attempt = { n: index + 1, of: job.chain.length, after: leftBecause(machine) };
  const commands: CompactionCommand[] = [
    { do: 'say', stage: 'one_shot', model, attempt },
    { do: 'call', call: attempts, model, request, ceilingTokens: null },
  ];
  return { state: { ...machine, phase: 'calling', segments: null, attempts, request }, commands };
}

/** The model in turn reads the source in segments, from what stands accepted. */
function beginSegments(machine: CompactionMachine, scene: CompactionScene): CompactionStep {
  const { job, go, index, staging, attempts } = machine;
  const model = job.chain[index];
  if (go === null || model === undefined) return exhausted(machine, scene);
  const after = leftBecause(machine);
  return takeSegments(machine, startMapReduce({ job, go, index, model, staging, attempts, after }, scene), scene);
}

/** Why the model before was left; null for the first of the chain. */
function leftBecause({ index, last }: CompactionMachine): string | null {
  return index === 0 ? null : (last?.reason ?? null);
}

function takeSegments(machine: CompactionMachine, step: MapReduceStep, scene: CompactionScene): CompactionStep {
  const { state: segments, commands, exit } = step;
  const { staging, attempts } = segments;
  const next: CompactionMachine = { ...machine, phase: 'segments', segments, staging, attempts, request: null };
  if (exit === null) return { state: next, commands };
  if (exit.kind === 'candidate') return prepend(commands, judgeSegments(next, exit.text, scene));
  const { failure } = exit;
  return prepend(commands, exit.advance ? advance(next, failure, scene) : exhausted({ ...next, last: failure }, scene));
}

/** A pass of the audit decides nothing alone: the table of `contract.md` 11 comes after it. */
function judgeSegments(machine: CompactionMachine, text: string, scene: CompactionScene): CompactionStep {
  const { go, segments } = machine;
  if (go === null || segments === null) return exhausted(machine, scene);
  const whole: SummaryReply = { text, natural: true, end: 'stop', rawEnd: 'stop', trouble: null, calledTool: false };
  const installation = planInstallation(scene.state, go);
  const accepted = acceptSummary(whole, toBounds(scene.state, go, installation));
  if (accepted.ok) return commit(machine, scene, { accepted, usage: segments.usage, method: 'map_reduce', before: [] });
  const failure: LastFailure = { outcome: 'rejected', reason: accepted.reason, detail: null };
  const replanned = replan(machine, failure, scene);
  if (replanned !== null) return replanned;
  return takeSegments(machine, refuseMapReduce(segments, accepted.reason, scene), scene);
}

/**
 * The forms a request to this model may take, best first. Its own prefix is shared with the conversation's cache; where
 * that is too large, the same source without tool schemas may still fit a small window.
 */
function formsFor(
  { job, isSerialised }: CompactionMachine,
  model: CompactionJob['chain'][number],
  { state }: CompactionScene,
) {
  const isOwn = job.agentModel !== null && isSameModel(model, job.agentModel);
  const forms: SummaryRequest['form'][] = isOwn && state.trims.length === 0 && !isSerialised ? ['prefix'] : [];
  return [...forms, 'serialised' as const];
}

function requestFor(machine: CompactionMachine, form: SummaryRequest['form'], { state, view }: CompactionScene) {
  const { job, go, rejection } = machine;
  if (go === null) throw new RangeError('a request needs a plan');
  const { prompt, focus, instructions } = job;
  return renderSummaryRequest({ state, go, view, prompt, form, focus, installation: instructions, rejection });
}

interface Booked extends Pick<Parameters<typeof toAttempt>[0], 'end' | 'ms' | 'outcome' | 'reason' | 'detail'> {}

function bookAttempt({ job, index, attempts, request }: CompactionMachine, booked: Booked): NewEvent {
  const measureBytes = request?.measureBytes ?? 0;
  return toAttempt({
    job,
    model: job.chain[index],
    n: attempts,
    stage: 'one_shot',
    segment: null,
    measureBytes,
    ...booked,
  });
}

function failTransport(machine: CompactionMachine, { reply, ms }: Replied, end: ReplyEnd, scene: CompactionScene) {
  const { trouble } = end;
  if (trouble === null) return judge(machine, { type: 'replied', reply, ms }, end, scene);
  const reason = nameTransport(trouble);
  const detail = toDetail(trouble);
  const failure: LastFailure = { outcome: 'failed', reason, detail };
  const attempt = bookAttempt(machine, { end, ms, outcome: 'failed', reason, detail });
  const noted: CompactionCommand[] = [{ do: 'append', events: [attempt] }, { do: 'reset' }];
  // The same request is never sent again unchanged after an overflow (case-A14): its parts are.
  if (isOverflow(trouble)) return prepend(noted, beginSegments({ ...machine, last: failure }, scene));
  const decided = machine.job.retry(machine.position, trouble);
  if (decided.command.do === 'wait') {
    const waiting: CompactionMachine = { ...machine, phase: 'waiting', position: decided.state, last: failure };
    return { state: waiting, commands: [...noted, { do: 'wait' as const, ms: decided.command.waitMs }] };
  }
  return prepend(noted, advance(machine, failure, scene));
}

/** The acceptance table; a rejected text is dropped from the candidate and from the screen (C9). */
function judge(
  machine: CompactionMachine,
  { reply, ms }: Replied,
  end: ReplyEnd,
  scene: CompactionScene,
): CompactionStep {
  const { go } = machine;
  if (go === null) return exhausted(machine, scene);
  const accepted = acceptSummary(
    toSummaryReply(reply, end),
    toBounds(scene.state, go, planInstallation(scene.state, go)),
  );
  if (accepted.ok) {
    const attempt = bookAttempt(machine, { end, ms, outcome: 'accepted', reason: null, detail: null });
    return commit(machine, scene, { accepted, usage: end.usage, method: 'one_shot', before: [attempt] });
  }
  const { reason } = accepted;
  const detail = end.trouble === null ? null : toDetail(end.trouble);
  const attempt = bookAttempt(machine, { end, ms, outcome: 'rejected', reason, detail });
  const noted: CompactionCommand[] = [{ do: 'append', events: [attempt] }, { do: 'reset' }];
  const rejected = { ...machine, isSerialised: machine.isSerialised || reply.calls.length > 0 };
  return prepend(noted, afterRejection(rejected, { outcome: 'rejected', reason, detail }, scene));
}

interface Committing {
  readonly accepted: Extract<Acceptance, { ok: true }>;
  readonly usage: ReplyEnd['usage'] | null;
  readonly method: 'one_shot' | 'map_reduce';
  /** Lines that stand before the commit in its batch. */
  readonly before: readonly NewEvent[];
}

function commit(machine: CompactionMachine, scene: CompactionScene, committing: Committing): CompactionStep {
  const { job, go, index } = machine;
  if (go === null) return exhausted(machine, scene);
  const { before, ...fields } = committing;
  const installation = planInstallation(scene.state, go);
  const batch = toCommit({ machine, scene, go, installation, model: job.chain[index], ...fields });
  const events = [...before, ...batch.events];
  return { state: { ...machine, phase: 'done' }, commands: [{ do: 'append', events }, batch.done] };
}

/** A source that changed ends it; one that left too little room beside it is planned anew. Null: neither. */
function replan(machine: CompactionMachine, failure: LastFailure, scene: CompactionScene): CompactionStep | null {
  const { job, go, replans } = machine;
  if (failure.reason === 'source_changed') return exhausted({ ...machine, last: failure }, scene);
  if (failure.reason !== 'over_commit' || go === null || go.tail.length === 0 || replans >= MOST_REPLANS) return null;
  // First half of the tail, then none at all: never by dropping items from it after the summary was written.
  const plan = planFor(job, scene, replans === 0 ? Math.floor(go.tailBytes / 2) : 0);
  return plan.kind === 'go' ? call({ ...machine, go: plan, replans: replans + 1, last: failure }, scene) : null;
}

function afterRejection(machine: CompactionMachine, failure: LastFailure, scene: CompactionScene): CompactionStep {
  const { job, contentTry } = machine;
  const replanned = replan(machine, failure, scene);
  if (replanned !== null) return replanned;
  if (contentTry >= job.contentTries) return advance(machine, failure, scene);
  const position = startOfChain(job.chain.slice(machine.index, machine.index + 1));
  const again = { ...machine, contentTry: contentTry + 1, rejection: failure.reason, position, last: failure };
  return call(again, scene);
}

/** The next model starts fresh: nothing that the one before wrote or did is held against it. */
function advance(machine: CompactionMachine, failure: LastFailure, scene: CompactionScene): CompactionStep {
  const index = machine.index + 1;
  const position = startOfChain(machine.job.chain.slice(index, index + 1));
  const next = { ...machine, index, position, contentTry: 1, rejection: null, last: failure };
  return call(next, scene);
}

function cancel(
  machine: CompactionMachine,
  outcome: Exclude<CompactionOutcome, { type: 'waited' }> | { readonly type: 'waited' },
  scene: CompactionScene,
): CompactionStep {
  const ended = toEnded(machine, scene, { outcome: 'cancelled', reason: 'cancelled', after: null, detail: null });
  const events = outcome.type === 'waited' ? [] : stoppedAttempts(machine, outcome);
  const commands: CompactionCommand[] = [
    { do: 'reset' },
    { do: 'append', events: [...events, ended.event] },
    ended.done,
  ];
  return { state: { ...machine, phase: 'done' }, commands };
}

/** Requests that were under way, each with a line of its own. */
function stoppedAttempts(
  machine: CompactionMachine,
  outcome: Exclude<CompactionOutcome, { type: 'waited' }>,
): readonly NewEvent[] {
  if (machine.phase === 'segments' && machine.segments !== null)
    return cancelMapReduce(machine.segments, outcome).events;
  if (machine.phase !== 'calling' || machine.request === null) return [];
  const { reply, ms } = outcome;
  return [
    bookAttempt(machine, { end: reply?.end ?? null, ms, outcome: 'cancelled', reason: 'cancelled', detail: null }),
  ];
}
