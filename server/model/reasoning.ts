import type { streamText } from 'ai';
import type { ModelRequest } from '@/server/ports/model';
import type { Target } from './target';

type ProviderOptions = NonNullable<Parameters<typeof streamText>[0]['providerOptions']>;
type Reasoning = ModelRequest['reasoning'];

/** Thinking tokens a named effort may take; always below the ceiling, or the provider refuses the request. */
const THINKING_TOKENS = { low: 2_048, medium: 8_192, high: 16_384 } as const;

/** What a choice of reasoning is in a provider's words, and the tokens of the ceiling that the SDK adds by itself. */
export interface ReasoningOptions {
  readonly providerOptions: ProviderOptions;
  readonly budgetTokens: number;
}

const NOTHING: ReasoningOptions = { providerOptions: {}, budgetTokens: 0 };

/**
 * The reasoning choice in the words of the target's model. `default` sends nothing (S2), and so does a model that once
 * refused such a choice. `off` is the least the model takes: not every model can be told not to think, and each word it
 * does not know is a refused request (G3).
 */
export function toReasoningOptions(
  reasoning: Reasoning,
  target: Target,
  sent: { readonly ceiling: number | null; readonly mayThink: boolean },
): ReasoningOptions {
  if (reasoning === 'default' || !target.takesReasoning) return NOTHING;
  const model = bareId(target.ref.model);
  switch (target.kind) {
    case 'anthropic':
      return toAnthropic(sent.mayThink ? reasoning : 'off', model, sent.ceiling ?? 0);
    case 'google':
      return toGoogle(reasoning, model);
    case 'openai': {
      const reasoningEffort = reasoning === 'off' ? leastEffort(model) : reasoning;
      return reasoningEffort === null ? NOTHING : { ...NOTHING, providerOptions: { openai: { reasoningEffort } } };
    }
    default:
      return reasoning === 'off'
        ? NOTHING
        : { ...NOTHING, providerOptions: { compatible: { reasoningEffort: reasoning } } };
  }
}

function bareId(modelId: string): string {
  return modelId.slice(modelId.lastIndexOf('/') + 1).toLowerCase();
}

/**
 * The least effort of OpenAI's models: developers.openai.com/api/docs/guides/reasoning and the model pages, 2026-11-30;
 * the answers that name the values taken: github.com/anomalyco/opencode/issues/4451 (2025-11-18, gpt-5.1 takes `none`, not
 * `minimal`), github.com/getzep/graphiti/pull/1395 (2026-04-11, gpt-5.4-mini alike). First match wins; null: send nothing.
 */
const LEAST_EFFORTS: readonly (readonly [RegExp, 'none' | 'minimal' | 'low' | null])[] = [
  [/^gpt-[\d.]+-(pro|chat)/, null],
  [/^gpt-5[\d.]*-codex/, 'low'],
  [/^gpt-5(-(mini|nano))?(-\d{4}-\d\d-\d\d)?$/, 'minimal'],
  [/^gpt-5\.\d+(-(mini|nano))?(-\d{4}-\d\d-\d\d)?$/, 'none'],
  [/^gpt-6(-(sol|luna)|\.1-terra)$/, 'none'],
  [/^gpt-[6-9]/, 'low'],
  [/^o[134](-|$)/, 'low'],
];

/** Null for a model that has no such choice, or that the table does not know: then nothing is sent, and nothing refused. */
export function leastEffort(model: string): 'none' | 'minimal' | 'low' | null {
  return LEAST_EFFORTS.find(([pattern]) => pattern.test(model))?.[1] ?? null;
}

/**
 * ai.google.dev/gemini-api/docs/thinking, 2026-11-30: 2.5 Flash takes a budget of 0, 2.5 Pro at least 128
 * (github.com/vercel/ai/issues/8027), Gemini 3 a level, Pro no `minimal`. Models before 2.5 do not think at all.
 */
function toGoogle(reasoning: Exclude<Reasoning, 'default'>, model: string): ReasoningOptions {
  const thinkingConfig =
    reasoning === 'off' ? leastThinking(model) : { includeThoughts: true, thinkingBudget: THINKING_TOKENS[reasoning] };
  return thinkingConfig === null ? NOTHING : { ...NOTHING, providerOptions: { google: { thinkingConfig } } };
}

function leastThinking(model: string): { thinkingBudget: number } | { thinkingLevel: 'minimal' | 'low' } | null {
  if (/^gemini-2\.5-pro/.test(model)) return { thinkingBudget: 128 };
  if (/^gemini-2\.5/.test(model)) return { thinkingBudget: 0 };
  if (/^gemini-3(\.[1-6])?-flash/.test(model)) return { thinkingLevel: 'minimal' };
  return /^gemini-3/.test(model) ? { thinkingLevel: 'low' } : null;
}

/**
 * Claude from 4.6 on is told an effort; 4.7 and later refuse a budget (github.com/earendil-works/pi/issues/3297, 2026-04-16).
 * Older ones want a budget of at least 1,024 under the ceiling: where the ceiling leaves less, thinking stays off.
 */
const ADAPTIVE = /^claude-((opus|sonnet)-4-[6-9]|[a-z]+-([5-9]|\d\d))/;
const LEAST_BUDGET = 1_024;

function toAnthropic(reasoning: Exclude<Reasoning, 'default'>, model: string, ceiling: number): ReasoningOptions {
  const off: ReasoningOptions = { ...NOTHING, providerOptions: { anthropic: { thinking: { type: 'disabled' } } } };
  if (reasoning === 'off') return off;
  if (ADAPTIVE.test(model))
    return { ...NOTHING, providerOptions: { anthropic: { thinking: { type: 'adaptive' }, effort: reasoning } } };
  const budgetTokens = Math.min(THINKING_TOKENS[reasoning], Math.floor(ceiling / 2));
  if (budgetTokens < LEAST_BUDGET) return off;
  return { budgetTokens, providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens } } } };
}
