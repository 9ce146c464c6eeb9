import { z } from 'zod';
import { idSchema } from './ids';
import { atSchema, bytesSchema, modelSchema, rangeSchema, usageSchema } from './shapes';

/** What a boundary says of itself: a summary that stands in for items, or a trim that left some out. */

export const compactionTriggerSchema = z.enum(['auto', 'manual', 'overflow']);
export const compactionMethodSchema = z.enum(['one_shot', 'map_reduce']);

const countSchema = z.number().int().min(0);

/** Carry-overs a summary took along, and those the bound left out, by name (K1). */
export const carriedSchema = z.object({
  kept: z.array(z.object({ id: idSchema, text: z.string() })),
  dropped: z.array(z.object({ id: idSchema, bytes: bytesSchema, reason: z.string(), text: z.string().nullish() })),
});

/** A deterministic check the text passed, with the number it was held against (C8). */
export const checkSchema = z.object({
  name: z.string(),
  ok: z.boolean(),
  value: z.union([z.string(), z.number()]).nullable(),
});

/** A skill that the recomposed prompt has in another version than the one before. */
export const skillChangeSchema = z.object({
  id: idSchema.optional(),
  name: z.string(),
  change: z.enum(['newer', 'added', 'removed']),
  from: z.number().int().nullable(),
  to: z.number().int().nullable(),
});

/** `summary_through` is the id of the last message the summary stands in for (C12); the boundary is drawn after it. */
export const summaryMetadataSchema = z.object({
  summary_through: idSchema,
  covers: rangeSchema,
  /** Bytes as installed in the view: text, frame, carried lines. */
  bytes: bytesSchema,
  /** Null for a summary that another tool wrote. */
  model: modelSchema.nullable(),
  usage: usageSchema.nullable(),
  trigger: compactionTriggerSchema.nullable(),
  method: compactionMethodSchema,
  carryOver: carriedSchema,
  /** Paths that changed after they were read (C6). */
  stale: z.array(z.string()),
  promptRecomposed: z.boolean(),
  checks: z.array(checkSchema),

  compactionId: idSchema,
  sourceBytes: bytesSchema,
  /** Covered items by what they are; `summaries` is 1 where an older summary went into this one. */
  counts: z.object({ user: countSchema, assistant: countSchema, tool: countSchema, summaries: countSchema }),
  /** Covered items that no summary before it covers: what comes back when it is taken back (X5). */
  returns: countSchema.optional(),
  /** When the first and the last covered item were said. */
  span: z.object({ from: atSchema, through: atSchema }),
  /** A person changed the text before it was committed (X4). */
  edited: z.boolean(),
  /** Came with an import; its own tool's text, not held to our checks. */
  imported: z.boolean(),
  focus: z.string().nullish(),
  cost: z.number().nullish(),
  ms: countSchema.nullish(),
  /** Requests it took, refused ones too; the ledger has each. */
  attempts: countSchema.optional(),
  skills: z.array(skillChangeSchema).optional(),
  agentVersion: z.object({ from: z.number().int().nullable(), to: z.number().int().nullable() }).nullish(),
  simulated: z.boolean().optional(),
  /** In force: exactly one summary of a path is (contract 9). */
  inForce: z.boolean(),
  /** Parts of it that are shown to the model again, while it is in force (X5). */
  expanded: z.array(z.object({ from: idSchema, through: idSchema })).optional(),
  reverted: z.object({ at: atSchema, by: z.string() }).nullish(),
});

const tallySchema = z.object({ count: countSchema, bytes: bytesSchema });

/** A trim, by kind: left out to fit, and nothing was written about it (B6). */
export const trimMetadataSchema = z.object({
  kinds: z.object({ results: tallySchema, trips: tallySchema, replies: tallySchema, messages: tallySchema }),
  before: bytesSchema,
  after: bytesSchema,
  room: bytesSchema,
  items: z.array(idSchema),
  lifted: z.object({ at: atSchema, why: z.enum(['room', 'person']) }).nullish(),
});

export type CompactionTrigger = z.infer<typeof compactionTriggerSchema>;
export type Carried = z.infer<typeof carriedSchema>;
export type SkillChange = z.infer<typeof skillChangeSchema>;
export type SummaryMetadata = z.infer<typeof summaryMetadataSchema>;
export type TrimMetadata = z.infer<typeof trimMetadataSchema>;
