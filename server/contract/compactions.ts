import { z } from 'zod';
import { carriedSchema, compactionMethodSchema, compactionTriggerSchema } from './boundary';
import { idSchema } from './ids';
import { clientIdSchema } from './messages-api';
import { compactionStageSchema } from './session';
import { atSchema, bytesSchema, modelSchema, rangeSchema, seqSchema, troubleDetailSchema, usageSchema } from './shapes';
import { boundedText, maxBodyBytes } from './text';

/** Asking for a compaction, and the ledger of every attempt at one, refused ones too (X3). */

export const compactSchema = z.strictObject({
  /** What to keep, in the person's words; goes into the instruction. */
  focus: boundedText(4_000).optional(),
  upToItemId: idSchema.optional(),
  keepTail: z.boolean().optional(),
  preview: z.boolean().optional(),
  /** Sent again it is the same request; `chat.compacting` names it. */
  clientRequestId: clientIdSchema.optional(),
});

/** While one is queued or runs, a second request gets the same `jobId` (contract 14). */
export const compactAnswerSchema = z.object({ jobId: idSchema });

const countSchema = z.number().int().min(0);

export const compactionAttemptSchema = z.object({
  n: z.number().int().min(1),
  /** When it had ended. */
  at: atSchema,
  stage: compactionStageSchema,
  segment: countSchema.nullable(),
  model: modelSchema,
  requestBytes: bytesSchema,
  /** Output tokens the request allowed; null where it sent no ceiling. */
  ceiling: countSchema.nullable(),
  end: z.string().nullable(),
  rawEnd: z.string().nullable(),
  usage: usageSchema.nullable(),
  cost: z.number().nullable(),
  ms: countSchema,
  outcome: z.enum(['accepted', 'rejected', 'failed', 'cancelled']),
  reason: z.string().nullable(),
  detail: troubleDetailSchema.nullable(),
});

export const segmentSchema = z.object({
  n: countSchema,
  from: idSchema,
  through: idSchema,
  items: countSchema,
  bytes: bytesSchema,
  state: z.enum(['waiting', 'running', 'done', 'failed']),
});

/** `running` while open; `previewed` while an accepted text waits for a person. `deferred` is derived and has no line. */
export const ledgerOutcomeSchema = z.enum([
  'running',
  'previewed',
  'committed',
  'rejected',
  'failed',
  'cancelled',
  'skipped',
  'deferred',
]);

/** The guards of C10 as they stood when this row ended. */
export const compactionCountersSchema = z.object({
  /** Automatic compactions in a row without a summary, this one counted; over turns and restarts. 0 after a success. */
  failuresInARow: countSchema,
  /** Refills in a row in its turn when it began: a commit, then the trigger again within two model calls. */
  refills: countSchema,
});

/** Why nothing was tried: the compaction that had failed before in the same turn. Only in rows with `deferred`. */
export const deferralSchema = z.object({
  after: idSchema,
  /** Model calls of that turn that were made without another attempt. */
  calls: countSchema,
});

/**
 * One row of the ledger. A row with `deferred` is derived, no line of the log is its own: it stands behind the failed
 * compaction that deferred others, has no attempts, and its `compactionId` is an id of its own.
 */
export const compactionEntrySchema = z.object({
  compactionId: idSchema,
  seq: seqSchema,
  startedAt: atSchema,
  endedAt: atSchema.nullable(),
  trigger: compactionTriggerSchema,
  /** The turn it belongs to; null between turns. */
  turnId: idSchema.nullable(),
  by: z.string().nullable(),
  focus: z.string().nullable(),
  outcome: ledgerOutcomeSchema,
  reason: z.string().nullable(),
  method: compactionMethodSchema.nullable(),
  model: modelSchema.nullable(),
  chain: z.array(modelSchema),
  source: rangeSchema.nullable(),
  bytesBefore: bytesSchema.nullable(),
  bytesAfter: bytesSchema.nullable(),
  numbers: z.object({
    budget: bytesSchema,
    floor: bytesSchema,
    room: z.number().int(),
    trigger: z.number().int(),
    commit: z.number().int(),
    view: bytesSchema,
  }),
  /** Sums over its attempts; null where a provider reported nothing. */
  usage: usageSchema.nullable(),
  cost: z.number().nullable(),
  ms: countSchema,
  attempts: z.array(compactionAttemptSchema),
  segments: z.array(segmentSchema),
  checkpointId: idSchema.nullable(),
  /** Its summary was taken back since, by an undo of it on the path or by a rollback, and when. */
  reverted: z.object({ at: atSchema }).nullish(),
  carryOver: carriedSchema.nullable(),
  /** The candidate that waits for a person (X4). */
  preview: z.string().nullish(),
  deferral: deferralSchema.nullable(),
  counters: compactionCountersSchema,
});

/** What holds automatic compaction back now, and how near its bounds are (C10). Derived from the log; survives restarts. */
export const compactionGuardsSchema = z.object({
  /**
   * `ready`: the next call over the trigger compacts. `off`: switched off in the settings. Until the next message of a
   * person: `deferred` after a failure, `stopped` by a person, `refill_stopped` after three refills in a row.
   */
  state: z.enum(['ready', 'off', 'deferred', 'stopped', 'refill_stopped']),
  /** The running turn, else the newest one; null before the first. */
  turnId: idSchema.nullable(),
  /** The compaction whose failure defers the others. */
  deferredBy: idSchema.nullable(),
  deferredCalls: countSchema,
  failuresInARow: countSchema,
  refills: countSchema,
  refillLimit: countSchema,
  /** The one recovery a turn has from a provider's context-window error was used. */
  overflowUsed: z.boolean(),
});

export const compactionsAnswerSchema = z.object({
  compactions: z.array(compactionEntrySchema),
  guards: compactionGuardsSchema,
});

/** Commits a previewed text, edited or as it was; it passes the same checks again. */
export const commitPreviewSchema = z.strictObject({ text: boundedText(maxBodyBytes).optional() });
export const expandSchema = z.strictObject({ from: idSchema, through: idSchema });

/** With `preview` nothing is appended: the answer says the bytes as they would be. */
export const changeQuerySchema = z.strictObject({ preview: z.enum(['0', '1', 'true', 'false']).optional() });

export type ChangeQuery = z.infer<typeof changeQuerySchema>;
export type Compact = z.infer<typeof compactSchema>;
export type CompactAnswer = z.infer<typeof compactAnswerSchema>;
export type CompactionAttempt = z.infer<typeof compactionAttemptSchema>;
export type CompactionEntry = z.infer<typeof compactionEntrySchema>;
export type CompactionGuards = z.infer<typeof compactionGuardsSchema>;
export type CompactionsAnswer = z.infer<typeof compactionsAnswerSchema>;
