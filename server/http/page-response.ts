import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { cacheRule, DATA_POLICY, pagePolicy } from './security-headers';
import { createHeadInserter } from './trusted-types';

const POLICY_NAMES: readonly string[] = ['content-security-policy', 'content-security-policy-report-only'];

type Done = () => void;
type Rest = readonly [(BufferEncoding | Done)?, Done?];

const toBuffer = (chunk: string | Uint8Array, rest: Rest): Buffer =>
  typeof chunk === 'string' ? Buffer.from(chunk, typeof rest[0] === 'string' ? rest[0] : 'utf8') : Buffer.from(chunk);
const doneOf = (rest: Rest): Done | undefined => rest.find((part) => typeof part === 'function');

/**
 * Has the last word on an answer's headers, at the moment they leave: nothing but built files is ever cached, and what is no
 * page and names no policy of its own loads and runs nothing. Earlier would not do: Next keeps a header that already stands,
 * so a route could not say `no-transform` or a stricter policy.
 */
export function guardHeaders(res: ServerResponse, isStatic: boolean): void {
  const writeHead = res.writeHead.bind(res);
  const guarded = (
    status: number,
    second?: string | OutgoingHttpHeaders,
    third?: OutgoingHttpHeaders,
  ): ServerResponse => {
    const headers = typeof second === 'object' ? second : third;
    for (const [name, value] of Object.entries(headers ?? {})) if (value !== undefined) res.setHeader(name, value);
    res.setHeader('Cache-Control', cacheRule(String(res.getHeader('cache-control') ?? ''), isStatic));
    const hasPolicy = POLICY_NAMES.some((name) => res.hasHeader(name));
    if (!hasPolicy) res.setHeader('Content-Security-Policy', DATA_POLICY);
    return writeHead(status, typeof second === 'string' ? second : undefined);
  };
  res.writeHead = guarded as typeof res.writeHead;
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
