import { z } from 'zod';
import { foreignIdSchema, idSchema } from '../ids';
import {
  bytesSchema,
  cutSchema,
  modelSchema,
  rangeSchema,
  seqSchema,
  sha256Schema,
  troubleDetailSchema,
  usageSchema,
} from '../shapes';
import { defineEvent, flag, listOf, nullable } from './define';

/** A compaction from its start to the checkpoint it leaves, every attempt between (X3). */

const reasonSchema = nullable(z.string().max(500));

export const compactionNumbersSchema = z.strictObject({
  budget: bytesSchema,
  floor: bytesSchema,
  room: z.number().int(),
  trigger: z.number().int(),
  commit: z.number().int(),
  view: bytesSchema,
});

export const compactionStarted = defineEvent('compaction.started', 'B', {
  compactionId: idSchema,
  trigger: z.enum(['auto', 'manual', 'overflow']),
  turnId: nullable(idSchema),
  by: nullable(z.string().max(200)),
  focus: nullable(z.string().max(4000)),
  source: nullable(rangeSchema),
  fingerprint: nullable(sha256Schema),
  keep: listOf(idSchema),
  tail: nullable(rangeSchema),
  numbers: compactionNumbersSchema,
  chain: listOf(modelSchema),
});

export const compactionAttempt = defineEvent('compaction.attempt', 'B', {
  compactionId: idSchema,
  n: z.number().int().min(1),
  stage: z.enum(['one_shot', 'map', 'reduce', 'audit', 'correct']).default('one_shot'),
  segment: nullable(z.number().int().min(0)),
  model: modelSchema,
  requestBytes: bytesSchema,
  ceiling: nullable(z.number().int().min(0)),
  end: nullable(z.string().max(100)),
  rawEnd: nullable(z.string().max(200)),
  usage: nullable(usageSchema),
  cost: nullable(z.number()),
  ms: z.number().int().min(0),
  outcome: z.enum(['accepted', 'rejected', 'failed', 'cancelled']),
  reason: reasonSchema,
  detail: nullable(troubleDetailSchema),
});

export const compactionPreviewed = defineEvent('compaction.previewed', 'B', {
  compactionId: idSchema,
  text: z.string(),
});

export const compactionEnded = defineEvent('compaction.ended', 'B', {
  compactionId: idSchema,
  outcome: z.enum(['committed', 'rejected', 'failed', 'cancelled', 'skipped']),
  reason: reasonSchema,
  before: nullable(bytesSchema),
  after: nullable(bytesSchema),
});

const segmentSchema = z.strictObject({
  n: z.number().int().min(0),
  from: idSchema,
  through: idSchema,
  items: z.array(idSchema),
  fingerprint: sha256Schema,
  bytes: bytesSchema,
});

/** Versions 1 and 2 are read-only formats: byte offsets, and no end reason. New lines are version 3 (R5). */
export const stagingPlanned = defineEvent('staging.planned', 'B', {
  compactionId: idSchema,
  version: z.number().int().min(1).max(3),
  model: nullable(modelSchema),
  windowTokens: nullable(z.number().int()),
  targetBytes: nullable(bytesSchema),
  round: z.number().int().min(0).max(3).default(0),
  mode: z.enum(['parallel', 'sequential']).default('parallel'),
  segments: z.array(z.union([segmentSchema, z.record(z.string(), z.unknown())])),
});

export const stagingMode = defineEvent('staging.mode', 'B', {
  compactionId: idSchema,
  mode: z.literal('sequential'),
  reason: z.string().max(500),
});

/** Without `version` it is of 3; with 1 or 2 it is an older format whose text is never used. */
export const stagingMap = defineEvent('staging.map', 'B', {
  compactionId: idSchema,
  version: z.number().int().min(1).max(3).optional(),
  fingerprint: nullable(sha256Schema),
  items: listOf(idSchema),
  text: z.string(),
  model: nullable(modelSchema),
  from: bytesSchema.optional(),
  to: bytesSchema.optional(),
});

/** Read-only: the text of an unversioned rolling split. Answered by `staging.invalidated`, never used (R5). */
export const stagingBuffer = defineEvent('staging.buffer', 'B', {
  compactionId: idSchema.optional(),
  text: z.string(),
});

export const stagingReduce = defineEvent('staging.reduce', 'B', {
  compactionId: idSchema,
  level: z.number().int().min(1).max(8),
  group: z.number().int().min(0),
  inputs: z.array(sha256Schema),
  fingerprint: sha256Schema,
  text: z.string(),
  rereads: listOf(z.strictObject({ from: z.number().int().min(1), through: z.number().int().min(1) })),
});

export const stagingAudit = defineEvent('staging.audit', 'B', {
  compactionId: idSchema,
  round: z.number().int().min(0).max(2),
  candidate: z.string(),
  verdict: z.enum(['pass', 'fail']),
  findings: listOf(z.string()),
});

/** Voids all staging of that version before it on this branch; with `fingerprints` only those maps of version 3 (R4). */
export const stagingInvalidated = defineEvent('staging.invalidated', 'B', {
  compactionId: idSchema,
  version: nullable(z.number().int().min(1).max(3)),
  reason: z.enum(['old_version', 'source_changed', 'unfit']),
  fingerprints: listOf(sha256Schema),
});

export const checkpointCommitted = defineEvent('checkpoint.committed', 'P', {
  compactionId: idSchema,
  text: z.string(),
  edited: flag(),
  covers: rangeSchema,
  keep: listOf(idSchema),
  firstCap: nullable(cutSchema),
  previous: nullable(idSchema),
  carry: z
    .strictObject({
      kept: listOf(z.strictObject({ id: idSchema, text: z.string() })),
      dropped: listOf(z.strictObject({ id: idSchema, bytes: bytesSchema, reason: z.string().max(100) })),
    })
    .default({ kept: [], dropped: [] }),
  stale: listOf(z.strictObject({ path: z.string(), readAs: sha256Schema, nowAs: nullable(sha256Schema) })),
  open: z
    .strictObject({ approvals: listOf(foreignIdSchema), subagents: listOf(idSchema) })
    .default({ approvals: [], subagents: [] }),
  method: z.enum(['one_shot', 'map_reduce']).default('one_shot'),
  model: nullable(modelSchema),
  usage: nullable(usageSchema),
  promptId: nullable(idSchema),
  promptRecomposed: flag(),
  sourceBytes: bytesSchema,
  bytes: bytesSchema,
  checks: listOf(
    z.strictObject({ name: z.string().max(100), ok: z.boolean(), value: nullable(z.union([z.string(), z.number()])) }),
  ),
  undoTo: nullable(seqSchema),
  imported: z.boolean().optional(),
});

export const checkpointReverted = defineEvent('checkpoint.reverted', 'P', {
  checkpointId: idSchema,
  by: z.string().max(200),
});
export const checkpointExpanded = defineEvent('checkpoint.expanded', 'P', {
  checkpointId: idSchema,
  from: idSchema,
  through: idSchema,
});
export const checkpointFolded = defineEvent('checkpoint.folded', 'P', {
  checkpointId: idSchema,
  from: idSchema,
  through: idSchema,
});

export const headReverted = defineEvent('head.reverted', 'B', {
  to: seqSchema,
  item: nullable(idSchema),
  from: seqSchema,
  by: z.string().max(200),
});
export const headRestored = defineEvent('head.restored', 'B', {
  to: seqSchema,
  undoes: idSchema,
  by: z.string().max(200),
});
