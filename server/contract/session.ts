import { z } from 'zod';
import { compactionTriggerSchema } from './boundary';
import { contextMeterSchema } from './context';
import { idSchema } from './ids';
import { agentIdSchema } from './names';
import { moreMatchesSchema, sessionMatchSchema } from './search';
import { sessionSettingsPatchSchema, sessionSettingsSchema } from './settings';
import { atSchema, modelSchema, seqSchema, usageSchema } from './shapes';
import { nameText } from './text';

/** A conversation as a person sees it. */

export const sessionStatusSchema = z.enum(['idle', 'running', 'compacting', 'waiting_approval']);

export const compactionStageSchema = z.enum(['one_shot', 'map', 'reduce', 'audit', 'correct']);

const countSchema = z.number().int().min(0);

export const segmentTallySchema = z.object({
  done: countSchema,
  running: countSchema,
  failed: countSchema,
  total: countSchema,
});

/** What runs now, enough to draw its row after a reload with the right elapsed time (`ux.md` 17, check 2). */
export const activitySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('turn'), turnId: idSchema, since: atSchema, model: modelSchema.nullable() }),
  z.object({
    kind: z.literal('compaction'),
    compactionId: idSchema.nullable(),
    jobId: idSchema.nullable(),
    since: atSchema,
    trigger: compactionTriggerSchema,
    model: modelSchema.nullable(),
    stage: compactionStageSchema,
    segments: segmentTallySchema.nullish(),
  }),
]);

/** Why a conversation takes no appends although it can be read and exported (contract 1). */
export const readOnlySchema = z.object({ why: z.enum(['newer_version', 'damaged', 'storage']), text: z.string() });

/** A row of the list; also the data of `session.updated`. */
export const sessionSummarySchema = z.object({
  id: idSchema,
  /** Derived from the first message until a person types one; never empty once there is a message. */
  title: z.string(),
  titleBy: z.enum(['derived', 'person']),
  agentId: agentIdSchema.nullable(),
  agentName: z.string().nullable(),
  model: modelSchema.nullable(),
  status: sessionStatusSchema,
  running: z.boolean(),
  pinned: z.boolean(),
  archived: z.boolean(),
  /** The kept prompt is not what would be composed now. */
  behind: z.boolean(),
  /** Summaries on the path, reverted ones not counted. */
  summaries: countSchema,
  /** Messages that wait for their turn. */
  queued: countSchema,
  createdAt: atSchema,
  updatedAt: atSchema,
  /** `seq` of the branch's newest line: what a client that is behind reads up to (contract 16). */
  headSeq: seqSchema,
  /** `seq` of the newest line that moved the head, 0 for none. When it changes, the shown path is another one. */
  headMovedSeq: z.number().int().min(0),
  /** How the newest turn ended; null before the first. */
  lastTurn: z
    .object({
      outcome: z.enum(['finished', 'failed', 'cancelled', 'interrupted']),
      code: z.string().nullable(),
      at: atSchema,
    })
    .nullable(),
  parent: z.object({ sessionId: idSchema, itemId: idSchema.nullable() }).nullable(),
  /** The practice model answers here; the badge says it always (N2). */
  practice: z.boolean(),
  imported: z.boolean(),
  deletedAt: atSchema.nullable(),
});

export const sessionSchema = sessionSummarySchema.extend({
  usage: usageSchema,
  /** Sum over replies and compactions; null where no price is known. US dollars. */
  cost: z.number().nullable(),
  context: contextMeterSchema,
  settings: sessionSettingsSchema,
  activity: activitySchema.nullable(),
  readOnly: readOnlySchema.nullable(),
  /** Damaged byte ranges of the log, as reported once each (L6). */
  damage: z.array(z.object({ from: countSchema, to: countSchema, why: z.string() })),
  /** What a rollback would undo now (L4); null: nothing. */
  undoable: z
    .object({
      what: z.enum(['revert', 'compaction']),
      /** The newest item once a revert is undone; null for a compaction. */
      itemId: idSchema.nullable(),
      /** The line where the head then stands, by its id; null where it stays: only the summary goes. */
      tip: idSchema.nullish(),
      /** Items that come back: to the conversation, or raw into the model's view. */
      items: countSchema,
      at: atSchema,
      /** Of a revert: something was said or changed since, and undoing it would leave that as another branch. */
      wentOn: z.boolean().optional(),
    })
    .nullish(),
});

/** Bytes of the whole view, floor included, before and after what was asked (X5). */
export const sessionWithChangeSchema = sessionSchema.extend({
  change: z.object({
    beforeBytes: countSchema,
    afterBytes: countSchema,
    /** The line where the head stood before it, by its id: a revert to that takes it back. */
    from: idSchema.nullable(),
  }),
});

export const createSessionSchema = z.strictObject({
  agentId: agentIdSchema.optional(),
  title: nameText(1000).optional(),
  model: modelSchema.optional(),
  settings: sessionSettingsPatchSchema.optional(),
  /** "Start new" of the behind banner: what comes along from the old conversation (`ux.md` 8). */
  from: z
    .strictObject({ sessionId: idSchema, carryOvers: z.boolean().optional(), summary: z.boolean().optional() })
    .optional(),
});

/** `title: null` goes back to the derived title, `model: null` to the agent's. */
export const patchSessionSchema = z.strictObject({
  title: nameText(1000).nullable().optional(),
  pinned: z.boolean().optional(),
  archived: z.boolean().optional(),
  model: modelSchema.nullable().optional(),
  settings: sessionSettingsPatchSchema.optional(),
});

const flagSchema = z.enum(['true', 'false']);

export const listSessionsQuerySchema = z.strictObject({
  /** Words in titles and in everything that was said; signs are no operators. */
  q: z.string().max(500).optional(),
  agent: agentIdSchema.optional(),
  archived: flagSchema.optional(),
  behind: flagSchema.optional(),
  hasSummary: flagSchema.optional(),
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

export const listSessionsAnswerSchema = z.object({
  sessions: z.array(
    sessionSummarySchema.extend({
      matches: z.array(sessionMatchSchema).optional(),
      moreMatches: moreMatchesSchema.nullable().optional(),
    }),
  ),
  nextCursor: z.string().nullable(),
});

export const deleteSessionQuerySchema = z.strictObject({ force: z.enum(['0', '1', 'true', 'false']).optional() });

export type SessionStatus = z.infer<typeof sessionStatusSchema>;
export type CompactionStage = z.infer<typeof compactionStageSchema>;
export type SegmentTally = z.infer<typeof segmentTallySchema>;
export type Activity = z.infer<typeof activitySchema>;
export type SessionSummary = z.infer<typeof sessionSummarySchema>;
export type Session = z.infer<typeof sessionSchema>;
export type SessionWithChange = z.infer<typeof sessionWithChangeSchema>;
export type CreateSession = z.infer<typeof createSessionSchema>;
export type PatchSession = z.infer<typeof patchSessionSchema>;
export type ListSessionsQuery = z.infer<typeof listSessionsQuerySchema>;
export type ListSessionsAnswer = z.infer<typeof listSessionsAnswerSchema>;
