import { z } from 'zod';

/** ULID: 26 characters of Crockford base 32, upper case, sortable by time (`contract.md` 1). */
export const ULID_PATTERN = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** An id of this product: event, session, agent, skill, job. Opaque to clients. */
export const idSchema = z.string().regex(ULID_PATTERN, 'an id of 26 characters');

/** A provider's or tool's own id (call ids); opaque, bounded, never parsed. */
export const foreignIdSchema = z.string().min(1).max(256);

export type Id = z.infer<typeof idSchema>;
