import { z } from 'zod';
import { versionRefSchema, versionSchema } from './names';
import { atSchema } from './shapes';
import { boundedText } from './text';

/**
 * What agents and skills share (P2): a draft that is edited, published versions that never change, and the
 * difference between any two. Restoring an old version is publishing its content again.
 */

export const versionInfoSchema = z.object({
  version: versionSchema,
  at: atSchema,
  by: z.string(),
  note: z.string(),
  current: z.boolean(),
  /** Conversations whose kept prompt was made from it. */
  conversations: z.number().int().min(0),
});

/** A note of one line; what is published is the draft as it stands at `revision`. */
export const publishSchema = z.strictObject({
  note: boundedText(500).optional(),
  /** The draft the person saw; 409 when it moved. */
  revision: z.number().int().min(0).optional(),
});

export const diffQuerySchema = z.strictObject({ from: versionRefSchema, to: versionRefSchema });

export const diffLineSchema = z.object({ kind: z.enum(['same', 'removed', 'added']), text: z.string() });

/**
 * One field that differs. `text` fields come as lines; `value` and `list` fields as what they were and are, so
 * that a changed skill version can never hide in a diff that looks empty (`ux.md` 11).
 */
export const diffFieldSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), field: z.string(), lines: z.array(diffLineSchema) }),
  z.object({
    kind: z.literal('value'),
    field: z.string(),
    before: z.string().nullable(),
    after: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('list'),
    field: z.string(),
    removed: z.array(z.string()),
    added: z.array(z.string()),
    reordered: z.boolean(),
  }),
]);

const versionSideSchema = z.union([versionSchema, z.literal('draft')]);

export const diffAnswerSchema = z.object({
  from: versionSideSchema,
  to: versionSideSchema,
  fields: z.array(diffFieldSchema),
});

/** What agents and skills carry beside their content. */
export const versionedFields = {
  /** Newest published version; null before the first. */
  current: versionSchema.nullable(),
  /** Counts edits of the draft; a patch may name the one it was made from. */
  revision: z.number().int().min(0),
  /** The draft differs from what is published: publishing would do something. */
  draftChanged: z.boolean(),
  createdAt: atSchema,
  updatedAt: atSchema,
};

/** A list filter that both pages use. */
export const nameQuerySchema = z.strictObject({ q: z.string().max(200).optional() });

export type VersionInfo = z.infer<typeof versionInfoSchema>;
export type Publish = z.infer<typeof publishSchema>;
export type DiffLine = z.infer<typeof diffLineSchema>;
export type DiffField = z.infer<typeof diffFieldSchema>;
export type DiffAnswer = z.infer<typeof diffAnswerSchema>;
