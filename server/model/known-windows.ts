/** Published limits in tokens. A number a person set, or a provider reported, goes before this table. */
export interface KnownLimits {
  readonly window: number;
  readonly maxOutput: number | null;
  readonly vision: boolean;
}

/** As the providers' own pages said on 2026-11-30. First match wins, so the narrower pattern stands first. Matched against the model id without a `vendor/` prefix. */
const TABLE: readonly (readonly [RegExp, KnownLimits])[] = [
  [/^rules-1$/, { window: 8_000, maxOutput: null, vision: false }],
  [/^claude-(opus|sonnet)-4-[678]/, { window: 200_000, maxOutput: 128_000, vision: true }],
  [/^claude-(sonnet|haiku|opus)-4-5/, { window: 200_000, maxOutput: 64_000, vision: true }],
  [/^claude-opus-4/, { window: 200_000, maxOutput: 32_000, vision: true }],
  [/^claude-sonnet-4/, { window: 200_000, maxOutput: 64_000, vision: true }],
  [/^claude-3-7-sonnet/, { window: 200_000, maxOutput: 64_000, vision: true }],
  [/^claude-3-5/, { window: 200_000, maxOutput: 8_192, vision: true }],
  [/^claude-3/, { window: 200_000, maxOutput: 4_096, vision: true }],
  [/^gpt-5/, { window: 400_000, maxOutput: 128_000, vision: true }],
  [/^gpt-4\.1/, { window: 1_047_576, maxOutput: 32_768, vision: true }],
  [/^gpt-4o/, { window: 128_000, maxOutput: 16_384, vision: true }],
  [/^gpt-4-turbo/, { window: 128_000, maxOutput: 4_096, vision: true }],
  [/^o[134](-|$)/, { window: 200_000, maxOutput: 100_000, vision: true }],
  [/^gemini-(2\.5|3)/, { window: 1_048_576, maxOutput: 65_536, vision: true }],
  [/^gemini-2\.0/, { window: 1_048_576, maxOutput: 8_192, vision: true }],
  [/^deepseek-(chat|reasoner)$/, { window: 128_000, maxOutput: null, vision: false }],
];

/** Looks a model id up, or null. Never guesses from a family name that is not in the table. */
export function findKnownLimits(modelId: string): KnownLimits | null {
  const bare = modelId.slice(modelId.lastIndexOf('/') + 1).toLowerCase();
  return TABLE.find(([pattern]) => pattern.test(bare))?.[1] ?? null;
}
