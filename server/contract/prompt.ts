import { z } from 'zod';
import { skillChangeSchema } from './boundary';
import { idSchema } from './ids';
import { atSchema, bytesSchema, sha256Schema } from './shapes';

/** The kept prompt against what would be composed now: what the behind banner says (P3, P4). */

export const promptVersionsSchema = z.object({
  agentVersion: z.number().int().nullable(),
  skills: z.array(z.object({ id: idSchema, name: z.string(), version: z.number().int() })),
});

export const promptAnswerSchema = z.object({
  /** True before the first turn too: then `composedAt` is null. */
  current: z.boolean(),
  composedAt: atSchema.nullable(),
  instructionsChanged: z.boolean(),
  memoriesChanged: z.boolean(),
  toolsChanged: z.boolean(),
  skills: z.array(skillChangeSchema),
  agent: z.object({
    id: idSchema.nullable(),
    name: z.string().nullable(),
    /** The kept copy stays in use. */
    deleted: z.boolean(),
    from: z.number().int().nullable(),
    to: z.number().int().nullable(),
  }),
  kept: promptVersionsSchema.nullable(),
  wouldBe: promptVersionsSchema,
  /** Names exactly this set of differences; dismissing goes by it, so a newer version brings the banner back. */
  hash: sha256Schema.nullable(),
  dismissed: z.boolean(),
  /** Tools the kept prompt offers and that no longer exist. */
  toolsRemoved: z.array(z.string()),
  sections: z.array(z.object({ name: z.string(), bytes: bytesSchema })),
});

export const dismissPromptSchema = z.strictObject({ hash: sha256Schema });

export type PromptVersions = z.infer<typeof promptVersionsSchema>;
export type PromptAnswer = z.infer<typeof promptAnswerSchema>;
