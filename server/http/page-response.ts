import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { cacheRule, pagePolicy } from './security-headers';
import { createHeadInserter } from './trusted-types';

type Done = () => void;
type Rest = readonly [(BufferEncoding | Done)?, Done?];

const toBuffer = (chunk: string | Uint8Array, rest: Rest): Buffer =>
  typeof chunk === 'string' ? Buffer.from(chunk, typeof rest[0] === 'string' ? rest[0] : 'utf8') : Buffer.from(chunk);
const doneOf = (rest: Rest): Done | undefined => rest.find((part) => typeof part === 'function');

/** Keeps answers out of caches whatever sets the header later: Next, a route, or nobody. */
export function guardCacheHeader(res: ServerResponse, isStatic: boolean): void {
  const setHeader = res.setHeader.bind(res);
  res.setHeader = (name, value) =>
    setHeader(name, name.toLowerCase() === 'cache-control' ? cacheRule(String(value), isStatic) : value);
  if (!isStatic) setHeader('Cache-Control', cacheRule('', false));
}

/** Headers given to `writeHead` go through `setHeader`, so that one door guards them all. */
export function foldWriteHead(res: ServerResponse): void {
  const writeHead = res.writeHead.bind(res);
  const folded = (
    status: number,
    second?: string | OutgoingHttpHeaders,
    third?: OutgoingHttpHeaders,
  ): ServerResponse => {
    const headers = typeof second === 'object' ? second : third;
    for (const [name, value] of Object.entries(headers ?? {})) if (value !== undefined) res.setHeader(name, value);
    return writeHead(status, typeof second === 'string' ? second : undefined);
  };
  res.writeHead = folded as typeof res.writeHead;
}

function insertPolicyScript(res: ServerResponse, nonce: string): void {
  const write = res.write.bind(res);
  const end = res.end.bind(res);
  const setHeader = res.setHeader.bind(res);
  const inserter = createHeadInserter(nonce);
  // The page grows by the policy, so a length that was counted before is wrong; without one it goes out in chunks.
  res.setHeader = (name, value) => (name.toLowerCase() === 'content-length' ? res : setHeader(name, value));
  const isHtml = (): boolean => String(res.getHeader('content-type') ?? '').startsWith('text/html');
  const patchedWrite = (chunk: string | Uint8Array, ...rest: Rest): boolean => {
    if (!isHtml()) return write(chunk, 'utf8', doneOf(rest));
    return write(inserter.push(toBuffer(chunk, rest)), doneOf(rest));
  };
  const patchedEnd = (chunk?: string | Uint8Array | Done, ...rest: Rest): ServerResponse => {
    if (typeof chunk === 'function') return patchedEnd(undefined, chunk);
    if (chunk !== undefined && chunk !== null) patchedWrite(chunk, typeof rest[0] === 'string' ? rest[0] : undefined);
    return end(inserter.end(), doneOf(rest));
  };
  res.write = patchedWrite as typeof res.write;
  res.end = patchedEnd as typeof res.end;
}

/**
 * Makes the answer to this request a guarded page: the policy on the answer, the same policy on the request (overwriting a
 * client's, so no nonce is ever taken from outside) where Next reads the nonce, the Trusted Types policy first in the head.
 */
export function guardPage(
  req: IncomingMessage,
  res: ServerResponse,
  page: { readonly nonce: string; readonly reportOnly: boolean },
): void {
  const policy = pagePolicy(page.nonce);
  req.headers['content-security-policy'] = policy;
  delete req.headers['content-security-policy-report-only'];
  // The development server evaluates strings and writes inline styles, so there breaches are reported and not stopped.
  res.setHeader(page.reportOnly ? 'Content-Security-Policy-Report-Only' : 'Content-Security-Policy', policy);
  if (req.method === 'GET') insertPolicyScript(res, page.nonce);
}
