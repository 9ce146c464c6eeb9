import { z } from 'zod';

/**
 * Every code an error of this product can carry, and the status it has when it answers a request.
 * The list is closed: a code is chosen once, where the error is born, and nobody reads a message to decide.
 *
 * Codes from `provider_auth` on are born while a model works. Most of them end a turn or an attempt and are
 * read from an event; only where a request waits for a provider (a test, a model list) do they answer it.
 */
export const errorStatus = {
  invalid_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  misdirected: 421,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
  storage_full: 507,

  /** A write or sync failed for another reason than room; nothing was acknowledged (L8). */
  storage_failed: 503,
  /** Another server holds this data directory (L7). */
  storage_locked: 503,
  /** A file that no reader recognises, or that breaks off in a way that leaves nothing to import. */
  invalid_import: 400,

  /** The conversation has no model and none can be chosen for it. */
  no_model: 409,
  /** The conversation names a provider or model that is not configured (any more). */
  unknown_model: 409,
  /** The fixed part of the prompt alone is over 85 % of the budget (B2). */
  floor_too_large: 409,
  /** Nothing runs that could be stopped, decided or continued. */
  nothing_to_do: 409,

  provider_auth: 502,
  provider_rate_limited: 502,
  provider_quota: 502,
  provider_overloaded: 502,
  provider_network: 502,
  provider_server: 502,
  provider_stalled: 504,
  provider_context: 502,
  provider_too_large: 502,
  provider_refusal: 502,
  provider_invalid_request: 502,
  provider_incomplete: 502,
  provider_unknown: 502,

  /** The turn used all its steps; the last reply was asked for without tools. Ends a turn as `finished`. */
  step_limit: 409,
  /** The server stopped or died while this ran; what was received is kept (T4). */
  interrupted: 503,
  /** A person stopped it. */
  cancelled: 409,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** True for text that is one of the closed list; for codes that come back from storage. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errorStatus, text);
}

export const errorCodeSchema = z.enum(Object.keys(errorStatus).filter(isErrorCode));

/** Every error answer of the API, whatever the route. */
export const errorBodySchema = z.object({
  error: z.object({
    code: errorCodeSchema,
    /** For a person: what was wrong and what to do. */
    message: z.string(),
    /** For a program: which field, which limit, which revision. */
    details: z.record(z.string(), z.unknown()),
  }),
});

export type ErrorBody = z.infer<typeof errorBodySchema>;
export type ErrorDetails = Readonly<Record<string, unknown>>;

interface AppErrorOptions {
  readonly details?: ErrorDetails;
  /** Kept for the server's own log; never answered. */
  readonly cause?: unknown;
}

/**
 * Next bundles the container and the route handlers apart, so in a built server this file stands there twice and its class
 * is two classes. The mark is one: what one copy throws the other knows.
 */
const MARK = Symbol.for('tidemark.error');

/**
 * The only error that may leave a module on purpose. `message` is shown to a person as it is, so it holds no
 * path of the machine, no key and no text of a lower error; those go into `cause`.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: ErrorDetails;
  readonly [MARK] = true;

  static override [Symbol.hasInstance](thrown: unknown): boolean {
    return typeof thrown === 'object' && thrown !== null && MARK in thrown;
  }

  constructor(code: ErrorCode, message: string, { details = {}, cause }: AppErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = errorStatus[code];
    this.details = details;
  }
}

const internalMessage = 'Something went wrong on the server. Nothing else was changed; the details are in its log.';

/**
 * What is answered for anything that was thrown. An `AppError` answers as it says; anything else is `internal`
 * with a fixed sentence, because the text of an unknown error may hold paths, keys or another person's words.
 */
export function toErrorBody(thrown: unknown): { readonly status: number; readonly body: ErrorBody } {
  const known = thrown instanceof AppError ? thrown : new AppError('internal', internalMessage);
  return {
    status: known.status,
    body: { error: { code: known.code, message: known.message, details: { ...known.details } } },
  };
}

/** At most this many problems of one request are named; the rest would only bury them. */
const maxProblems = 20;

/**
 * A refused request, said field by field. Only for what a caller sent: the problems name the caller's own keys,
 * never its values. A stored line that does not parse is no request and must not go through here.
 */
export function toInvalidRequest(where: string, error: z.ZodError): AppError {
  const problems = error.issues.slice(0, maxProblems).map((issue) => ({
    path: issue.path.map(String).join('.'),
    message: issue.message,
  }));
  const first = problems[0];
  const at = first && first.path !== '' ? `${where}: ${first.path}` : where;
  return new AppError('invalid_request', `${at}: ${first?.message ?? 'not valid'}.`, {
    details: { where, problems },
    cause: error,
  });
}
