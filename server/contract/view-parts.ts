import { z } from 'zod';
import { foreignIdSchema, idSchema } from './ids';
import { bytesSchema, sha256Schema } from './shapes';

/**
 * Parts of a message as a reader gets them. They differ from the parts of a stored line: a call carries what
 * became of it, a result says what the model sees of it, and images are addresses instead of bytes.
 */

export const textPartSchema = z.object({ type: z.literal('text'), text: z.string() });

export const reasoningPartSchema = z.object({ type: z.literal('reasoning'), text: z.string() });

/**
 * What became of a call. `announced`: the model wrote it and nothing ran yet. `none`: this path ends before a
 * result (a fork or revert in the middle of a batch). Everything from `done` on is final.
 */
export const toolCallStateSchema = z.enum([
  'announced',
  'waiting_approval',
  'running',
  'done',
  'failed',
  'denied',
  'cancelled',
  'interrupted',
  'none',
]);

export const toolCallPartSchema = z.object({
  type: z.literal('tool_call'),
  callId: foreignIdSchema,
  name: z.string(),
  /** As the model wrote them: an object, or the raw text where it was no JSON. */
  args: z.unknown(),
  state: toolCallStateSchema,
  /** What the person is asked to allow, while `state` is `waiting_approval`. */
  preview: z.string().nullish(),
  /** The branch of the subagent that this call started; its messages are read like any session's. */
  subagent: z.object({ sessionId: idSchema }).nullish(),
});

export const toolResultPartSchema = z.object({
  type: z.literal('tool_result'),
  callId: foreignIdSchema,
  name: z.string(),
  output: z.string(),
  isError: z.boolean(),
  /** Bytes of the whole output, whatever `output` shows of it. */
  bytes: bytesSchema,
  /** The model put a reference in its place (M1); `maskNote` is what it noted. */
  masked: z.boolean(),
  maskNote: z.string().nullish(),
  /** True where a page of messages carries only the head of a long output; `items/{id}` gives the whole. */
  clipped: z.boolean().optional(),
});

export const imagePartSchema = z.object({
  type: z.literal('image'),
  mediaType: z.string(),
  bytes: bytesSchema,
  url: z.string(),
  sha256: sha256Schema.optional(),
  width: z.number().int().nullish(),
  height: z.number().int().nullish(),
  name: z.string().optional(),
});

export const filePartSchema = z.object({
  type: z.literal('file'),
  mediaType: z.string(),
  bytes: bytesSchema,
  url: z.string(),
  sha256: sha256Schema.optional(),
  name: z.string(),
});

export const messagePartSchema = z.discriminatedUnion('type', [
  textPartSchema,
  reasoningPartSchema,
  toolCallPartSchema,
  toolResultPartSchema,
  imagePartSchema,
  filePartSchema,
]);

export type ToolCallState = z.infer<typeof toolCallStateSchema>;
export type TextPart = z.infer<typeof textPartSchema>;
export type ShownToolCallPart = z.infer<typeof toolCallPartSchema>;
export type ShownToolResultPart = z.infer<typeof toolResultPartSchema>;
export type ImagePart = z.infer<typeof imagePartSchema>;
export type FilePart = z.infer<typeof filePartSchema>;
export type MessagePart = z.infer<typeof messagePartSchema>;
