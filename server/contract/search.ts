import { z } from 'zod';
import { idSchema } from './ids';
import { atSchema } from './shapes';

/** What a search finds inside conversations, and where it stands (X9). */

/** Who speaks in it. `subagent`: its words are shown at its call. */
export const foundKindSchema = z.enum(['user', 'assistant', 'tool', 'summary', 'subagent']);

/** `itemId`: the message to jump to; null where only the conversation is known. The snippet is plain text. */
export const sessionMatchSchema = z.object({
  itemId: idSchema.nullable(),
  kind: foundKindSchema,
  at: atSchema,
  snippet: z.string(),
});

/** How many matches there are beyond those told, and the cursor for the page that tells the next of them. */
export const moreMatchesSchema = z.object({ count: z.number().int().min(1), cursor: z.string() });

export const sessionMatchesQuerySchema = z.strictObject({
  q: z.string().min(1).max(500),
  cursor: z
    .string()
    .regex(/^\d{1,15}$/)
    .optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});

export const sessionMatchesAnswerSchema = z.object({
  matches: z.array(sessionMatchSchema),
  more: moreMatchesSchema.nullable(),
});

export const itemPlaceSchema = z.object({
  itemId: idSchema,
  kind: foundKindSchema,
  at: atSchema,
  /** How it begins, as plain text. */
  snippet: z.string(),
  /** False: it stands on a path that was left. */
  onPath: z.boolean(),
  /** The line at which it was left, by its id: a revert to that shows it there again (decision 037). */
  tip: idSchema,
});

export type FoundKind = z.infer<typeof foundKindSchema>;
export type SessionMatch = z.infer<typeof sessionMatchSchema>;
export type MoreMatches = z.infer<typeof moreMatchesSchema>;
export type SessionMatchesQuery = z.infer<typeof sessionMatchesQuerySchema>;
export type SessionMatchesAnswer = z.infer<typeof sessionMatchesAnswerSchema>;
export type ItemPlace = z.infer<typeof itemPlaceSchema>;
