/** Published limits in tokens. A number a person set, or a provider reported, goes before this table. */
export interface KnownLimits {
  readonly window: number;
  readonly maxOutput: number | null;
  readonly vision: boolean;
}

/**
 * As the providers' own pages said on 2026-11-30: platform.claude.com/docs/en/models/<model>/overview (and
 * docs.anthropic.com/en/docs/about-claude/models for the older ones), developers.openai.com/api/docs/models/<model>,
 * ai.google.dev/gemini-api/docs/models, api-docs.deepseek.com/quick_start/pricing. First match wins, so the narrower
 * pattern stands first. Matched against the model id without a `vendor/` prefix. A dated id (`-20250929`) is its model.
 */
const TABLE: readonly (readonly [RegExp, KnownLimits])[] = [
  [/^rules-1$/, { window: 8_000, maxOutput: null, vision: false }],
  [/^claude-(opus|sonnet)-5(-5)?(-\d{8})?$/, { window: 1_000_000, maxOutput: 128_000, vision: true }],
  [/^claude-fable-5-[12](-\d{8})?$/, { window: 1_000_000, maxOutput: 128_000, vision: true }],
  [/^claude-opus-4-[678](-\d{8})?$/, { window: 1_000_000, maxOutput: 128_000, vision: true }],
  [/^claude-sonnet-4-6(-\d{8})?$/, { window: 1_000_000, maxOutput: 128_000, vision: true }],
  [/^claude-(sonnet|haiku|opus)-4-5/, { window: 200_000, maxOutput: 64_000, vision: true }],
  [/^claude-opus-4(-[01])?(-\d{8})?$/, { window: 200_000, maxOutput: 32_000, vision: true }],
  [/^claude-sonnet-4(-0)?(-\d{8})?$/, { window: 200_000, maxOutput: 64_000, vision: true }],
  [/^claude-3-7-sonnet/, { window: 200_000, maxOutput: 64_000, vision: true }],
  [/^claude-3-5-haiku/, { window: 200_000, maxOutput: 8_192, vision: true }],
  [/^claude-3-5-sonnet/, { window: 200_000, maxOutput: 8_192, vision: true }],
  [/^claude-3-(opus|haiku|sonnet)/, { window: 200_000, maxOutput: 4_096, vision: true }],
  [/^gpt-5\.[45](-pro)?(-\d{4}-\d\d-\d\d)?$/, { window: 1_050_000, maxOutput: 128_000, vision: true }],
  [/^gpt-5-pro/, { window: 400_000, maxOutput: 272_000, vision: true }],
  [/^gpt-5(\.\d+)?-chat/, { window: 128_000, maxOutput: 16_384, vision: true }],
  [
    /^gpt-5(\.[123])?(-(mini|nano|codex.*))?(-\d{4}-\d\d-\d\d)?$/,
    { window: 400_000, maxOutput: 128_000, vision: true },
  ],
  [/^gpt-4\.1/, { window: 1_047_576, maxOutput: 32_768, vision: true }],
  [/^gpt-4o/, { window: 128_000, maxOutput: 16_384, vision: true }],
  [/^gpt-4-turbo/, { window: 128_000, maxOutput: 4_096, vision: true }],
  [/^o3-mini/, { window: 200_000, maxOutput: 100_000, vision: false }],
  [/^o(1|3|4-mini)(-pro)?(-\d{4}-\d\d-\d\d)?$/, { window: 200_000, maxOutput: 100_000, vision: true }],
  [/^gemini-(2\.5|3(\.\d)?)-(pro|flash)/, { window: 1_048_576, maxOutput: 65_536, vision: true }],
  [/^gemini-2\.0-flash/, { window: 1_048_576, maxOutput: 8_192, vision: true }],
  [/^deepseek-(chat|reasoner)$/, { window: 128_000, maxOutput: null, vision: false }],
];

/** Looks a model id up, or null. Never guesses from a family name that is not in the table. */
export function findKnownLimits(modelId: string): KnownLimits | null {
  const bare = modelId.slice(modelId.lastIndexOf('/') + 1).toLowerCase();
  return TABLE.find(([pattern]) => pattern.test(bare))?.[1] ?? null;
}
