import { z } from 'zod';
import {
  agentIdSchema,
  modelNameSchema,
  providerIdSchema,
  skillIdSchema,
  toolNameSchema,
  versionSchema,
} from './names';
import { agentSettingsSchema } from './settings';
import { boundedText, nameText } from './text';
import { versionedFields, versionInfoSchema } from './versions';

/** An agent: instructions, the skills and tools it names, and the model it speaks with (`contract.md` 19). */

/** A skill at one version, or always the newest published. */
export const agentSkillSchema = z.strictObject({
  id: skillIdSchema,
  version: z.union([versionSchema, z.literal('latest')]),
});

/** A real model, or `auto/auto` for the router. */
export const agentModelSchema = z.union([
  z.strictObject({ provider: z.literal('auto'), model: z.literal('auto') }),
  z.strictObject({ provider: providerIdSchema, model: modelNameSchema }),
]);

/** No agent lists a skill twice: which version would be meant? */
const skillListSchema = z
  .array(agentSkillSchema)
  .max(50)
  .refine((list) => new Set(list.map((skill) => skill.id)).size === list.length, 'a skill stands in the list twice');

export const agentContentSchema = z.strictObject({
  name: nameText(200),
  purpose: boundedText(2_000),
  openers: z.array(nameText(500)).max(4),
  instructions: boundedText(200_000),
  skills: skillListSchema,
  tools: z.array(toolNameSchema).max(200),
  /** Null: the installation's first ready model. */
  model: agentModelSchema.nullable(),
  fallbacks: z.array(z.strictObject({ provider: providerIdSchema, model: modelNameSchema })).max(16),
  settings: agentSettingsSchema,
});

export const createAgentSchema = agentContentSchema.partial().extend({ name: nameText(200) });

/** Edits the draft; only the fields named change. */
export const patchAgentSchema = agentContentSchema.partial().extend({ revision: z.number().int().min(0).optional() });

export const agentSchema = z.object({
  id: agentIdSchema,
  ...versionedFields,
  draft: agentContentSchema,
  /** What conversations get; null before the first publish. */
  published: agentContentSchema.nullable(),
  conversations: z.number().int().min(0),
  /** Conversations that are behind this agent now. */
  behind: z.number().int().min(0),
  /** New conversations without an agent named use this one. */
  isDefault: z.boolean(),
});

export const agentsAnswerSchema = z.object({ agents: z.array(agentSchema) });
export const agentVersionsAnswerSchema = z.object({
  versions: z.array(versionInfoSchema.extend({ content: agentContentSchema })),
});

export type AgentSkill = z.infer<typeof agentSkillSchema>;
export type AgentContent = z.infer<typeof agentContentSchema>;
export type CreateAgent = z.infer<typeof createAgentSchema>;
export type PatchAgent = z.infer<typeof patchAgentSchema>;
export type Agent = z.infer<typeof agentSchema>;
export type AgentsAnswer = z.infer<typeof agentsAnswerSchema>;
export type AgentVersionsAnswer = z.infer<typeof agentVersionsAnswerSchema>;
