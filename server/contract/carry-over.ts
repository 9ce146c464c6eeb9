import { z } from 'zod';
import { idSchema } from './ids';
import { atSchema, bytesSchema } from './shapes';
import { sayingText } from './text';

/** Things marked to survive compaction when there is room. They belong to one conversation (K1). */

/** The setting's ceiling; the bound in force is smaller and refuses with both sizes (contract 11). */
export const maxCarryBytes = 65_536;

export const carryOverSchema = z.object({
  id: idSchema,
  text: z.string(),
  sourceItem: idSchema.nullable(),
  by: z.string(),
  at: atSchema,
  bytes: bytesSchema,
  /** False below the line where the bound falls: it would not survive a compaction now. */
  fits: z.boolean(),
  /** Boundaries that left it out. */
  droppedBy: z.array(idSchema),
});

/** In list order: the first is the last to be dropped. */
export const carryOversAnswerSchema = z.object({
  carryOvers: z.array(carryOverSchema),
  bytes: bytesSchema,
  boundBytes: bytesSchema,
});

export const createCarryOverSchema = z.strictObject({ text: sayingText(maxCarryBytes), itemId: idSchema.optional() });
export const patchCarryOverSchema = z.strictObject({ text: sayingText(maxCarryBytes) });
export const orderCarryOversSchema = z.strictObject({ ids: z.array(idSchema).max(1_000) });

export type CarryOver = z.infer<typeof carryOverSchema>;
export type CarryOversAnswer = z.infer<typeof carryOversAnswerSchema>;
export type CreateCarryOver = z.infer<typeof createCarryOverSchema>;
