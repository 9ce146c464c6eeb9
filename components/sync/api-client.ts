import type { z } from 'zod';
import { AppError, errorBodySchema } from '@/server/contract/error';

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

export type ApiCall<Schema extends z.ZodType> = {
  readonly schema: Schema;
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** What is undefined, null or empty is left out of the address. */
  readonly query?: Query;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  /** Finishes although the page goes away. */
  readonly keepalive?: boolean;
};

/** The address of an API path with its query; `path` begins behind `/v1`. */
export function toApiUrl(path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(key, String(value));
  }
  const text = search.toString();
  return `/v1${path}${text === '' ? '' : `?${text}`}`;
}

/** The browser takes up to 64 KiB of bodies that outlive their page, all together, and refuses what is longer. Bytes. */
const mostKeptAlive = 50 * 1024;

async function send(path: string, call: Omit<ApiCall<z.ZodType>, 'schema'>): Promise<Response> {
  const { method = 'GET', query, body, signal, keepalive } = call;
  const text = body === undefined ? undefined : JSON.stringify(body);
  const outlives = keepalive === true && new TextEncoder().encode(text).length <= mostKeptAlive;
  try {
    return await fetch(toApiUrl(path, query), {
      method,
      signal,
      keepalive: outlives,
      credentials: 'same-origin',
      headers: body === undefined ? undefined : { 'content-type': 'application/json' },
      body: text,
    });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new AppError('unavailable', 'The server did not answer. Nothing was changed.', { cause });
  }
}

async function toError(response: Response): Promise<AppError> {
  const parsed = errorBodySchema.safeParse(await response.json().catch(() => null));
  if (!parsed.success) {
    return new AppError('internal', `The server answered ${response.status} without saying why.`, {
      details: { status: response.status },
    });
  }
  const { code, message, details } = parsed.data.error;
  return new AppError(code, message, { details });
}

/**
 * One request to the API. The answer is parsed by the contract's schema here and trusted afterwards. Every failure is an
 * `AppError` with a code of the closed list; `unavailable` also stands for no answer at all. An abort throws as it is.
 */
export async function callApi<Schema extends z.ZodType>(
  path: string,
  call: ApiCall<Schema>,
): Promise<z.output<Schema>> {
  const { schema, ...rest } = call;
  const response = await send(path, rest);
  if (!response.ok) throw await toError(response);
  return schema.parse(response.status === 204 ? undefined : await response.json());
}

/** What a person is told about a thrown value. Only an `AppError` was written for people. */
export function toMessage(thrown: unknown): string {
  return thrown instanceof AppError ? thrown.message : 'Something went wrong here. Reload the page and try again.';
}

export function hasCode(thrown: unknown, code: AppError['code']): boolean {
  return thrown instanceof AppError && thrown.code === code;
}
