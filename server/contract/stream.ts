import { z } from 'zod';
import { carriedSchema, compactionTriggerSchema } from './boundary';
import { errorCodeSchema } from './error';
import { foreignIdSchema, idSchema } from './ids';
import { messageSchema } from './message';
import { compactionStageSchema, segmentTallySchema, sessionSummarySchema } from './session';
import { bytesSchema, modelSchema, planItemSchema, troubleDetailSchema } from './shapes';

/**
 * The messages of `GET /v1/events`. Durable ones carry an SSE `id` (`cursor.ts`) and are sent again after it;
 * the others carry none: what they said is superseded by the durable message that follows.
 */

const ofSession = { sessionId: idSchema };

/** Also what any other change of the branch arrives as: its `headSeq` is then higher than the client's. */
export const sessionUpdatedSchema = sessionSummarySchema;

/** A durable message: new, or the same `id` again when it changed (placed from the queue, a call's new state). */
export const chatMessageSchema = messageSchema.and(z.object(ofSession));

/**
 * Text as it arrives. `part` is the index of the part in the message, `offset` counts UTF-16 units from the part's
 * start, so a text that is already there is recognised. For a `tool_call` the text is its arguments as JSON.
 */
export const chatDeltaSchema = z.object({
  ...ofSession,
  turnId: idSchema,
  messageId: idSchema,
  part: z.number().int().min(0),
  kind: z.enum(['text', 'reasoning', 'tool_call']),
  offset: z.number().int().min(0),
  text: z.string(),
  call: z.object({ callId: foreignIdSchema, name: z.string() }).optional(),
});

/** The partial text of `messageId` is discarded: from the screen too (C9). */
export const chatResetSchema = z.object({ ...ofSession, turnId: idSchema, messageId: idSchema });

export const turnErrorSchema = z.object({
  code: errorCodeSchema,
  message: z.string(),
  detail: troubleDetailSchema.nullish(),
});

export const chatTurnSchema = z.object({
  ...ofSession,
  turnId: idSchema,
  state: z.enum(['started', 'finished', 'failed', 'cancelled', 'interrupted']),
  messageId: idSchema.nullish(),
  model: modelSchema.nullish(),
  /** Also on `finished` with `step_limit`. */
  error: turnErrorSchema.optional(),
});

/** Once at the start, again as stages and models advance (P7). */
export const chatCompactingSchema = z.object({
  ...ofSession,
  compactionId: idSchema,
  trigger: compactionTriggerSchema,
  model: modelSchema.nullable(),
  stage: compactionStageSchema,
  /** Segments of the map stage, once it has begun (X6); the ledger lists them one by one. */
  segments: segmentTallySchema.optional(),
  /** Numbers of the segments that are being read now, as in the ledger. */
  reading: z.array(z.number().int().min(1)).optional(),
  since: z.string().optional(),
  /** Of the request that asked for it: the row drawn from the click becomes this one. */
  clientRequestId: z.string().nullish(),
  /** "Trying haiku-x (2 of 3)": place in the chain, from 1, and why the one before was left. */
  attempt: z
    .object({ n: z.number().int().min(1), of: z.number().int().min(1), after: z.string().nullable() })
    .optional(),
});

export const compactionOutcomeSchema = z.enum(['committed', 'rejected', 'failed', 'cancelled', 'skipped']);

export const chatCompactedSchema = z.object({
  ...ofSession,
  compactionId: idSchema,
  outcome: compactionOutcomeSchema,
  reason: z.string().nullish(),
  checkpointId: idSchema.nullish(),
  bytesBefore: bytesSchema.nullable(),
  bytesAfter: bytesSchema.nullable(),
  /** Carry-overs the bound left out, by name (K1). */
  dropped: carriedSchema.shape.dropped.optional(),
  detail: troubleDetailSchema.nullish(),
});

export const chatPlanSchema = z.object({
  ...ofSession,
  items: z.array(planItemSchema),
  by: z.enum(['model', 'person']),
});

export const chatApprovalSchema = z.object({
  ...ofSession,
  turnId: idSchema,
  callId: foreignIdSchema,
  name: z.string(),
  preview: z.string().nullable(),
  state: z.enum(['asked', 'approved', 'denied']),
});

/** The ids that wait, in order, whenever that changed: withdrawn ones are gone from it. */
export const chatQueueSchema = z.object({ ...ofSession, messageIds: z.array(idSchema) });

export const chatNoticeSchema = z.object({
  sessionId: idSchema.nullable(),
  level: z.enum(['info', 'warn', 'error']),
  code: z.string(),
  text: z.string(),
  data: z.record(z.string(), z.unknown()).optional(),
});

export const promptBehindSchema = z.object({ ...ofSession, current: z.boolean() });

export const streamEventSchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('session.updated'), data: sessionUpdatedSchema }),
  z.object({ event: z.literal('chat.message'), data: chatMessageSchema }),
  z.object({ event: z.literal('chat.delta'), data: chatDeltaSchema }),
  z.object({ event: z.literal('chat.reset'), data: chatResetSchema }),
  z.object({ event: z.literal('chat.turn'), data: chatTurnSchema }),
  z.object({ event: z.literal('chat.compacting'), data: chatCompactingSchema }),
  z.object({ event: z.literal('chat.compacted'), data: chatCompactedSchema }),
  z.object({ event: z.literal('chat.plan'), data: chatPlanSchema }),
  z.object({ event: z.literal('chat.approval'), data: chatApprovalSchema }),
  z.object({ event: z.literal('chat.queue'), data: chatQueueSchema }),
  z.object({ event: z.literal('chat.notice'), data: chatNoticeSchema }),
  z.object({ event: z.literal('prompt.behind'), data: promptBehindSchema }),
]);

export type StreamEvent = z.infer<typeof streamEventSchema>;
export type StreamEventName = StreamEvent['event'];
export type StreamData<N extends StreamEventName> = Extract<StreamEvent, { event: N }>['data'];
export type ChatDelta = z.infer<typeof chatDeltaSchema>;
export type ChatTurn = z.infer<typeof chatTurnSchema>;
export type ChatCompacting = z.infer<typeof chatCompactingSchema>;
export type ChatCompacted = z.infer<typeof chatCompactedSchema>;
export type ChatApproval = z.infer<typeof chatApprovalSchema>;
export type ChatNotice = z.infer<typeof chatNoticeSchema>;
export type CompactionOutcome = z.infer<typeof compactionOutcomeSchema>;

/** A comment line this often keeps proxies and phones from closing a quiet stream. Milliseconds. */
export const streamPulseMs = 15_000;
