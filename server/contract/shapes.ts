import { z } from 'zod';
import { foreignIdSchema, idSchema } from './ids';

/** Shapes that events, messages and API answers share (`contract.md` 3). Sizes are bytes of UTF-8. */

export const bytesSchema = z.number().int().min(0);
export const seqSchema = z.number().int().min(1);
export const atSchema = z.string().datetime({ precision: 3 });
export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/, 'a SHA-256 in lower-case hex');

/** A model as a pair; the pseudo pair `auto/auto` is resolved by the router. */
export const modelSchema = z.strictObject({ provider: z.string().min(1).max(200), model: z.string().min(1).max(300) });

const countSchema = z.number().int().min(0).nullable();

/** What a provider reported; null where it said nothing. Tokens. */
export const usageSchema = z.strictObject({
  input: countSchema,
  output: countSchema,
  cachedRead: countSchema,
  cachedWrite: countSchema,
  reasoning: countSchema,
});

/** A run of items on the path, by item ids; `bytes` is the sum of its items' `bytes`. */
export const rangeSchema = z.strictObject({
  from: idSchema,
  through: idSchema,
  items: z.number().int().min(1),
  bytes: bytesSchema,
});

const textPart = z.strictObject({ type: z.literal('text'), text: z.string() });
const reasoningPart = z.strictObject({ type: z.literal('reasoning'), text: z.string() });
const toolCallPart = z.strictObject({
  type: z.literal('tool_call'),
  callId: foreignIdSchema,
  name: z.string().min(1).max(200),
  args: z.unknown(),
});
const imagePart = z.strictObject({
  type: z.literal('image'),
  sha256: sha256Schema,
  mediaType: z.string().max(200),
  bytes: bytesSchema,
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  name: z.string().max(1024),
});
const filePart = z.strictObject({
  type: z.literal('file'),
  sha256: sha256Schema,
  mediaType: z.string().max(200),
  bytes: bytesSchema,
  name: z.string().max(1024),
});

export const partSchema = z.discriminatedUnion('type', [textPart, reasoningPart, toolCallPart, imagePart, filePart]);

/** Head and tail kept of a shortened text, in bytes of the text at whole characters (`contract.md` 7). */
export const cutSchema = z.strictObject({ headBytes: bytesSchema, tailBytes: bytesSchema });

/** What is kept of a provider's answer: never more than 500 bytes, no key, no echo of the prompt (G4). */
export const troubleDetailSchema = z.strictObject({
  status: z.number().int().nullable(),
  code: z.string().max(200).nullable(),
  text: z.string().max(500).nullable(),
  requestId: z.string().max(200).nullable(),
});

export const planItemSchema = z.strictObject({
  id: z.string().min(1).max(100),
  text: z.string().min(1).max(2000),
  status: z.enum(['pending', 'active', 'done']),
});

export type Model = z.infer<typeof modelSchema>;
export type Usage = z.infer<typeof usageSchema>;
export type Range = z.infer<typeof rangeSchema>;
export type Part = z.infer<typeof partSchema>;
export type ToolCallPart = z.infer<typeof toolCallPart>;
export type Cut = z.infer<typeof cutSchema>;
export type TroubleDetail = z.infer<typeof troubleDetailSchema>;
export type PlanItem = z.infer<typeof planItemSchema>;
