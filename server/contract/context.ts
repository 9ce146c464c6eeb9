import { z } from 'zod';
import { foreignIdSchema, idSchema } from './ids';
import { bytesSchema } from './shapes';

/** What the next request would send, and how full it is. Bytes; tokens only where a provider reported them. */

/** Where a model's window comes from. `assumed` budgets are drawn hatched (`ux.md` 9). */
export const windowSourceSchema = z.enum(['known', 'reported', 'chosen', 'unknown']);

/** A part of the floor: what is composed into every request before the conversation gets any room (B2). */
export const floorPartSchema = z.object({
  part: z.enum(['application', 'instructions', 'skills', 'memories', 'tools', 'plan', 'carry_overs']),
  bytes: bytesSchema,
});

/** What the conversation's share is made of; with the floor's parts these add up to `usedBytes`. */
export const conversationPartSchema = z.object({
  part: z.enum(['summary', 'messages', 'tool_results']),
  bytes: bytesSchema,
});

/** The meter (contract 7): used = floor + conversation; the tick stands at (floor + trigger) / budget. */
export const contextMeterSchema = z.object({
  budgetBytes: bytesSchema,
  /** Budget minus floor; negative when the floor alone does not fit. */
  roomBytes: z.number().int(),
  usedBytes: bytesSchema,
  floor: z.array(floorPartSchema),
  /** `estimated` after a fold or a change of model, until the next reply measures it. */
  basis: z.enum(['measured', 'estimated']),
  triggerBytes: z.number().int(),
  conversation: z.array(conversationPartSchema),
  windowTokens: z.number().int().nullable(),
  windowSource: windowSourceSchema,
  /** Input tokens that the newest request was charged for. */
  reportedTokens: z.number().int().nullable(),
  /** Automatic compaction waits for the next message: an attempt of this turn failed (C10). */
  deferred: z.boolean(),
  /** The floor alone is over 85 % of the budget: nothing is compacted, and the parts say why (B2). */
  floorTooLarge: z.boolean(),
});

export const viewEntryKindSchema = z.enum(['raw', 'masked', 'stub', 'dropped', 'summary', 'plan', 'carry_over']);

/** One entry of the model view, with the account that says which items it came from (C12). */
export const viewEntrySchema = z.object({
  role: z.enum(['user', 'assistant', 'tool']),
  kind: viewEntryKindSchema,
  itemIds: z.array(idSchema),
  bytes: bytesSchema,
  /** The first 200 characters; with `?full=1` the whole text. */
  preview: z.string(),
  /** For a kept, expanded or shortened entry: which of these it is, and what was left out. */
  note: z.string().nullish(),
  callId: foreignIdSchema.nullish(),
});

export const contextQuerySchema = z.strictObject({ full: z.enum(['0', '1']).optional() });

export const contextAnswerSchema = z.object({
  system: z.string(),
  tools: z.array(
    z.object({ name: z.string(), description: z.string(), parameters: z.record(z.string(), z.unknown()) }),
  ),
  entries: z.array(viewEntrySchema),
  bytes: bytesSchema,
  budgetBytes: bytesSchema,
  roomBytes: z.number().int(),
});

export type WindowSource = z.infer<typeof windowSourceSchema>;
export type FloorPart = z.infer<typeof floorPartSchema>;
export type ConversationPart = z.infer<typeof conversationPartSchema>;
export type ContextMeter = z.infer<typeof contextMeterSchema>;
export type ViewEntry = z.infer<typeof viewEntrySchema>;
export type ContextAnswer = z.infer<typeof contextAnswerSchema>;
