import { z } from 'zod';
import { foreignIdSchema, idSchema } from '../ids';
import {
  bytesSchema,
  cutSchema,
  modelSchema,
  partSchema,
  sha256Schema,
  troubleDetailSchema,
  usageSchema,
} from '../shapes';
import { defineEvent, listOf, nullable } from './define';

/** Events of a turn: what the model said, what its tools did, how it ended. */

const msSchema = z.number().int().min(0);

/** `chain` equals `[model]` by default; the reader fills it in (`core/log/defaults`). */
export const turnStarted = defineEvent('turn.started', 'P', {
  turnId: idSchema,
  messageId: nullable(idSchema),
  why: z.enum(['message', 'continue', 'approval', 'delegate']).default('message'),
  model: modelSchema,
  chain: z.array(modelSchema).optional(),
  promptId: idSchema,
});

/** Opaque provider data about one part (signatures, response ids): sent back byte-identical or not at all (G1). */
const artifactSchema = z.strictObject({
  provider: z.string().max(200),
  model: z.string().max(300),
  part: nullable(z.number().int().min(0)),
  kind: z.string().max(100),
  data: z.unknown(),
});

export const messageAssistant = defineEvent('message.assistant', 'P', {
  step: z.number().int().min(0),
  model: modelSchema,
  parts: z.array(partSchema),
  end: z.enum(['stop', 'tool_calls', 'length', 'refusal', 'cancelled', 'interrupted', 'error']),
  rawEnd: nullable(z.string().max(200)),
  usage: nullable(usageSchema),
  ms: msSchema,
  artifacts: listOf(artifactSchema),
  bytes: bytesSchema,
  simulated: z.boolean().optional(),
});

/** Written before a tool with effects runs, so that a crash can say that it may have run. */
export const toolStarted = defineEvent('tool.started', 'P', { callId: foreignIdSchema, name: z.string().max(200) });

const observedSchema = z.strictObject({
  path: z.string().max(4096),
  sha256: sha256Schema,
  how: z.enum(['read', 'write', 'delete']),
});

/** An item. The raw payload stays whole; `cap` says what the view shows of it, from its first appearance (M4). */
export const toolResult = defineEvent('tool.result', 'P', {
  callId: foreignIdSchema,
  name: z.string().max(200),
  parts: z.array(partSchema),
  isError: z.boolean().default(false),
  why: z.enum(['ran', 'denied', 'cancelled', 'interrupted', 'invalid_arguments', 'unknown_tool']).default('ran'),
  observed: listOf(observedSchema),
  cap: nullable(cutSchema),
  ms: msSchema,
  bytes: bytesSchema,
  viewBytes: bytesSchema.optional(),
});

export const turnParked = defineEvent('turn.parked', 'P', { turnId: idSchema, waiting: listOf(foreignIdSchema) });

export const turnEnded = defineEvent('turn.ended', 'P', {
  turnId: idSchema,
  outcome: z.enum(['finished', 'failed', 'cancelled', 'interrupted']),
  code: nullable(z.string().max(100)),
  text: nullable(z.string().max(2000)),
  detail: nullable(troubleDetailSchema),
  steps: z.number().int().min(0),
});

export const approvalAsked = defineEvent('approval.asked', 'P', {
  callId: foreignIdSchema,
  name: z.string().max(200),
  argsHash: sha256Schema,
  preview: nullable(z.string().max(20_000)),
});

export const approvalDecided = defineEvent('approval.decided', 'P', {
  callId: foreignIdSchema,
  argsHash: sha256Schema,
  decision: z.enum(['deny', 'approve']),
  scope: z.enum(['once', 'conversation']).default('once'),
  by: z.string().max(200),
});

/** Drawn in the transcript, never sent to a model, has no number. */
export const note = defineEvent('note', 'P', {
  kind: z.enum(['failover', 'retry', 'window', 'refill_stop', 'interrupted', 'import']),
  text: z.string().max(4000),
  data: nullable(z.unknown()),
});
