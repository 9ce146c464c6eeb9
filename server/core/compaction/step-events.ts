import type { Model, TroubleDetail, Usage } from '@/server/contract/shapes';
import type { NewEvent } from '@/server/core/log/new-event';
import { isSamePrompt } from '@/server/core/prompt/behind';
import type { Acceptance } from './accept';
import { isSilent } from './attempt';
import { type Installation, toCheckpoint } from './install';
import type { CompactionGo } from './plan';
import { toRange } from './source';
import type { CompactionDone, CompactionJob, CompactionScene, EndedOutcome } from './step-job';
import type { CompactionMachine } from './step-shape';

/** The lines a compaction writes. `go` null: there is nothing to write from. */
export function toStarted(job: CompactionJob, scene: CompactionScene, go: CompactionGo | null): NewEvent {
  const { budgetBytes, floorBytes, roomBytes, triggerBytes, commitBytes } = scene.numbers;
  return {
    type: 'compaction.started',
    compactionId: job.compactionId,
    trigger: job.trigger,
    turnId: job.turnId,
    by: job.by,
    focus: job.focus,
    source: go?.source.range ?? null,
    fingerprint: go?.source.fingerprint ?? null,
    keep: go?.keep.items.map((item) => item.id) ?? [],
    tail: go === null || go.tail.length === 0 ? null : toRange(go.tail),
    numbers: {
      budget: budgetBytes,
      floor: floorBytes,
      room: roomBytes,
      trigger: triggerBytes,
      commit: commitBytes,
      view: scene.viewBytes,
    },
    chain: [...job.chain],
  };
}

/** The prompt composed anew, kept just before the checkpoint that is written against it (P5). */
export function toPromptKept(job: CompactionJob): NewEvent {
  return { type: 'prompt.kept', id: job.promptEventId, ...job.prompt, why: 'compaction' };
}

export interface EndInput {
  readonly outcome: EndedOutcome;
  readonly reason: string | null;
  readonly after: number | null;
  readonly detail: TroubleDetail | null;
}

/** The end of a compaction, as its event and as the answer to who ran it. Bytes of the conversation. */
export function toEnded(
  machine: CompactionMachine,
  scene: CompactionScene,
  { outcome, reason, after, detail }: EndInput,
): { readonly event: NewEvent; readonly done: CompactionDone } {
  const before = scene.viewBytes;
  const { compactionId } = machine.job;
  const event: NewEvent = { type: 'compaction.ended', compactionId, outcome, reason, before, after };
  return { event, done: { do: 'done', outcome, reason, checkpointId: null, before, after, dropped: [], detail } };
}

export interface CommitBatchInput {
  readonly machine: CompactionMachine;
  readonly scene: CompactionScene;
  readonly go: CompactionGo;
  readonly installation: Installation;
  readonly model: Model | undefined;
  readonly accepted: Extract<Acceptance, { ok: true }>;
  readonly usage: Usage | null;
  readonly method: 'one_shot' | 'map_reduce';
}

/** `prompt.kept?`, `checkpoint.committed`, `compaction.ended`: one batch (`contract.md` 4). */
export function toCommit(input: CommitBatchInput): {
  readonly events: readonly NewEvent[];
  readonly done: CompactionDone;
} {
  const { machine, scene, go, installation, accepted, usage } = input;
  const { job } = machine;
  const moved = !isSamePrompt(scene.state.keptPrompt, job.prompt);
  const after = installation.install(accepted.body) + go.keep.bytes + go.tailBytes;
  const checkpoint = toCheckpoint({
    state: scene.state,
    go,
    installation,
    body: accepted.body,
    checks: accepted.checks,
    checkpointId: job.checkpointId,
    compactionId: job.compactionId,
    promptId: moved ? job.promptEventId : (scene.state.keptPrompt?.id ?? null),
    promptRecomposed: moved,
    model: input.model ?? { provider: 'none', model: 'none' },
    usage: usage === null || isSilent(usage) ? null : usage,
    method: input.method,
    edited: false,
  });
  const ended = toEnded(machine, scene, { outcome: 'committed', reason: null, after, detail: null });
  const events = [...(moved ? [toPromptKept(job)] : []), checkpoint, ended.event];
  const { dropped } = installation.carry;
  return { events, done: { ...ended.done, checkpointId: job.checkpointId, dropped } };
}
