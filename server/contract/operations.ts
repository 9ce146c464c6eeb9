import { z } from 'zod';
import { idSchema } from './ids';
import { atSchema, bytesSchema, sha256Schema } from './shapes';
import { boundedText, nameText } from './text';

/** Jobs, health and the small resources around them. */

export const jobStateSchema = z.enum(['queued', 'running', 'done', 'failed', 'cancelled']);

export const jobsQuerySchema = z.strictObject({
  state: jobStateSchema.optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

export const jobSchema = z.object({
  id: idSchema,
  kind: z.string(),
  /** The serial key: no two running jobs share one. */
  key: z.string(),
  state: jobStateSchema,
  priority: z.number().int(),
  tries: z.number().int().min(0),
  createdAt: atSchema,
  startedAt: atSchema.nullable(),
  endedAt: atSchema.nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export const jobsAnswerSchema = z.object({ jobs: z.array(jobSchema) });

export const healthSchema = z.object({ status: z.literal('ok'), version: z.string() });

/** Each thing a request needs, and whether it answers; the whole is 503 when one does not. */
export const readySchema = z.object({
  ready: z.boolean(),
  checks: z.array(z.object({ name: z.string(), ok: z.boolean(), text: z.string().nullable() })),
});

/** An OpenAPI 3.1 document; its own book describes it. */
export const openApiSchema = z.looseObject({ openapi: z.string() });

export const attachmentSchema = z.object({ sha256: sha256Schema, bytes: bytesSchema, mediaType: z.string() });
export const attachmentQuerySchema = z.strictObject({ name: nameText(255).optional() });

/** `goneAt`: until then it is kept for certain; null while another conversation lives on the same lines. */
export const trashAnswerSchema = z.object({
  sessions: z.array(z.object({ id: idSchema, title: z.string(), deletedAt: atSchema, goneAt: atSchema.nullable() })),
});

export const backupAnswerSchema = z.object({ file: z.string(), bytes: bytesSchema, at: atSchema });

export const authoritySchema = z.enum([
  'sessions:read',
  'sessions:create',
  'agents:write',
  'skills:write',
  'settings:write',
  'memories:write',
  'admin',
]);

/** A bearer token; its text is answered once, when it is made. `agents` narrows it. */
export const tokenSchema = z.object({
  id: idSchema,
  name: z.string(),
  authorities: z.array(authoritySchema),
  agents: z.array(idSchema).nullable(),
  createdAt: atSchema,
  lastUsedAt: atSchema.nullable(),
});
export const createTokenSchema = z.strictObject({
  name: nameText(200),
  authorities: z.array(authoritySchema).min(1).max(7),
  agents: z.array(idSchema).max(100).optional(),
});
export const createTokenAnswerSchema = tokenSchema.extend({ token: z.string() });
export const tokensAnswerSchema = z.object({ tokens: z.array(tokenSchema) });

/** A standing instruction a person declared; applies to every session of theirs (K2). */
export const memorySchema = z.object({
  id: idSchema,
  text: z.string(),
  /** Null: all agents. */
  agentId: idSchema.nullable(),
  createdAt: atSchema,
  updatedAt: atSchema,
});
export const memoriesAnswerSchema = z.object({ memories: z.array(memorySchema) });
export const createMemorySchema = z.strictObject({
  text: boundedText(20_000).min(1),
  agentId: idSchema.nullable().optional(),
});
export const patchMemorySchema = createMemorySchema.partial();

export type TrashAnswer = z.infer<typeof trashAnswerSchema>;
export type Job = z.infer<typeof jobSchema>;
export type JobsQuery = z.infer<typeof jobsQuerySchema>;
export type JobsAnswer = z.infer<typeof jobsAnswerSchema>;
export type Health = z.infer<typeof healthSchema>;
export type Ready = z.infer<typeof readySchema>;
export type Authority = z.infer<typeof authoritySchema>;
