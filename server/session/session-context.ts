import type { AgentContent } from '@/server/contract/agent';
import { type SessionSettings, type Settings, sessionSettingsSchema } from '@/server/contract/settings';
import type { Model } from '@/server/contract/shapes';
import type { Budget } from '@/server/core/budget/budget';
import type { FloorBytes } from '@/server/core/budget/floor';
import { type NumberSettings, type Numbers, planNumbers } from '@/server/core/budget/numbers';
import { estimateThriftyTrigger } from '@/server/core/budget/thrifty';
import { projectView, type ViewPrompt } from '@/server/core/projection/model-view';
import type { RenderCache } from '@/server/core/projection/model-view-entries';
import type { ModelView } from '@/server/core/projection/model-view-shape';
import type { SessionState } from '@/server/core/projection/state-shape';
import type { ComposedPrompt } from '@/server/core/prompt/compose';
import type { ModelPort } from '@/server/ports/model';
import { chooseBudgetOf, chooseModels, type ModelChoice } from './model-choice';
import type { ModelLearning } from './model-learning';
import type { ModelRegistry } from './model-registry';
import { type AgentNow, agentNow, composeNow, type PromptLibraries } from './prompt-sources';
import type { SettingsUse } from './settings';

export interface ContextDeps extends PromptLibraries {
  readonly settings: SettingsUse;
  readonly registry: ModelRegistry;
  readonly model: ModelPort;
  readonly learning: ModelLearning;
  /** What items were rendered to, found again by each projection; views are the same without (perf-B1). */
  readonly renders: RenderCache;
}

/** Everything outside the log that a turn, a compaction or a meter of this conversation goes by, read once. */
export interface SessionContext {
  readonly settings: Settings;
  readonly agent: AgentNow;
  readonly choice: ModelChoice;
  readonly budget: Budget;
  /** What would be composed now; null where the agent was deleted. */
  readonly wouldBe: ComposedPrompt | null;
  readonly numberSettings: NumberSettings;
  /** Measured for the first model of the chain, 2 until then. */
  readonly bytesPerToken: number;
  readonly renders: RenderCache;
}

/** Throws `no_model` and `unknown_model` as `chooseModels` does. */
export function readContext(deps: ContextDeps, session: SessionState): SessionContext {
  const settings = deps.settings.current();
  const agent = agentNow(deps, session.opened.agentId);
  const content = agent.kind === 'here' ? agent.content : null;
  const choice = chooseModels({ sessionModel: session.model, agent: content, settings, registry: deps.registry });
  const budget = chooseBudgetOf({
    chain: choice.chain,
    settings,
    agentSettings: content?.settings ?? null,
    sessionSettings: sessionSettingsOf(session),
    factsOf: (model) => deps.model.describe(model),
  });
  return {
    settings,
    agent,
    choice,
    budget,
    wouldBe: composeNow(deps, agent),
    numberSettings: toNumberSettings(settings),
    bytesPerToken: deps.learning.bytesPerToken(choice.chain[0] ?? NO_MODEL),
    renders: deps.renders,
  };
}

/** The numbers of `contract.md` 7 for a view of this session with this floor, in bytes. */
export function numbersOf(context: SessionContext, session: SessionState, floor: FloorBytes): Numbers {
  const { budget, numberSettings } = context;
  const plan = (thriftyTriggerBytes: number | null) =>
    planNumbers({ budgetBytes: budget.bytes, floor, settings: numberSettings, thriftyTriggerBytes });
  const roomy = plan(null);
  return numberSettings.preset === 'roomy' ? roomy : plan(thriftyTrigger(context, session, { floor, roomy }));
}

/** h* from the session's own growth (`performance.md` D); prices are unknown here, so the assumed ones serve. */
function thriftyTrigger(
  { bytesPerToken }: SessionContext,
  session: SessionState,
  { floor, roomy }: { readonly floor: FloorBytes; readonly roomy: Numbers },
): number | null {
  return estimateThriftyTrigger({
    items: session.items.map(({ event }) => ({
      viewBytes: (event.type === 'tool.result' ? event.viewBytes : undefined) ?? event.bytes,
      isReply: event.type === 'message.assistant',
    })),
    systemBytes: floor.promptBytes + floor.toolsBytes,
    floorBytes: roomy.floorBytes,
    roomBytes: roomy.roomBytes,
    summaryBytes: session.checkpoint?.event.bytes ?? null,
    bytesPerToken,
    prices: null,
  });
}

/** The view the next request would send, and the numbers it is held against. */
export function viewNow(
  context: SessionContext,
  session: SessionState,
): { readonly view: ModelView; readonly numbers: Numbers } {
  const view = projectView({ state: session, ...toViewInput(context, session), moment: 'entry' });
  return { view, numbers: numbersOf(context, session, view.floor) };
}

interface ViewBasis {
  readonly prompt: ViewPrompt;
  readonly model: Model | null;
  readonly cache: RenderCache;
}

const toViewInput = (context: SessionContext, session: SessionState): ViewBasis => ({
  prompt: session.keptPrompt ?? context.wouldBe ?? EMPTY_PROMPT,
  model: context.choice.chain[0] ?? null,
  cache: context.renders,
});

/** What a view of this session is made with now; where no model is ready, the kept prompt alone. */
export function viewInputNow(deps: ContextDeps, session: SessionState): ViewBasis {
  try {
    return toViewInput(readContext(deps, session), session);
  } catch {
    return { prompt: session.keptPrompt ?? EMPTY_PROMPT, model: null, cache: deps.renders };
  }
}

const NO_MODEL = { provider: 'none', model: 'none' };

const EMPTY_PROMPT: ViewPrompt = { text: '', tools: [], sections: [], bytes: 0, toolsBytes: 0 };

/** What a conversation sets for itself; nothing where its line holds what this release does not know. */
export function sessionSettingsOf(session: SessionState): SessionSettings {
  const parsed = sessionSettingsSchema.safeParse(session.settings ?? {});
  return parsed.success ? parsed.data : {};
}

/** The content of an agent that is there; null without one. */
export function agentContentOf(agent: AgentNow): AgentContent | null {
  return agent.kind === 'here' ? agent.content : null;
}

/** The settings that numbers come from. */
export function toNumberSettings(settings: Settings): NumberSettings {
  const { compaction } = settings;
  return {
    preset: compaction.preset,
    triggerRatio: compaction.trigger_ratio,
    tailRatio: compaction.tail_ratio,
    lowMarkRatio: compaction.low_mark_ratio,
    carryBoundBytes: settings.carry_over.bound_bytes,
    resultCapBytes: settings.tools.result_cap_bytes,
  };
}
