import { defaultSettings } from '@/server/contract/settings';
import type { Model } from '@/server/contract/shapes';
import type { FloorBytes } from '@/server/core/budget/floor';
import { type NumberSettings, type Numbers, planNumbers } from '@/server/core/budget/numbers';
import type { ComposedPrompt } from '@/server/core/prompt/compose';
import type { ReplyEnd } from '@/server/core/turn/model-call';
import type { Workspace } from '@/server/ports/workspace';
import type { SampleLog } from './sample-log';

/** No model: whoever reads the log is told so by its name. */
export const WRITTEN_BY_HAND: Model = { provider: 'sample', model: 'written-by-hand' };

/** What a story is played on. */
export interface Stage {
  readonly log: SampleLog;
  readonly prompt: ComposedPrompt;
  readonly workspace: Workspace;
  readonly budgetBytes: number;
  /** Texts of each compaction in the order they are tried; the last one must be accepted. */
  readonly summaries: readonly (readonly string[])[];
}

export const NUMBER_SETTINGS: NumberSettings = {
  preset: defaultSettings.compaction.preset,
  triggerRatio: defaultSettings.compaction.trigger_ratio,
  tailRatio: defaultSettings.compaction.tail_ratio,
  lowMarkRatio: defaultSettings.compaction.low_mark_ratio,
  carryBoundBytes: defaultSettings.carry_over.bound_bytes,
  resultCapBytes: defaultSettings.tools.result_cap_bytes,
};

export function numbersOn({ budgetBytes }: Stage, floor: FloorBytes): Numbers {
  return planNumbers({ budgetBytes, floor, settings: NUMBER_SETTINGS, thriftyTriggerBytes: null });
}

export const neverRetry = (): never => {
  throw new Error('nothing fails in a story');
};

/** Nobody reported tokens, so none are told. */
export function toEnd(end: 'stop' | 'tool_calls', requestBytes: number): ReplyEnd {
  const usage = { input: null, output: null, cachedRead: null, cachedWrite: null, reasoning: null };
  return { type: 'end', end, rawEnd: end, natural: end === 'stop', usage, requestBytes, ceiling: null, trouble: null };
}
