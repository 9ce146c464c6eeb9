import { z } from 'zod';
import { summaryMetadataSchema, trimMetadataSchema } from './boundary';
import { foreignIdSchema, idSchema } from './ids';
import { atSchema, bytesSchema, cutSchema, modelSchema, seqSchema, troubleDetailSchema, usageSchema } from './shapes';
import { filePartSchema, imagePartSchema, messagePartSchema, textPartSchema, toolResultPartSchema } from './view-parts';

/**
 * A message of the transcript, in transcript order, boundaries included. `id` is the id of the event that carries
 * it, `seq` the line of its point: a queued message has its own line until its turn places it, then that of its
 * `turn.started`; boundaries and notes have their own.
 */
const common = { id: idSchema, seq: seqSchema, at: atSchema };

/** Position on the path, from 1: what models and summaries call `item 57`. Null while queued or off the path. */
const numberSchema = z.number().int().min(1).nullable();

/**
 * Other items at the same place, after an edit or another try; `index` is this one's place in `ids`, from 0. `tips` has for each
 * the line at which it was left, by its id: a revert to that brings it back as it was, a plan or summary of its end too.
 */
const alternativesSchema = z.object({
  index: z.number().int().min(0),
  ids: z.array(idSchema),
  tips: z.array(idSchema).optional(),
});

/**
 * What a revert left here, and stands: when, the newest item of it and how many; `tip`: the line at which it was left, to be
 * returned to. `by`: a person went back, edited, tried again, or went to another branch.
 */
const leftSchema = z.object({
  at: atSchema,
  itemId: idSchema,
  items: z.number().int().min(1),
  tip: idSchema,
  by: z.enum(['back', 'edit', 'again', 'switch']),
});

const itemMetadataSchema = z.object({
  number: numberSchema,
  turnId: idSchema.nullable(),
  bytes: bytesSchema,
  alternatives: alternativesSchema.optional(),
  /** Conversations that begin at this item, deleted ones not. */
  forks: z.array(idSchema).optional(),
  /** What reverts left right after this item. */
  left: z.array(leftSchema).optional(),
  /** Of the first item: what reverts left before it. */
  leftBefore: z.array(leftSchema).optional(),
});
const itemMetadata = itemMetadataSchema.shape;

export const userMetadataSchema = z.object({
  ...itemMetadata,
  clientMessageId: z.string().nullable(),
  kind: z.enum(['person', 'command', 'injected']),
  by: z.string(),
  /** The line of the path that it follows, by its id: another message in its place goes after that. Null: the beginning. */
  follows: idSchema.nullish(),
  /** Accepted and durable, its turn has not begun; it can still be edited, moved and withdrawn. */
  queued: z.boolean(),
});

export const assistantMetadataSchema = z.object({
  ...itemMetadata,
  step: z.number().int().min(0),
  model: modelSchema,
  end: z.enum(['stop', 'tool_calls', 'length', 'refusal', 'cancelled', 'interrupted', 'error']),
  rawEnd: z.string().nullable(),
  usage: usageSchema.nullable(),
  ms: z.number().int().min(0),
  /** The practice model wrote it: rules, not an AI (N2). */
  simulated: z.boolean().optional(),
});

export const toolMetadataSchema = z.object({
  ...itemMetadata,
  callId: foreignIdSchema,
  why: z.enum(['ran', 'denied', 'cancelled', 'interrupted', 'invalid_arguments', 'unknown_tool']),
  ms: z.number().int().min(0),
  /** What the view shows of it from its first appearance, and for ever (M4). */
  cap: cutSchema.nullable(),
  viewBytes: bytesSchema,
});

/**
 * A note is drawn and never reaches a model. Besides the kinds that are stored as notes there is `turn_ended`,
 * derived from a turn that did not simply finish: it stands where the turn ended and says why (T3, T4),
 * and `unreadable`, where a line of a newer version or a damaged one stands.
 */
export const noteMetadataSchema = z.object({
  kind: z.enum(['failover', 'retry', 'window', 'refill_stop', 'interrupted', 'import', 'turn_ended', 'unreadable']),
  turnId: idSchema.nullable(),
  data: z.unknown(),
  turn: z
    .object({
      outcome: z.enum(['finished', 'failed', 'cancelled', 'interrupted']),
      code: z.string().nullable(),
      detail: troubleDetailSchema.nullable(),
      steps: z.number().int().min(0),
    })
    .nullish(),
});

export const userMessageSchema = z.object({
  ...common,
  role: z.literal('user'),
  parts: z.array(z.discriminatedUnion('type', [textPartSchema, imagePartSchema, filePartSchema])),
  metadata: userMetadataSchema,
});

export const assistantMessageSchema = z.object({
  ...common,
  role: z.literal('assistant'),
  parts: z.array(messagePartSchema),
  metadata: assistantMetadataSchema,
});

/** One result; its first part is the `tool_result`, images it came with follow. */
export const toolMessageSchema = z.object({
  ...common,
  role: z.literal('tool'),
  parts: z.array(z.discriminatedUnion('type', [toolResultPartSchema, textPartSchema, imagePartSchema, filePartSchema])),
  metadata: toolMetadataSchema,
});

export const summaryMessageSchema = z.object({
  ...common,
  role: z.literal('summary'),
  parts: z.array(textPartSchema),
  metadata: summaryMetadataSchema,
});

export const trimMessageSchema = z.object({
  ...common,
  role: z.literal('trim'),
  parts: z.array(textPartSchema),
  metadata: trimMetadataSchema,
});

export const noteMessageSchema = z.object({
  ...common,
  role: z.literal('note'),
  parts: z.array(textPartSchema),
  metadata: noteMetadataSchema,
});

export const messageSchema = z.discriminatedUnion('role', [
  userMessageSchema,
  assistantMessageSchema,
  toolMessageSchema,
  summaryMessageSchema,
  trimMessageSchema,
  noteMessageSchema,
]);

export type ItemMetadata = z.infer<typeof itemMetadataSchema>;
export type UserMessage = z.infer<typeof userMessageSchema>;
export type AssistantMessage = z.infer<typeof assistantMessageSchema>;
export type ToolMessage = z.infer<typeof toolMessageSchema>;
export type SummaryMessage = z.infer<typeof summaryMessageSchema>;
export type TrimMessage = z.infer<typeof trimMessageSchema>;
export type NoteMessage = z.infer<typeof noteMessageSchema>;
export type Message = z.infer<typeof messageSchema>;
export type MessageRole = Message['role'];
