import { z } from 'zod';
import { foreignIdSchema, idSchema } from '../ids';
import { bytesSchema, modelSchema, partSchema, seqSchema, sha256Schema } from '../shapes';
import { defineEvent, listOf, nullable } from './define';

/** Events that make, name and remove a session, and the messages a person sends to it. */

const branchParent = z.strictObject({
  branch: idSchema,
  seq: seqSchema,
  itemId: nullable(idSchema),
  callId: foreignIdSchema.optional(),
});

/** Where an imported conversation came from; the file's hash tells a second import of the same file. */
const origin = z.strictObject({
  format: z.string().max(100),
  file: z.string().max(1024),
  sha256: sha256Schema,
});

/** A settings overlay of one session; validated against the settings schema where it is read. */
const sessionSettings = z.record(z.string(), z.unknown());

export const branchOpened = defineEvent('branch.opened', 'P', {
  kind: z.enum(['root', 'fork', 'subagent', 'import']),
  parent: nullable(branchParent),
  owner: z.string().min(1).max(200),
  agentId: nullable(idSchema),
  title: nullable(z.string().max(1000)),
  model: nullable(modelSchema),
  settings: nullable(sessionSettings),
  origin: nullable(origin),
});

/** Only the named fields change; a field that is absent stays as it was. */
export const sessionChanged = defineEvent('session.changed', 'B', {
  title: z.string().max(1000).nullable().optional(),
  pinned: z.boolean().optional(),
  archived: z.boolean().optional(),
  model: modelSchema.nullable().optional(),
  settings: sessionSettings.nullable().optional(),
});

export const sessionDeleted = defineEvent('session.deleted', 'B', { by: z.string().max(200) });
export const sessionRestored = defineEvent('session.restored', 'B', { by: z.string().max(200) });

/**
 * An item. Placed on the path by its `turn.started` (`place: "turn"`), or where it stands
 * (`place: "here"`, imports: then its line carries `prev` and is of class P).
 */
export const messageUser = defineEvent('message.user', 'B', {
  clientMessageId: nullable(z.string().min(1).max(200)),
  turnId: nullable(idSchema),
  parts: z.array(partSchema),
  by: z.string().max(200),
  place: z.enum(['turn', 'here']).default('turn'),
  kind: z.enum(['person', 'command', 'injected']).default('person'),
  bytes: bytesSchema,
});

export const messageWithdrawn = defineEvent('message.withdrawn', 'B', { messageId: idSchema });
export const queueOrdered = defineEvent('queue.ordered', 'B', { messageIds: listOf(idSchema) });
