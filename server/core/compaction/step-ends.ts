import { isSamePrompt } from '@/server/core/prompt/behind';
import type { CompactionPlan } from './plan';
import { toEnded, toPromptKept, toStarted } from './step-events';
import type { CompactionCommand, CompactionScene } from './step-job';
import type { CompactionMachine, CompactionStep } from './step-shape';

/** Chain spent: source, committed view and staging stay as they are, and the last reason is said (S5). */
export function exhausted(machine: CompactionMachine, scene: CompactionScene): CompactionStep {
  const { outcome, reason, detail } = machine.last ?? { outcome: 'failed', reason: 'no_model', detail: null };
  const ended = toEnded(machine, scene, { outcome, reason, after: null, detail });
  return { state: { ...machine, phase: 'done' }, commands: [{ do: 'append', events: [ended.event] }, ended.done] };
}

export type SkipKind = Exclude<CompactionPlan['kind'], 'go'>;

/** Asked for, but nothing to write: the prompt is composed anew all the same, that is what the request is for (C3). */
export function skip(machine: CompactionMachine, scene: CompactionScene, kind: SkipKind): CompactionStep {
  const { job } = machine;
  const moved = !isSamePrompt(scene.state.keptPrompt, job.prompt);
  const reason = kind === 'skip' || kind === 'nothing' ? 'too_short' : kind;
  const ended = toEnded(machine, scene, { outcome: 'skipped', reason, after: scene.viewBytes, detail: null });
  const events = [toStarted(job, scene, null), ...(moved ? [toPromptKept(job)] : []), ended.event];
  return { state: { ...machine, phase: 'done' }, commands: [{ do: 'append', events }, ended.done] };
}

/** An automatic compaction that could cover nothing: no line is written. */
export function nothing(machine: CompactionMachine, kind: SkipKind): CompactionStep {
  const reason = kind === 'skip' ? 'nothing' : kind;
  const numbers = { checkpointId: null, before: null, after: null, dropped: [], detail: null };
  return { state: { ...machine, phase: 'done' }, commands: [{ do: 'done', outcome: 'nothing', reason, ...numbers }] };
}

/** What was to be done already, then what the next step wants. */
export function prepend(commands: readonly CompactionCommand[], next: CompactionStep): CompactionStep {
  return { state: next.state, commands: [...commands, ...next.commands] };
}
