import { AppError } from '@/server/contract/error';
import { findBodyProblem } from '@/server/contract/forbidden-keys';
import { maxBodyBytes, maxBodyDepth } from '@/server/contract/text';

const tooLarge = (maxBytes: number): AppError =>
  new AppError('payload_too_large', `The body is larger than ${maxBytes} bytes; nothing of it was taken.`, {
    details: { maxBytes },
  });

/**
 * The bytes of a request as they arrive. Exact or refused (rel-X21): past `maxBytes` it throws `payload_too_large`, and a
 * body that breaks off throws `invalid_request`, so nobody takes a part for the whole.
 */
export async function* streamBody(request: Request, maxBytes: number): AsyncGenerator<Uint8Array, void, undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
  if (request.body === null) return;
  const reader = request.body.getReader();
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await readPiece(reader);
      if (done) return;
      bytes += value.byteLength;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      yield value;
    }
  } finally {
    // A consumer that stops early must not leave the connection full of unread bytes.
    await reader.cancel().catch(() => {});
  }
}

async function readPiece(reader: ReadableStreamDefaultReader<Uint8Array>): ReturnType<typeof reader.read> {
  try {
    return await reader.read();
  } catch (cause) {
    throw new AppError('invalid_request', 'The body broke off before its end; nothing of it was taken.', { cause });
  }
}

/** The whole body in memory, at most `maxBytes`; throws as `streamBody` does. */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of streamBody(request, maxBytes)) pieces.push(piece);
  return Buffer.concat(pieces);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENERS: readonly number[] = [0x5b, 0x7b];
const CLOSERS: readonly number[] = [0x5d, 0x7d];

/** How deep the brackets of a JSON text nest, counted over its bytes: a deep body must be refused before it is parsed. */
export function measureJsonDepth(bytes: Uint8Array): number {
  let depth = 0;
  let deepest = 0;
  let inText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (inText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (OPENERS.includes(byte)) {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (CLOSERS.includes(byte)) depth -= 1;
  }
  return deepest;
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AppError('invalid_request', 'The body is not UTF-8.', { cause });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('invalid_request', 'The body is not JSON.', { cause });
  }
}

/**
 * JSON as it may come in from outside: UTF-8, at most 64 deep (seen before it is parsed), no key that reaches a prototype
 * (rel-X20). Throws `invalid_request` with what was wrong. An empty body counts as `{}`.
 */
export function parseJsonBody(bytes: Uint8Array): unknown {
  if (measureJsonDepth(bytes) > maxBodyDepth) {
    throw new AppError('invalid_request', `The body nests deeper than ${maxBodyDepth} levels.`, {
      details: { maxDepth: maxBodyDepth },
    });
  }
  const text = decodeUtf8(bytes);
  if (text.trim() === '') return {};
  const value = parseJson(text);
  const problem = findBodyProblem(value, maxBodyDepth + 1);
  if (problem === null) return value;
  const path = problem.path.join('.');
  throw new AppError('invalid_request', `The key "${path}" is not taken in a body.`, { details: { path } });
}

const isJsonType = (contentType: string): boolean => /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType);

/**
 * Reads a request's JSON body of at most 1 MB. A body of another type is `unsupported_media_type`: what a form of a foreign
 * page can send is never read as JSON (rel-X6).
 */
export async function readJsonBody(request: Request): Promise<unknown> {
  const bytes = await readBody(request, maxBodyBytes);
  if (bytes.length > 0 && !isJsonType(request.headers.get('content-type') ?? '')) {
    throw new AppError('unsupported_media_type', 'Send the body as JSON, with "Content-Type: application/json".');
  }
  return parseJsonBody(bytes);
}
