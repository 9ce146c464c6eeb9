import { z } from 'zod';
import { idSchema } from './ids';

/** Names that other documents refer to. */

export const agentIdSchema = idSchema;
export const skillIdSchema = idSchema;

/** Short, typed by a person, part of `<provider>/<model>`: so no slash, and not `auto`, which names the router. */
export const providerIdSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'lower-case letters, digits, dots, dashes; begins with a letter or digit')
  .refine((id) => id !== 'auto' && id !== 'constructor' && id !== 'prototype', 'this name is taken');

/** What a provider calls a model; may hold slashes, colons and dots. */
export const modelNameSchema = z
  .string()
  .min(1)
  .max(300)
  .regex(/^[^\s\p{Cc}]+$/u, 'no blanks or control characters');

export const toolNameSchema = z.string().regex(/^[A-Za-z0-9_.:-]{1,200}$/, 'letters, digits, _ . : -');

/** `<provider>/<model>` as a settings key; cut at the first slash. */
export const modelKeySchema = z
  .string()
  .max(400)
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}\/[^\s\p{Cc}]{1,300}$/u, '<provider>/<model>');

/** A published version, from 1. */
export const versionSchema = z.number().int().min(1);
/** A version as a query names it: a number, or the unpublished draft. */
export const versionRefSchema = z.union([z.literal('draft'), z.coerce.number().int().min(1)]);

export type VersionRef = z.infer<typeof versionRefSchema>;

/** The settings key of a model. */
export function toModelKey(model: { readonly provider: string; readonly model: string }): string {
  return `${model.provider}/${model.model}`;
}
