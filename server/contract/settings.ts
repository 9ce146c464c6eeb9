import { z } from 'zod';
import { modelKeySchema, modelNameSchema, providerIdSchema, toModelKey, toolNameSchema } from './names';
import { troubleDetailSchema, usageSchema } from './shapes';
import { boundedText } from './text';

/**
 * Every setting, its range and its default (`contract.md` 19). The schema is the whole document as it is in force;
 * what is stored and patched is any part of it. Units stand in the names; ratios are parts of one.
 */

const whole = (from: number, to: number) => z.number().int().min(from).max(to);
const ratio = (from: number, to: number) => z.number().min(from).max(to);

/** Bytes, or null for the rule of 400,000 or two bytes a token (B1). */
export const contextBudgetSchema = whole(2_000, 4_000_000).nullable();

/** A model of an ordered list: a real one, never the router (S3). */
const listedModelSchema = z.strictObject({
  provider: providerIdSchema,
  model: modelNameSchema.refine((m) => m !== 'auto'),
});

const modelListSchema = z
  .array(listedModelSchema)
  .max(16)
  .refine((list) => new Set(list.map(toModelKey)).size === list.length, 'a model stands in the list twice');

export const modelSettingsSchema = z.strictObject({
  context_budget: contextBudgetSchema,
  /** Tokens. */
  window: whole(1, 100_000_000).nullable(),
  /** Tokens. */
  max_output: whole(1, 100_000_000).nullable(),
});

const compactionSchema = z.strictObject({
  auto: z.boolean(),
  preset: z.enum(['roomy', 'thrifty']),
  trigger_ratio: ratio(0.5, 0.95),
  tail_ratio: ratio(0, 0.4),
  low_mark_ratio: ratio(0.3, 0.8),
  manual_keeps_tail: z.boolean(),
  preview: z.boolean(),
  instructions: boundedText(4_000),
  content_tries: whole(1, 4),
  min_source_bytes: whole(200, 100_000),
});
const routingSchema = z.strictObject({ summarization_models: modelListSchema, auto_chain: modelListSchema });
const carryOverSchema = z.strictObject({ bound_bytes: whole(0, 65_536) });
const toolsSchema = z.strictObject({
  result_cap_bytes: whole(1_024, 1_048_576),
  recall_cap_bytes: whole(1_024, 1_048_576),
});
const turnsSchema = z.strictObject({ max_steps: whole(1, 500), stall_seconds: whole(10, 1_800) });
const requestsSchema = z.strictObject({ tries: whole(1, 6), retry_after_max_seconds: whole(1, 600) });
const subagentsSchema = z.strictObject({ max_depth: whole(0, 3), max_running: whole(1, 8) });
const cacheSchema = z.strictObject({ anthropic_ttl: z.enum(['off', '5m', '1h']) });
const trashSchema = z.strictObject({ keep_days: whole(1, 365) });

export const settingsSchema = z.strictObject({
  context_budget: contextBudgetSchema,
  models: z.record(modelKeySchema, modelSettingsSchema),
  routing: routingSchema,
  compaction: compactionSchema,
  carry_over: carryOverSchema,
  tools: toolsSchema,
  turns: turnsSchema,
  requests: requestsSchema,
  subagents: subagentsSchema,
  cache: cacheSchema,
  trash: trashSchema,
});

/** Any part of the settings. A list replaces the list; a model set to null loses its entry. */
export const settingsPatchSchema = z.strictObject({
  context_budget: contextBudgetSchema.optional(),
  models: z.record(modelKeySchema, modelSettingsSchema.partial().nullable()).optional(),
  routing: routingSchema.partial().optional(),
  compaction: compactionSchema.partial().optional(),
  carry_over: carryOverSchema.partial().optional(),
  tools: toolsSchema.partial().optional(),
  turns: turnsSchema.partial().optional(),
  requests: requestsSchema.partial().optional(),
  subagents: subagentsSchema.partial().optional(),
  cache: cacheSchema.partial().optional(),
  trash: trashSchema.partial().optional(),
});

export const defaultSettings: Settings = {
  context_budget: null,
  models: {},
  routing: { summarization_models: [], auto_chain: [] },
  compaction: {
    auto: true,
    preset: 'roomy',
    trigger_ratio: 0.85,
    tail_ratio: 0.2,
    low_mark_ratio: 0.6,
    manual_keeps_tail: false,
    preview: false,
    instructions: '',
    content_tries: 2,
    min_source_bytes: 1_000,
  },
  carry_over: { bound_bytes: 4_096 },
  tools: { result_cap_bytes: 16_384, recall_cap_bytes: 16_384 },
  turns: { max_steps: 50, stall_seconds: 120 },
  requests: { tries: 3, retry_after_max_seconds: 60 },
  subagents: { max_depth: 1, max_running: 4 },
  cache: { anthropic_ttl: '5m' },
  trash: { keep_days: 30 },
};

/** A model's own settings before anything was chosen for it. */
export const defaultModelSettings: ModelSettings = { context_budget: null, window: null, max_output: null };

export const approvalSchema = z.enum(['ask', 'allow', 'deny']);
const approvalsSchema = z.record(toolNameSchema, approvalSchema);

/** What an agent sets for its conversations (B1's cascade: installation → agent → session). */
export const agentSettingsSchema = z.strictObject({
  context_budget: contextBudgetSchema.optional(),
  approvals: approvalsSchema.optional(),
});

/** What one conversation sets for itself. */
export const sessionSettingsSchema = z.strictObject({ context_budget: contextBudgetSchema.optional() });
export const sessionSettingsPatchSchema = sessionSettingsSchema;

/** Something the settings page has to say about a value in force, for example a budget that is passed over (B1). */
export const settingsNoteSchema = z.object({ path: z.string(), text: z.string() });

export const settingsAnswerSchema = z.object({
  /** Grows with every change; a patch names the one it was made from. */
  revision: z.number().int().min(0),
  settings: settingsSchema,
  notes: z.array(settingsNoteSchema),
});

export const patchSettingsSchema = z.strictObject({
  revision: z.number().int().min(0),
  settings: settingsPatchSchema,
});

/** Which models to try; absent: the stored order. Naming one row at a time shows each as it comes. */
export const testSummarizersSchema = z.strictObject({ models: modelListSchema.optional() });

/** One row of *Test order*: what folding the built-in sample with that model took, in one request without retries. */
export const summarizerTestRowSchema = z.object({
  provider: z.string(),
  model: z.string(),
  /** As in the ledger: `rejected` wrote something that is no summary, `failed` did not get that far. */
  outcome: z.enum(['accepted', 'rejected', 'failed', 'cancelled']),
  /** The ledger's code of why not; null where accepted. */
  reason: z.string().nullable(),
  /** The same as a sentence. */
  message: z.string().nullable(),
  detail: troubleDetailSchema.nullable(),
  ms: z.number().int().min(0),
  /** Bytes of the text it wrote; null where none came. */
  bytes: z.number().int().min(0).nullable(),
  requestBytes: z.number().int().min(0),
  usage: usageSchema.nullable(),
  /** Null where no price is known. */
  cost: z.number().nullable(),
  /** Written by rules, not by an AI model. */
  simulated: z.boolean(),
});

export const summarizerTestSchema = z.object({
  rows: z.array(summarizerTestRowSchema),
  /** The sample that was folded. */
  sample: z.object({ lines: z.number().int(), bytes: z.number().int() }),
});

export type Settings = z.infer<typeof settingsSchema>;
export type SettingsPatch = z.infer<typeof settingsPatchSchema>;
export type ModelSettings = z.infer<typeof modelSettingsSchema>;
export type SessionSettings = z.infer<typeof sessionSettingsSchema>;
export type Approval = z.infer<typeof approvalSchema>;
export type TestSummarizers = z.infer<typeof testSummarizersSchema>;
export type SummarizerTest = z.infer<typeof summarizerTestSchema>;
export type SummarizerTestRow = z.infer<typeof summarizerTestRowSchema>;
export type SettingsAnswer = z.infer<typeof settingsAnswerSchema>;
export type PatchSettings = z.infer<typeof patchSettingsSchema>;
