import type { SummarizerTestRow } from '@/server/contract/settings';
import { type NumberSettings, planNumbers } from '@/server/core/budget/numbers';
import { aLog } from '@/server/core/projection/log-builder';
import { projectView } from '@/server/core/projection/model-view';
import type { LogState, SessionState } from '@/server/core/projection/state-shape';
import type { ComposedPrompt } from '@/server/core/prompt/compose';
import { endOf, type PartialReply, textOf } from '@/server/core/turn/collect-reply';
import { toDetail } from '@/server/core/turn/model-call';
import { acceptSummary } from './accept';
import { isTransport, nameTrouble } from './attempt';
import { planInstallation, toBounds } from './install';
import { type CompactionGo, planCompaction } from './plan';
import { renderSummaryRequest, type SummaryRequest } from './render';
import { SAMPLE_LINES } from './sample-lines';

/** A compaction of the built-in sample, planned as one that is asked for, up to the request. Nothing of it is stored. */
export interface SampleCompaction {
  readonly log: LogState;
  readonly request: SummaryRequest;
  readonly sample: { readonly lines: number; readonly bytes: number };
  /** Holds a reply against the very checks of a real one (C8). */
  readonly judge: (reply: PartialReply) => Pick<SummarizerTestRow, 'outcome' | 'reason' | 'detail' | 'bytes'>;
}

export interface SampleInput {
  readonly prompt: ComposedPrompt;
  readonly settings: NumberSettings;
  /** `compaction.instructions`: the sample is folded with them, as conversations are. */
  readonly instructions: string;
}

/** The budget the sample is folded for: any that it fits, so that the summariser alone is tried. Bytes. */
const SAMPLE_BUDGET_BYTES = 100_000;

/** Plans what each row of *Test order* is sent: always in a request of its own, without tools. */
export function planSampleCompaction({ prompt, settings, instructions }: SampleInput): SampleCompaction {
  const log = tellSample();
  const state = log.state();
  const view = projectView({ state, prompt, model: null, moment: 'entry' });
  const numbers = planNumbers({
    budgetBytes: SAMPLE_BUDGET_BYTES + prompt.bytes + prompt.toolsBytes,
    floor: view.floor,
    settings: { ...settings, preset: 'roomy' },
    thriftyTriggerBytes: null,
  });
  const go = planSample(state, { settings, numbers });
  const request = renderSummaryRequest({
    ...{ state, go, view, prompt, form: 'serialised', focus: null },
    ...{ installation: instructions, rejection: null },
  });
  const sample = { lines: state.items.length, bytes: go.source.bytes };
  return { log: log.log(), request, sample, judge: (reply) => judgeSample(reply, { state, go }) };
}

function tellSample(): ReturnType<typeof aLog> {
  const log = aLog();
  for (const [question, answer] of SAMPLE_LINES) log.says(question).replies(answer);
  return log;
}

function planSample(
  state: SessionState,
  { settings, numbers }: { readonly settings: NumberSettings; readonly numbers: CompactionGo['numbers'] },
): CompactionGo {
  const plan = planCompaction(state, numbers, {
    ...{ trigger: 'manual', upToItemId: null, keepTail: false, settings, minSourceBytes: 0 },
    ...{ model: null, disk: new Map(), tailLimitBytes: null },
  });
  if (plan.kind !== 'go') throw new RangeError('the sample can always be folded');
  return plan;
}

function judgeSample(
  reply: PartialReply,
  { state, go }: { readonly state: SessionState; readonly go: CompactionGo },
): ReturnType<SampleCompaction['judge']> {
  const end = endOf(reply);
  const text = textOf(reply).trim();
  const bytes = text === '' ? null : new TextEncoder().encode(text).length;
  const detail = end.trouble === null ? null : toDetail(end.trouble);
  if (end.end === 'cancelled') return { outcome: 'cancelled', reason: 'cancelled', detail: null, bytes };
  if (isTransport(end.trouble)) return { outcome: 'failed', reason: end.trouble?.kind ?? 'unknown', detail, bytes };
  const { natural, rawEnd, trouble } = end;
  const calledTool = reply.calls.length > 0;
  const candidate = { text, natural, end: end.end, rawEnd, trouble: nameTrouble(trouble), calledTool };
  const accepted = acceptSummary(candidate, toBounds(state, go, planInstallation(state, go)));
  return accepted.ok
    ? { outcome: 'accepted', reason: null, detail: null, bytes }
    : { outcome: 'rejected', reason: accepted.reason, detail, bytes };
}
