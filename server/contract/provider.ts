import { z } from 'zod';
import { windowSourceSchema } from './context';
import { errorCodeSchema } from './error';
import { modelNameSchema, providerIdSchema } from './names';
import { troubleDetailSchema } from './shapes';
import { nameText } from './text';

/** Providers and their models. A key goes in and never comes out; of a header only its name does. */

export const providerKindSchema = z.enum(['openai-compatible', 'openai', 'anthropic', 'google', 'embedded']);

/** US dollars for a million tokens. */
export const priceSchema = z.strictObject({
  input: z.number().min(0).max(100_000),
  output: z.number().min(0).max(100_000),
  cachedRead: z.number().min(0).max(100_000).optional(),
  cachedWrite: z.number().min(0).max(100_000).optional(),
});

/** A model as it is configured by hand; windows in tokens. */
export const configuredModelSchema = z.strictObject({
  id: modelNameSchema,
  window: z.number().int().min(1).max(100_000_000).optional(),
  maxOutput: z.number().int().min(1).max(100_000_000).optional(),
  price: priceSchema.optional(),
});

const baseUrlSchema = z
  .url({ protocol: /^https?$/, error: 'an http or https address' })
  .max(2_000)
  .refine((url) => !/^https?:\/\/[^/]*@/i.test(url), 'no name or password in the address');

const headerNameSchema = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'a header name');
/** Visible characters and blanks; a line break in it would be another header. */
const headerValueSchema = z
  .string()
  .max(8_000)
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'one line');

/** Switches for servers that differ from their protocol's book (`contract.md` 10). */
export const providerOptionsSchema = z.strictObject({
  merge_roles: z.boolean().optional(),
  strict_after_tool: z.boolean().optional(),
});

const editable = {
  name: nameText(200).optional(),
  baseUrl: baseUrlSchema.optional(),
  apiKey: headerValueSchema.min(1).optional(),
  /** The environment variable that holds the key; read at each start, never stored. */
  apiKeyEnv: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]{0,99}$/, 'the name of an environment variable')
    .refine((name) => !name.startsWith('TIDEMARK_'), 'no variable of this application itself')
    .optional(),
  models: z.array(configuredModelSchema).max(2_000).optional(),
  headers: z.record(headerNameSchema, headerValueSchema).optional(),
  options: providerOptionsSchema.optional(),
};

export const createProviderSchema = z.strictObject({ id: providerIdSchema, kind: providerKindSchema, ...editable });

/** What is left out stays, the key too; `apiKey: null` forgets it. */
export const patchProviderSchema = z.strictObject({
  ...editable,
  apiKey: headerValueSchema.min(1).nullable().optional(),
});

/** `TIDEMARK_PROVIDERS`: the same as `POST /v1/providers`, in an array. */
export const providersEnvSchema = z.array(createProviderSchema).max(50);

export const providerSchema = z.object({
  id: providerIdSchema,
  kind: providerKindSchema,
  name: z.string(),
  baseUrl: z.string().nullable(),
  hasKey: z.boolean(),
  keyFrom: z.enum(['stored', 'environment', 'none']),
  apiKeyEnv: z.string().nullable(),
  models: z.array(configuredModelSchema),
  headerNames: z.array(z.string()),
  options: providerOptionsSchema,
  /** `paused`: three failures in a row, passed over for 30 s (G4). */
  state: z.enum(['ready', 'key_missing', 'paused']),
  /** Came with the application or from the environment; cannot be removed here. */
  builtIn: z.boolean(),
});

export const providersAnswerSchema = z.object({ providers: z.array(providerSchema) });

export const providerTestSchema = z.object({
  ok: z.boolean(),
  ms: z.number().int().min(0),
  /** Models the provider named; null where it has no list. */
  models: z.number().int().min(0).nullable(),
  error: z.object({ code: errorCodeSchema, message: z.string(), detail: troubleDetailSchema.nullish() }).nullable(),
});

/**
 * Something found and not used: a key in the environment, a server on this machine (N4). `provider` is ready to be
 * posted as it is; until a person does, nothing is sent and nothing is spent.
 */
export const providerOfferSchema = z.object({
  from: z.enum(['environment', 'local_server']),
  label: z.string(),
  provider: createProviderSchema,
  models: z.array(z.string()),
});
export const providerOffersAnswerSchema = z.object({ offers: z.array(providerOfferSchema) });

export const modelsQuerySchema = z.strictObject({
  q: z.string().max(200).optional(),
  provider: providerIdSchema.optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(200),
});

export const modelInfoSchema = z.object({
  provider: z.string(),
  model: z.string(),
  label: z.string(),
  providerName: z.string(),
  kind: providerKindSchema,
  windowTokens: z.number().int().nullable(),
  windowSource: windowSourceSchema,
  maxOutputTokens: z.number().int().nullable(),
  price: priceSchema.nullable(),
  vision: z.boolean(),
  state: z.enum(['ready', 'key_missing', 'paused']),
  /** The practice model: rules, not an AI. */
  simulated: z.boolean(),
  /** Budget in force for it, and whether a larger chosen one was passed over (B1). */
  budgetBytes: z.number().int(),
  budgetPassedOver: z.boolean(),
});

export const modelsAnswerSchema = z.object({ models: z.array(modelInfoSchema), truncated: z.boolean() });

export type ProviderKind = z.infer<typeof providerKindSchema>;
export type Price = z.infer<typeof priceSchema>;
export type ConfiguredModel = z.infer<typeof configuredModelSchema>;
export type ProviderOptions = z.infer<typeof providerOptionsSchema>;
export type CreateProvider = z.infer<typeof createProviderSchema>;
export type PatchProvider = z.infer<typeof patchProviderSchema>;
export type Provider = z.infer<typeof providerSchema>;
export type ProviderTest = z.infer<typeof providerTestSchema>;
export type ProviderOffer = z.infer<typeof providerOfferSchema>;
export type ModelInfo = z.infer<typeof modelInfoSchema>;
export type ModelsQuery = z.infer<typeof modelsQuerySchema>;
export type ModelsAnswer = z.infer<typeof modelsAnswerSchema>;
