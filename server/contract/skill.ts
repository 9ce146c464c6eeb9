import { z } from 'zod';
import { agentIdSchema, skillIdSchema } from './names';
import { boundedText, nameText } from './text';
import { versionedFields, versionInfoSchema } from './versions';

/** A skill: instructions that any number of agents name, and perhaps a slash command (`contract.md` 19). */

/** `name` without its slash; `argument` is the hint shown behind it, empty for a command that takes none. */
export const skillCommandSchema = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'lower-case letters, digits, dashes; begins with a letter'),
  argument: boundedText(200),
});

export const skillContentSchema = z.strictObject({
  name: nameText(200),
  description: boundedText(2_000),
  instructions: boundedText(200_000),
  command: skillCommandSchema.optional(),
});

export const createSkillSchema = skillContentSchema.partial().extend({ name: nameText(200) });

/** Edits the draft; only the fields named change. `command: null` takes the command away. */
export const patchSkillSchema = skillContentSchema
  .partial()
  .extend({ command: skillCommandSchema.nullable().optional(), revision: z.number().int().min(0).optional() });

export const skillSchema = z.object({
  id: skillIdSchema,
  ...versionedFields,
  draft: skillContentSchema,
  published: skillContentSchema.nullable(),
  usedBy: z.array(z.object({ id: agentIdSchema, name: z.string() })),
});

export const skillsAnswerSchema = z.object({ skills: z.array(skillSchema) });
export const skillVersionsAnswerSchema = z.object({
  versions: z.array(versionInfoSchema.extend({ content: skillContentSchema })),
});

export type SkillCommand = z.infer<typeof skillCommandSchema>;
export type SkillContent = z.infer<typeof skillContentSchema>;
export type CreateSkill = z.infer<typeof createSkillSchema>;
export type PatchSkill = z.infer<typeof patchSkillSchema>;
export type Skill = z.infer<typeof skillSchema>;
export type SkillsAnswer = z.infer<typeof skillsAnswerSchema>;
export type SkillVersionsAnswer = z.infer<typeof skillVersionsAnswerSchema>;
