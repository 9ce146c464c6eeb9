import { z } from 'zod';
import { foreignIdSchema, idSchema } from '../ids';
import { bytesSchema, planItemSchema, sha256Schema } from '../shapes';
import { defineEvent, listOf, nullable } from './define';

/** Events that change what the model reads without adding items: plan, masks, carry-overs, prompt, trims. */

/** `after` is always written, null too: its absence marks the older format (L5). */
export const planSet = defineEvent('plan.set', 'P', {
  items: z.array(planItemSchema),
  by: z.enum(['model', 'person']).default('model'),
  after: idSchema.nullable().optional(),
  callId: foreignIdSchema.optional(),
});

/** `bytes` are those of the item's text, not measures (`contract.md` 9). */
export const viewMasked = defineEvent('view.masked', 'P', {
  item: idSchema,
  callId: foreignIdSchema,
  note: z.string().max(2000),
  bytes: bytesSchema,
  byCall: foreignIdSchema,
});

export const carryMarked = defineEvent('carry.marked', 'P', {
  text: z.string().max(65_536),
  sourceItem: nullable(idSchema),
  by: z.string().max(200),
});
export const carryEdited = defineEvent('carry.edited', 'P', { carryId: idSchema, text: z.string().max(65_536) });
export const carryRemoved = defineEvent('carry.removed', 'P', { carryId: idSchema });
export const carryOrdered = defineEvent('carry.ordered', 'P', { carryIds: listOf(idSchema) });

const promptSource = z.strictObject({
  kind: z.enum(['application', 'agent', 'skill', 'memory']),
  id: nullable(idSchema),
  version: nullable(z.number().int().min(0)),
});

/** A tool schema exactly as it was sent; part of the cached prefix. */
export const toolSchemaSchema = z.strictObject({
  name: z.string().min(1).max(200),
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
});

export const promptKept = defineEvent('prompt.kept', 'P', {
  text: z.string(),
  sections: z.array(z.strictObject({ name: z.string().max(200), bytes: bytesSchema, source: nullable(promptSource) })),
  tools: z.array(toolSchemaSchema),
  agentVersion: nullable(z.number().int().min(0)),
  skills: listOf(z.strictObject({ id: idSchema, name: z.string().max(200), version: z.number().int().min(0) })),
  memoryHash: nullable(sha256Schema),
  wording: z.number().int().min(1),
  bytes: bytesSchema,
  toolsBytes: bytesSchema,
  why: z.enum(['first', 'compaction']).default('first'),
});

const trimActionSchema = z.strictObject({
  item: idSchema.optional(),
  checkpoint: idSchema.optional(),
  do: z.enum(['stub', 'drop', 'shorten']),
  headBytes: bytesSchema.optional(),
  tailBytes: bytesSchema.optional(),
  args: z.enum(['strings', 'values']).optional(),
  sections: z.array(z.string().max(100)).optional(),
});

const tallySchema = z.strictObject({ count: z.number().int().min(0), bytes: bytesSchema });

/** Every decision of a trim: the projection applies it and never recomputes it (B3–B6). */
export const viewTrimmed = defineEvent('view.trimmed', 'P', {
  actions: z.array(trimActionSchema),
  kinds: z.strictObject({ results: tallySchema, trips: tallySchema, replies: tallySchema, messages: tallySchema }),
  before: bytesSchema,
  after: bytesSchema,
  room: bytesSchema,
});

export const viewUntrimmed = defineEvent('view.untrimmed', 'P', {
  trimId: idSchema,
  why: z.enum(['room', 'person']),
});

export type TrimAction = z.infer<typeof trimActionSchema>;
export type ToolSchema = z.infer<typeof toolSchemaSchema>;
