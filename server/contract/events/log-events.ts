import { z } from 'zod';
import { idSchema } from '../ids';
import { bytesSchema, sha256Schema } from '../shapes';
import { defineEvent } from './define';

/** Events about the file itself (class L). Their `branch` is the log's id. */

const byteRange = { from: bytesSchema, to: bytesSchema };

export const logOpened = defineEvent('log.opened', 'L', {
  format: z.literal('tidemark-log'),
  logId: idSchema,
  app: z.string().max(100),
});

/** A torn tail was closed with a newline; `[from, to)` are its bytes, so it stays "torn" for ever (L6). */
export const logSealed = defineEvent('log.sealed', 'L', { ...byteRange, kind: z.literal('torn') });

/** Damage found in the middle, reported once for each place (L6). Half-open byte ranges. */
export const logDamage = defineEvent('log.damage', 'L', {
  ranges: z.array(z.strictObject({ ...byteRange, why: z.string().max(200) })),
});

/** Image or file bytes, once a log; at most 25 MB. */
export const blobAdded = defineEvent('blob.added', 'L', {
  sha256: sha256Schema,
  mediaType: z.string().max(200),
  bytes: bytesSchema,
  data: z.string(),
});
