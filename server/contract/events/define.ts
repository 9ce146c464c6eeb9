import { z } from 'zod';

/** P: path, conversation state. B: branch, folded whatever the head is. L: about the file (`contract.md` 2). */
export type EventClass = 'P' | 'B' | 'L';

/** Fields of every line besides its own: the envelope without the checksum. */
export interface Envelope {
  readonly v: number;
  readonly seq: number;
  readonly id: string;
  readonly branch: string;
  readonly at: string;
}

/**
 * One event type: its class and its fields in schema order. A field with a zod default is not written
 * when its value equals the default (`contract.md` 3), so the order and defaults here *are* the file format.
 */
export function defineEvent<const T extends string, const C extends EventClass, F extends z.ZodRawShape>(
  type: T,
  eventClass: C,
  fields: F,
) {
  return { type, eventClass, fields: z.strictObject(fields) };
}

/** A field that is null where it is not written. */
export const nullable = <S extends z.ZodType>(schema: S) => schema.nullable().default(null);
/** A list that is empty where it is not written. */
export const listOf = <S extends z.ZodType>(schema: S) => z.array(schema).default([]);
/** A switch that is off where it is not written. */
export const flag = () => z.boolean().default(false);
