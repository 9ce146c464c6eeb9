import { z } from 'zod';
import { idSchema } from './ids';
import { messageSchema } from './message';
import { sha256Schema } from './shapes';
import { boundedText, maxBodyBytes, nameText } from './text';

/** Reading a transcript in pages, sending to it, and the messages that still wait. */

/** Before or after an item id, never both: a page has one anchor. Without either: the newest page. */
export const messagesQuerySchema = z
  .strictObject({
    before: idSchema.optional(),
    after: idSchema.optional(),
    limit: z.coerce.number().int().min(1).max(500).default(100),
    /** A path not in force: the one that ends at this item (contract 17). */
    head: idSchema.optional(),
  })
  .refine((query) => query.before === undefined || query.after === undefined, {
    error: 'take before or after, not both',
    path: ['after'],
  });

export const messagesAnswerSchema = z.object({
  messages: z.array(messageSchema),
  hasBefore: z.boolean(),
  hasAfter: z.boolean(),
});

/** Chosen by the client, once for each message it means to send; sent again it gives the same answer (L7). */
export const clientIdSchema = z.string().regex(/^[A-Za-z0-9_.:-]{1,100}$/, '1 to 100 of A-Z a-z 0-9 _ . : -');

export const attachmentRefSchema = z.strictObject({ sha256: sha256Schema, name: nameText(255).optional() });

export const postMessageSchema = z
  .strictObject({
    text: boundedText(maxBodyBytes),
    attachments: z.array(attachmentRefSchema).max(20).optional(),
    clientMessageId: clientIdSchema,
    /** The head moves there in the same batch: how an earlier message is edited. Null: before the first item. */
    after: idSchema.nullable().optional(),
  })
  .refine((body) => body.text.trim() !== '' || (body.attachments?.length ?? 0) > 0, {
    error: 'must not be blank',
    path: ['text'],
  });

export const postMessageAnswerSchema = z.object({
  messageId: idSchema,
  turnId: idSchema,
  /** Something runs or waits before it. */
  queued: z.boolean(),
});

export const turnAnswerSchema = z.object({ turnId: idSchema });

/** A body that says nothing more than the address does. A request without a body counts as `{}`. */
export const emptySchema = z.strictObject({});

/** Without `what`: whatever runs (contract 14). */
export const cancelSchema = z.strictObject({ what: z.enum(['turn', 'compaction']).optional() });

/** The messages that wait, in the order they will be sent. */
export const queueAnswerSchema = z.object({ messages: z.array(messageSchema) });
/** All waiting ids, in the wanted order. */
export const queueOrderSchema = z.strictObject({ order: z.array(idSchema).max(1000) });
export const queueEditSchema = z.strictObject({ text: boundedText(maxBodyBytes) });
/** An edit withdraws the message and puts a new one in its place; the answer names it. */
export const queueEditAnswerSchema = z.object({ messageId: idSchema, turnId: idSchema });

export const approvalDecisionSchema = z.strictObject({
  decision: z.enum(['approve', 'deny']),
  scope: z.enum(['once', 'conversation']).optional(),
});

/** The composer's saved text of this person; empty text is no draft. */
export const draftSchema = z.object({ text: z.string(), updatedAt: z.string().nullable() });
export const putDraftSchema = z.strictObject({ text: boundedText(maxBodyBytes) });

/**
 * The head moves to this item, abandoned ones too; null: before the first. Any line of a path may be named by its id, as `tips`
 * and `left` do: the head then stands at that line.
 */
export const headMoveSchema = z.strictObject({ itemId: idSchema.nullable() });
/** Without an item: where the conversation stands now. */
export const forkSchema = z.strictObject({ itemId: idSchema.optional() });

export type MessagesQuery = z.infer<typeof messagesQuerySchema>;
export type MessagesAnswer = z.infer<typeof messagesAnswerSchema>;
export type PostMessage = z.infer<typeof postMessageSchema>;
export type PostMessageAnswer = z.infer<typeof postMessageAnswerSchema>;
export type QueueEditAnswer = z.infer<typeof queueEditAnswerSchema>;
export type ApprovalDecision = z.infer<typeof approvalDecisionSchema>;
export type Draft = z.infer<typeof draftSchema>;
