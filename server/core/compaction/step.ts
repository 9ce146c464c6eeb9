import type { Model } from '@/server/contract/shapes';
import { isSamePrompt } from '@/server/core/prompt/behind';
import { endOf, textOf } from '@/server/core/turn/collect-reply';
import { isSameModel, type ReplyEnd, startOfChain, type Trouble, toDetail } from '@/server/core/turn/model-call';
import { acceptSummary } from './accept';
import { fitsSummariser } from './fit';
import { planInstallation, toBounds } from './install';
import { type CompactionPlan, planCompaction } from './plan';
import { renderSummaryRequest, type SummaryRequest } from './render';
import { toAttempt, toCommit, toEnded, toPromptKept, toStarted } from './step-events';
import type {
  CompactionCommand,
  CompactionJob,
  CompactionMachine,
  CompactionOutcome,
  CompactionScene,
  CompactionStep,
  LastFailure,
} from './step-shape';

/*
 * One-shot compaction:
 *
 *   start ── nothing to do ──────────────────────────────────────────────► done (nothing | skipped)
 *     │
 *     ▼        transport: wait, same request
 *   calling ◄──────────────────────────────── waiting
 *     │  ▲──── rejected: same model, reason named (content tries) ┐
 *     │  ▲──── next model of the chain ───────────────────────────┤
 *     │  ▲──── over_commit: planned anew with a shorter tail ─────┘
 *     ├── accepted ──► prompt.kept?, checkpoint.committed, compaction.ended ──► done (committed)
 *     ├── chain spent ──────────────────────────────────────────────────────► done (failed | rejected)
 *     └── cancelled, from anywhere ─────────────────────────────────────────► done (cancelled)
 *
 * A candidate never changes the committed view before the commit batch (C8). Where no model of the chain can take
 * the source in one request, MapReduce will take over; until then that is a failure with its own reason.
 */

export const TOO_LARGE = 'too_large_for_one_request';
const MOST_REPLANS = 2;

/** Plans and makes the first request. An automatic compaction that cannot cover anything leaves no line. */
export function startCompaction(job: CompactionJob, scene: CompactionScene): CompactionStep {
  const machine: CompactionMachine = {
    job,
    phase: 'calling',
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
  const started: CompactionCommand = { do: 'append', events: [toStarted(job, scene, plan)] };
  return prepend([started], call({ ...machine, go: plan }, scene));
}

/** One outcome of a command, with the session as it is now; the answer says what to do next. */
export function stepCompaction(
  machine: CompactionMachine,
  outcome: CompactionOutcome,
  scene: CompactionScene,
): CompactionStep {
  if (machine.phase === 'done') return { state: machine, commands: [] };
  switch (outcome.type) {
    case 'waited':
      return machine.phase === 'waiting' ? call(machine, scene) : { state: machine, commands: [] };
    case 'cancelled':
      return cancel(machine, outcome, scene);
    case 'replied': {
      const end = endOf(outcome.reply);
      if (end.end === 'cancelled') return cancel(machine, outcome, scene);
      return isTransport(end) ? failTransport(machine, outcome, end, scene) : judge(machine, outcome, end, scene);
    }
  }
}

type Replied = Extract<CompactionOutcome, { type: 'replied' }>;
type Cancelled = Pick<Replied, 'ms'> & { readonly reply: Replied['reply'] | null };

function planFor(job: CompactionJob, scene: CompactionScene, tailLimitBytes: number | null): CompactionPlan {
  const { trigger, upToItemId, keepTail, settings, minSourceBytes, agentModel, disk } = job;
  const request = { trigger, upToItemId, keepTail, settings, minSourceBytes, model: agentModel, disk, tailLimitBytes };
  return planCompaction(scene.state, scene.numbers, request);
}

/** The request for the model in turn, or for the next one that it fits. */
function call(machine: CompactionMachine, scene: CompactionScene): CompactionStep {
  const { job, go, index } = machine;
  const model = job.chain[index];
  if (go === null || model === undefined) return exhausted(machine, scene);
  const requests = formsFor(machine, model, scene).map((form) => requestFor(machine, form, scene));
  const request = requests.find(({ measureBytes }) =>
    fitsSummariser(measureBytes, job.factsOf(model), scene.numbers.budgetBytes),
  );
  if (request === undefined) return advance(machine, { outcome: 'failed', reason: TOO_LARGE, detail: null }, scene);
  const attempt = { n: index + 1, of: job.chain.length, after: index === 0 ? null : (machine.last?.reason ?? null) };
  const commands: CompactionCommand[] = [
    { do: 'say', stage: 'one_shot', model, attempt },
    { do: 'call', model, request },
  ];
  return { state: { ...machine, phase: 'calling', attempts: machine.attempts + 1, request }, commands };
}

/**
 * The forms a request to this model may take, best first. Its own prefix is shared with the conversation's cache; where
 * that is too large, the same source without tool schemas may still fit a small window.
 */
function formsFor({ job, isSerialised }: CompactionMachine, model: Model, { state }: CompactionScene) {
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

/** Broken connections, limits and refusals of the request itself; what a model wrote or declined is content. */
export function isTransport({ trouble }: ReplyEnd): boolean {
  return trouble !== null && trouble.kind !== 'incomplete' && trouble.kind !== 'refusal';
}

function failTransport(machine: CompactionMachine, { reply, ms }: Replied, end: ReplyEnd, scene: CompactionScene) {
  const { trouble } = end;
  if (trouble === null) return judge(machine, { type: 'replied', reply, ms }, end, scene);
  const tooLarge = trouble.kind === 'context' || trouble.kind === 'too_large';
  // A stream that broke off before its end is a network matter, and named as the missing end it is (C8).
  const kind = trouble.code === 'cut_off' ? 'incomplete:cut_off' : trouble.kind;
  const detail = toDetail(trouble);
  const failure: LastFailure = { outcome: 'failed', reason: tooLarge ? TOO_LARGE : kind, detail };
  const attempt = toAttempt({ machine, end, ms, outcome: 'failed', reason: kind, detail });
  const noted: CompactionCommand[] = [{ do: 'append', events: [attempt] }, { do: 'reset' }];
  // The same request is never sent again unchanged after an overflow (case-A14): no retry decision is asked for.
  const decided = tooLarge ? null : machine.job.retry(machine.position, trouble);
  if (decided?.command.do === 'wait') {
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
  const installation = planInstallation(scene.state, go);
  const { natural, rawEnd, trouble } = end;
  const calledTool = reply.calls.length > 0;
  const candidate = { text: textOf(reply), natural, end: end.end, rawEnd, trouble: nameTrouble(trouble), calledTool };
  const accepted = acceptSummary(candidate, toBounds(scene.state, go, installation));
  if (accepted.ok) {
    const attempt = toAttempt({ machine, end, ms, outcome: 'accepted', reason: null, detail: null });
    const model = machine.job.chain[machine.index];
    const commit = toCommit({ machine, scene, go, installation, model, accepted, usage: end.usage });
    return {
      state: { ...machine, phase: 'done' },
      commands: [{ do: 'append', events: [attempt, ...commit.events] }, commit.done],
    };
  }
  const { reason } = accepted;
  const detail = trouble === null ? null : toDetail(trouble);
  const attempt = toAttempt({ machine, end, ms, outcome: 'rejected', reason, detail });
  const noted: CompactionCommand[] = [{ do: 'append', events: [attempt] }, { do: 'reset' }];
  const rejected = { ...machine, isSerialised: machine.isSerialised || calledTool };
  return prepend(noted, afterRejection(rejected, { outcome: 'rejected', reason, detail }, scene));
}

/** How an unnatural end is named; a reply that stopped without a word is left to the check for empty texts. */
export function nameTrouble(trouble: Trouble | null): string | null {
  if (trouble?.kind !== 'incomplete') return trouble?.kind ?? null;
  return trouble.code === 'empty' ? null : (trouble.code ?? trouble.kind);
}

function afterRejection(machine: CompactionMachine, failure: LastFailure, scene: CompactionScene): CompactionStep {
  const { job, go, contentTry, replans } = machine;
  if (failure.reason === 'source_changed') return exhausted({ ...machine, last: failure }, scene);
  if (failure.reason === 'over_commit' && go !== null && go.tail.length > 0 && replans < MOST_REPLANS) {
    // First half of the tail, then none at all: never by dropping items from it after the summary was written.
    const plan = planFor(job, scene, replans === 0 ? Math.floor(go.tailBytes / 2) : 0);
    if (plan.kind === 'go') return call({ ...machine, go: plan, replans: replans + 1, last: failure }, scene);
  }
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

/** Chain spent: source and committed view stay as they are, and the last reason is said (S5). */
function exhausted(machine: CompactionMachine, scene: CompactionScene): CompactionStep {
  const { outcome, reason, detail } = machine.last ?? { outcome: 'failed', reason: 'no_model', detail: null };
  const ended = toEnded(machine, scene, { outcome, reason, after: null, detail });
  return { state: { ...machine, phase: 'done' }, commands: [{ do: 'append', events: [ended.event] }, ended.done] };
}

function cancel(machine: CompactionMachine, { reply, ms }: Cancelled, scene: CompactionScene): CompactionStep {
  const end = reply?.end ?? null;
  const isUnderWay = machine.phase === 'calling' && machine.request !== null;
  const attempts = isUnderWay
    ? [toAttempt({ machine, end, ms, outcome: 'cancelled', reason: 'cancelled', detail: null })]
    : [];
  const ended = toEnded(machine, scene, { outcome: 'cancelled', reason: 'cancelled', after: null, detail: null });
  const commands: CompactionCommand[] = [
    { do: 'reset' },
    { do: 'append', events: [...attempts, ended.event] },
    ended.done,
  ];
  return { state: { ...machine, phase: 'done' }, commands };
}

/** Asked for, but nothing to write: the prompt is composed anew all the same, that is what the request is for (C3). */
function skip(machine: CompactionMachine, scene: CompactionScene, kind: SkipKind): CompactionStep {
  const { job } = machine;
  const moved = !isSamePrompt(scene.state.keptPrompt, job.prompt);
  const reason = kind === 'skip' || kind === 'nothing' ? 'too_short' : kind;
  const ended = toEnded(machine, scene, { outcome: 'skipped', reason, after: scene.viewBytes, detail: null });
  const events = [toStarted(job, scene, null), ...(moved ? [toPromptKept(job)] : []), ended.event];
  return { state: { ...machine, phase: 'done' }, commands: [{ do: 'append', events }, ended.done] };
}

type SkipKind = Exclude<CompactionPlan['kind'], 'go'>;

function nothing(machine: CompactionMachine, kind: SkipKind): CompactionStep {
  const reason = kind === 'skip' ? 'nothing' : kind;
  const numbers = { checkpointId: null, before: null, after: null, dropped: [], detail: null };
  return { state: { ...machine, phase: 'done' }, commands: [{ do: 'done', outcome: 'nothing', reason, ...numbers }] };
}

function prepend(commands: readonly CompactionCommand[], next: CompactionStep): CompactionStep {
  return { state: next.state, commands: [...commands, ...next.commands] };
}
