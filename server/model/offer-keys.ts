import type { OfferedKey } from '@/server/ports/model-catalog';

/** Variables people keep provider keys in, and the only origin each key is ever sent to (dated 2026-11-30). */
const VARIABLES: readonly OfferedKey[] = [
  { variable: 'OPENAI_API_KEY', providerId: 'openai', kind: 'openai', baseUrl: 'https://api.openai.com/v1' },
  {
    variable: 'ANTHROPIC_API_KEY',
    providerId: 'anthropic',
    kind: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
  },
  {
    variable: 'GOOGLE_GENERATIVE_AI_API_KEY',
    providerId: 'google',
    kind: 'google',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  },
  {
    variable: 'GEMINI_API_KEY',
    providerId: 'google',
    kind: 'google',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  },
  {
    variable: 'OPENROUTER_API_KEY',
    providerId: 'openrouter',
    kind: 'openai-compatible',
    baseUrl: 'https://openrouter.ai/api/v1',
  },
  {
    variable: 'GROQ_API_KEY',
    providerId: 'groq',
    kind: 'openai-compatible',
    baseUrl: 'https://api.groq.com/openai/v1',
  },
  {
    variable: 'MISTRAL_API_KEY',
    providerId: 'mistral',
    kind: 'openai-compatible',
    baseUrl: 'https://api.mistral.ai/v1',
  },
  {
    variable: 'DEEPSEEK_API_KEY',
    providerId: 'deepseek',
    kind: 'openai-compatible',
    baseUrl: 'https://api.deepseek.com/v1',
  },
  { variable: 'XAI_API_KEY', providerId: 'xai', kind: 'openai-compatible', baseUrl: 'https://api.x.ai/v1' },
  {
    variable: 'TOGETHER_API_KEY',
    providerId: 'together',
    kind: 'openai-compatible',
    baseUrl: 'https://api.together.xyz/v1',
  },
];

/** The keys an environment holds, one a provider, by the variable's name. Finding one is not consent to spend (N4). */
export function offerKeys(environment: Readonly<Record<string, string | undefined>>): readonly OfferedKey[] {
  const found = VARIABLES.filter((known) => (environment[known.variable] ?? '').trim() !== '');
  return found.filter((offer, index) => found.findIndex((other) => other.providerId === offer.providerId) === index);
}
