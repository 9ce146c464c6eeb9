import { APICallError, JSONParseError } from 'ai';

/** What can be known of a failure before anybody judges it: gathered from the SDK's many shapes, raw texts included. */
export interface ErrorFacts {
  readonly status: number | null;
  /** Every machine-readable code, type and status word found, lower case, outermost first. */
  readonly codes: readonly string[];
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** True when no answer of a provider stands behind it: a socket, a name, a cut body. */
  readonly transport: boolean;
}

type Loose = Readonly<Record<string, unknown>>;

/**
 * Reads an error of any shape the SDK hands over (stack 6: `APICallError`, plain objects from inside a stream,
 * parse errors, cut sockets). Never throws; an unknown shape gives its text.
 */
export function readErrorFacts(error: unknown): ErrorFacts {
  if (APICallError.isInstance(error)) return fromApiCall(error);
  if (JSONParseError.isInstance(error)) return fromBrokenJson(error.text);
  const cause = error instanceof Error ? error.cause : undefined;
  if (JSONParseError.isInstance(cause)) return fromBrokenJson(cause.text);
  if (typeof error === 'string') return { ...EMPTY, message: error };
  if (error instanceof Error && !hasOwnBody(error))
    return { ...EMPTY, message: error.message, transport: isTransport(error) };
  return fromBody(error, { status: null, headers: {} });
}

const EMPTY: ErrorFacts = { status: null, codes: [], message: '', headers: {}, body: null, transport: false };

function fromApiCall(error: APICallError): ErrorFacts {
  const body = parseJson(error.responseBody) ?? error.data;
  const status = error.statusCode ?? null;
  const headers = error.responseHeaders ?? {};
  // A cut body is reported with the status of its headers (200); only the cause tells.
  const transport =
    status === null ||
    (status < 300 && error.cause !== undefined && !JSONParseError.isInstance(error.cause) && body === undefined);
  if (body === undefined || typeof body === 'string') {
    const text = error.responseBody ?? '';
    return { status, codes: [], message: text.trim() === '' ? error.message : text, headers, body: text, transport };
  }
  return { ...fromBody(body, { status, headers }), transport };
}

function fromBody(
  body: unknown,
  known: { status: number | null; headers: Readonly<Record<string, string>> },
): ErrorFacts {
  // Google answers with an array of one when it streams.
  const outer = asObject(Array.isArray(body) ? body[0] : body);
  const data = asObject(outer.data);
  const inner =
    firstObject([
      outer.error,
      asObject(outer.response).error,
      data.error,
      asObject(data.response).error,
      outer.detail,
    ]) ?? outer;
  const wrapped = asObject(asObject(inner.metadata).raw);
  const codes = [inner, outer, data, wrapped, ...detailsOf(inner)].flatMap(codesOf);
  const message = [inner.message, outer.message, inner.detail, outer.error, outer.detail].find(
    (text): text is string => typeof text === 'string' && text !== '',
  );
  return {
    status:
      known.status ??
      numberStatus([inner.statusCode, inner.status, inner.code, outer.statusCode, outer.status, outer.code]),
    codes,
    message: message ?? safeJson(body),
    headers: known.headers,
    body: inner,
    transport: false,
  };
}

/** A gateway may write its own error into a half-written event (case-D08): the last whole line of the payload is then the error. */
function fromBrokenJson(text: string): ErrorFacts {
  for (const line of text.split('\n').reverse()) {
    const found = parseJson(line.replace(/^data:\s*/, ''));
    if (found !== undefined && typeof found === 'object') return fromBody(found, { status: null, headers: {} });
  }
  return {
    ...EMPTY,
    codes: ['malformed_event'],
    message: 'The answer held an event that is not JSON.',
    transport: true,
  };
}

function codesOf(part: Loose): string[] {
  return [part.code, part.type, part.status, part.reason, part.error_type]
    .filter((code) => typeof code === 'string')
    .map((code) => code.toLowerCase());
}

function detailsOf(inner: Loose): Loose[] {
  return Array.isArray(inner.details) ? inner.details.map(asObject) : [];
}

function numberStatus(candidates: readonly unknown[]): number | null {
  for (const candidate of candidates) {
    const value = typeof candidate === 'string' && /^[45]\d\d$/.test(candidate) ? Number(candidate) : candidate;
    if (typeof value === 'number' && value >= 400 && value < 600) return value;
  }
  return null;
}

function hasOwnBody(error: Error): boolean {
  return 'data' in error && typeof error.data === 'object' && error.data !== null;
}

function isTransport(error: Error): boolean {
  const names = [error.name, error.message, readCode(error), readCode(error.cause)].join(' ');
  return /fetch failed|terminated|socket|ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|UND_ERR|network|aborted|premature|certificate|CERT_/i.test(
    names,
  );
}

function readCode(value: unknown): string {
  const { code, message } = asObject(value);
  return [code, message].filter((text) => typeof text === 'string').join(' ');
}

/** The object form of a value, or an empty one. */
export function asObject(value: unknown): Loose {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function firstObject(candidates: readonly unknown[]): Loose | undefined {
  const found = candidates.find((candidate) => typeof candidate === 'object' && candidate !== null);
  return found === undefined ? undefined : asObject(found);
}

/** JSON or undefined; never throws. */
export function parseJson(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}
