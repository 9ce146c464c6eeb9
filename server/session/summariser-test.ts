import type { SummarizerTest, SummarizerTestRow, TestSummarizers } from '@/server/contract/settings';
import type { Model, Usage } from '@/server/contract/shapes';
import { costOf } from '@/server/core/budget/cost';
import { fitsSummariser } from '@/server/core/compaction/fit';
import { planSampleCompaction, type SampleCompaction } from '@/server/core/compaction/sample';
import { explainChange } from '@/server/core/turn/explain';
import { type CallDeps, callModel } from './call-model';
import type { ModelRegistry } from './model-registry';
import { composeNow, type PromptLibraries } from './prompt-sources';
import { toNumberSettings } from './session-context';
import type { SettingsUse } from './settings';

export interface SummariserTestDeps extends CallDeps, PromptLibraries {
  readonly settings: SettingsUse;
  readonly registry: ModelRegistry;
}

/** *Test order* (S1): what each summariser makes of the built-in sample. */
export interface SummariserTestUse {
  /**
   * One request to each model named, or to each of the stored order, one after another, without retries. It is made only
   * when a person asks, writes nothing into any conversation, and a refusal is an answer. `signal` ends it: what was not
   * tried by then is `cancelled`.
   */
  test(request: TestSummarizers, signal: AbortSignal): Promise<SummarizerTest>;
}

/** The test over the models. */
export function createSummariserTest(deps: SummariserTestDeps): SummariserTestUse {
  return {
    test: async ({ models }, signal) => {
      const settings = deps.settings.current();
      const prompt = composeNow(deps, { kind: 'none' });
      if (prompt === null) throw new Error('a conversation without an agent has a prompt of its own');
      const { instructions } = settings.compaction;
      const planned = planSampleCompaction({ prompt, settings: toNumberSettings(settings), instructions });
      const rows: SummarizerTestRow[] = [];
      for (const model of models ?? settings.routing.summarization_models)
        rows.push(await tryModel(deps, { model, planned, signal }));
      return { rows, sample: planned.sample };
    },
  };
}

interface Trial {
  readonly model: Model;
  readonly planned: SampleCompaction;
  readonly signal: AbortSignal;
}

async function tryModel(deps: SummariserTestDeps, { model, planned, signal }: Trial): Promise<SummarizerTestRow> {
  const { request, judge, log } = planned;
  const simulated = deps.registry.connection(model.provider)?.kind === 'embedded';
  const untried = { ...model, simulated, ms: 0, bytes: null, requestBytes: request.measureBytes, usage: null };
  const nothing = { ...untried, detail: null, cost: null };
  if (signal.aborted) return { ...nothing, outcome: 'cancelled', reason: 'cancelled', message: 'Stopped.' };
  if (deps.registry.connection(model.provider) === null) {
    const message = `The provider ${model.provider} is not configured any more.`;
    return { ...nothing, outcome: 'failed', reason: 'unknown_model', message };
  }
  if (!fitsModel(deps, model, request.measureBytes)) {
    const message = 'Its window is too small for the sample.';
    return { ...nothing, outcome: 'failed', reason: 'too_large_for_one_request', message };
  }
  const asked = { ...request, turnFrom: null };
  const { reply, ms } = await callModel(deps, { model, asked, log, signal, onPart: () => undefined });
  const judged = judge(reply);
  const usage = reply.end === null || isSilent(reply.end.usage) ? null : reply.end.usage;
  const cost = costOf(usage, deps.registry.prices(model));
  const requestBytes = reply.end?.requestBytes || request.measureBytes;
  return { ...nothing, ...judged, ms, usage, cost, requestBytes, message: sayWhy(model, judged, reply.end?.trouble) };
}

/** No window known: the provider says whether it fits. */
function fitsModel({ model: port, learning }: SummariserTestDeps, model: Model, measureBytes: number): boolean {
  const bytesPerToken = learning.bytesPerToken(model);
  const facts = {
    windowTokens: port.describe(model)?.window ?? null,
    bytesPerToken,
    ceilingTokens: () => port.ceiling(model, { measureBytes, bytesPerToken, configured: null }),
    prices: null,
  };
  return fitsSummariser(measureBytes, facts, Number.POSITIVE_INFINITY);
}

function sayWhy(
  { provider, model }: Model,
  { outcome, reason }: Pick<SummarizerTestRow, 'outcome' | 'reason'>,
  trouble: Parameters<typeof explainChange>[0] | null | undefined,
): string | null {
  if (outcome === 'accepted') return null;
  if (outcome === 'cancelled') return 'Stopped.';
  if (outcome === 'failed' && trouble) return `${explainChange(trouble, provider)}.`;
  return `What ${model} wrote is no summary (${reason ?? 'unknown'}).`;
}

const isSilent = (usage: Usage) => Object.values(usage).every((count) => count === null);
